"""Objects of a JSON text that name a key twice, found while the text is parsed.

Theory: the parser ends inner objects before the ones around them. So whoever is told of
each object as it ends can mark those that name a key twice, and those that hold a marked
one. At the end a walk from the top has to follow the marks alone, which gives the paths,
and takes the marks off. As long as nothing was named twice, an object costs no more than
making it.

Of equal keys the first one wins. Nothing is kept of the others, but objects that stand
inside them are looked at too.
"""

from typing import Final, TypeAlias

from maelstrom.core.json_value import Json, Path

__all__ = ["Duplicates"]


class _Marked(dict[str, Json]):
    """An object that names a key twice, or holds a marked one: ``inner`` says where.

    ``doubles`` are the keys that are named again, as often as they are.
    """

    __slots__ = ("doubles", "inner")

    inner: list[tuple[str, Json]]
    doubles: list[str]


_Visit: TypeAlias = tuple[Path, Json, Json, str | int]
"""A path, a marked object or a list that stood there, what holds it now, and where.

A later one of equal keys is held by nothing: under its key stands the first.
"""


class Duplicates:
    """The duplicate keys of one text; ``made`` is the hook of its parser.

    >>> from json import JSONDecoder
    >>> found = Duplicates()
    >>> decoder = JSONDecoder(object_pairs_hook=found.made)
    >>> found.settled(decoder.decode('{"a": [{"b": 1, "b": 2}]}'))
    ({'a': [{'b': 1}]}, {('a', 0): 'b'})
    """

    __slots__ = ("_any",)

    def __init__(self) -> None:
        """Nothing was named twice yet."""
        self._any = False

    def made(self, pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        """The object of these pairs; what is inside them is made already."""
        value = dict(pairs)
        is_double = len(value) != len(pairs)
        if not is_double and not self._any:
            return value
        inner = [(key, item) for key, item in pairs if _is_marked(item)]
        if not is_double and not inner:
            return value
        self._any = True
        marked = _Marked()
        marked.inner, marked.doubles = inner, []
        for key, item in pairs:
            if key in marked:
                marked.doubles.append(key)
            else:
                marked[key] = item
        return marked

    def settled(self, top: Json) -> tuple[Json, dict[Path, str]]:
        """The value without its marks, and by path the first double, outer ones first."""
        if not self._any:
            return top, {}
        found: dict[Path, str] = {}
        whole = [top]
        work: list[_Visit] = [((), top, whole, 0)]
        while work:
            path, value, holder, place = work.pop()
            kept: Json = value
            if value.__class__ is list:
                inner = enumerate(value)
            else:
                if value.doubles:
                    found.setdefault(path, value.doubles[0])
                inner, kept = value.inner, dict(value)
                if holder[place] is value:
                    holder[place] = kept
            visits = [
                ((*path, key), item, kept, key)
                for key, item in inner
                if item.__class__ in _HOLDERS
            ]
            work += reversed(visits)
        return whole[0], found


_HOLDERS: Final = (list, _Marked)


def _is_marked(item: Json) -> bool:
    """Whether a value is marked, or a list with a marked one somewhere in it."""
    return item.__class__ is _Marked or (
        item.__class__ is list and any(map(_is_marked, item))
    )
