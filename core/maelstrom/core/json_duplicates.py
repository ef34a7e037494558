"""Objects of a JSON text that name a key twice, found while the text is parsed.

Theory: the parser ends inner objects before the ones around them. So whoever is told of
each object as it ends can keep, of every object and list that holds such an object
somewhere, a short list of where; from the top one down these lists are the paths. As
long as nothing was named twice, an object costs no more than making it.

Of equal keys the first one wins. Nothing is kept of the others, but objects that stand
inside them are looked at too.
"""

from collections.abc import Sequence
from typing import NamedTuple

from maelstrom.core.json_value import Json, Path

__all__ = ["Duplicates"]


class _Held(NamedTuple):
    """A value that names a key twice, or holds one that does, and where.

    The value itself is kept, so that no other can have its identity.
    """

    value: Json
    is_double: bool
    inner: Sequence[tuple[str | int, Json]]


class Duplicates:
    """The duplicate keys of one text; ``made`` is the hook of its parser.

    >>> from json import JSONDecoder
    >>> found = Duplicates()
    >>> top = JSONDecoder(object_pairs_hook=found.made).decode(
    ...     '{"a": [{"b": 1, "b": 2}]}'
    ... )
    >>> top, found.paths(top)
    ({'a': [{'b': 1}]}, (('a', 0),))
    """

    __slots__ = ("_held",)

    def __init__(self) -> None:
        """Nothing was named twice yet."""
        self._held: dict[int, _Held] = {}

    def made(self, pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        """The object of these pairs; what was inside them is made already."""
        value = dict(pairs)
        is_double = len(value) != len(pairs)
        if is_double:
            value.clear()
            for key, item in pairs:
                value.setdefault(key, item)
        elif not self._held:
            return value
        inner = [(key, item) for key, item in pairs if self._holds(item)]
        if is_double or inner:
            self._held[id(value)] = _Held(value, is_double, inner)
        return value

    def _holds(self, item: Json) -> bool:
        """Whether a value is, or has inside, an object that names a key twice."""
        if item.__class__ is dict:
            return id(item) in self._held
        if item.__class__ is not list:
            return False
        inner = [(place, each) for place, each in enumerate(item) if self._holds(each)]
        if inner:
            self._held[id(item)] = _Held(item, False, inner)
        return bool(inner)

    def paths(self, top: Json) -> tuple[Path, ...]:
        """Where the objects stand that name a key twice, outer ones first."""
        if not self._held or not self._holds(top):
            return ()
        found: dict[Path, None] = {}
        work: list[tuple[Path, Json]] = [((), top)]
        while work:
            path, value = work.pop()
            held = self._held[id(value)]
            if held.is_double:
                found[path] = None
            work += [((*path, key), item) for key, item in reversed(held.inner)]
        return tuple(found)
