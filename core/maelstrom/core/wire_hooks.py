"""The fast way in: one structuring hook a class, generated from the tables.

Theory: a message that is right, as nearly all are, is structured by functions with
every check inlined (`wire_hook_source`). They refuse by raising, and say nothing of
why: `wire_explain` does, from the same tables. The functions are the hooks of a cattrs
converter, one converter a shape and `Limits`.

A hook that is given ``count`` calls it with numbers of strings, whose sum is that of
the whole value: so the reader of a text knows whether a key was lost (`json_strings`).
It then looks into parameter schemas as well, for their verdict knows their number.

What the hooks leave to others: lone surrogates (looked for only where the text can hold
one) and, without ``count``, what stands inside parameter schemas.
"""

from collections import deque
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final

from cattrs import Converter

from maelstrom.core.json_value import Json
from maelstrom.core.limits import Limits
from maelstrom.core.wire_hook_source import Hook, hook_of
from maelstrom.core.wire_kinds import Kind, Many, OneOf, Shape
from maelstrom.core.wire_source import RefusedError

__all__ = ["REFUSALS", "accepting", "converter", "structured"]

REFUSALS: Final = (RefusedError, KeyError, TypeError)
"""What a hook raises: a missing key and a tag of no shape are errors of their own."""

_ignore: Final[Callable[[int], None]] = deque[int](maxlen=0).append


@lru_cache(maxsize=16)
def converter(shape: Shape, limits: Limits) -> Converter:
    """A converter that structures ``shape.record`` strictly, within the limits."""
    made = Converter(detailed_validation=False)
    for each in _shapes(shape):
        hook = hook_of(each, limits, made.get_structure_hook)
        made.register_structure_hook(each.record, hook)
    return made


def _shapes(kind: Kind) -> Iterator[Shape]:
    """The shapes that a kind is made of, inner ones first."""
    match kind:
        case Shape(fields=fields):
            for each in fields:
                yield from _shapes(each.kind)
            yield kind
        case OneOf(shapes=shapes):
            for shape in shapes:
                yield from _shapes(shape)
        case Many(item=item):
            yield from _shapes(item)
        case _:
            return


def structured(shape: Shape, value: Json, limits: Limits) -> tuple[Any, int]:
    """The record, its parameter schemas judged, and how many strings the value holds.

    Raises:
        REFUSALS: The value is not of its shape.
    """
    strings: list[int] = []
    hook: Hook = converter(shape, limits).get_structure_hook(shape.record)
    return hook(value, None, strings.append), sum(strings)


def accepting(shape: Shape, limits: Limits) -> Callable[[Kind], Callable[[Json], bool]]:
    """Whether an item of a list inside the shape is right, schemas and all.

    What is given first is the kind of the items. Of one that no hook knows no item is
    said to be right.
    """
    made = converter(shape, limits)

    def accepts(kind: Kind) -> Callable[[Json], bool]:
        hook_for = _hooks_for(kind, made)

        def is_right(item: Json) -> bool:
            try:
                hook_for(item)(item, None, _ignore)
            except REFUSALS:
                return False
            return True

        return is_right

    return accepts


def _hooks_for(kind: Kind, made: Converter) -> Callable[[Json], Hook]:
    """The hook for an item, by its tag where there is one."""
    match kind:
        case Shape(record=record):
            hook = made.get_structure_hook(record)
            return lambda _: hook
        case OneOf(key=key, shapes=shapes):
            hooks = {
                shape.tag[1]: made.get_structure_hook(shape.record)
                for shape in shapes
                if shape.tag
            }
            return lambda item: hooks[item[key]]
        case _:
            return _no_hook


def _no_hook(_item: Json) -> Hook:
    raise RefusedError
