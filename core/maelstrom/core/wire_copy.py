"""A mapping from outside as a plain JSON value of our own.

Theory: a message given as a mapping is bounded as its text would be, copied so that
its owner may change it, and cleared of what is no JSON, with one walk on a stack. What
is no plain dict, list, text, number, boolean or None becomes `NOT_JSON`, which no
shape takes, so that the fault is found where it stands. A value that holds itself is
too deep, one that holds the same lists over and over is too large, as on the wire.
"""

import re
from collections.abc import Mapping
from typing import Final

from returns.result import Failure, Result, Success

from maelstrom.core.json_text import JsonFault, JsonRules, Parsed
from maelstrom.core.json_value import Json

__all__ = ["NOT_JSON", "copy_json"]


class _NotJson:
    __slots__ = ()


NOT_JSON: Final = _NotJson()
"""Stands where a value was no JSON."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_ATOMS: Final = (int, float, bool, type(None))
_ITEM: Final = 2
"""Bytes of an item at least: a digit and a comma."""


def copy_json(message: object, rules: JsonRules) -> Result[Parsed, JsonFault]:
    """Copy a mapping (or any value) under the same rules as a text; sizes are estimated from below."""
    try:
        top: list[Json] = [dict(message) if isinstance(message, Mapping) else message]
    except Exception:  # noqa: BLE001  a foreign mapping may raise anything
        return Failure(JsonFault("malformed_json", "a mapping that cannot be read"))
    size = 0
    surrogates = False
    work: list[tuple[Json, Json, int]] = [(top, 0, 0)]
    while work:
        holder, key, depth = work.pop()
        value = holder[key]
        if value.__class__ is str:
            size += len(value)
            surrogates = surrogates or _SURROGATE.search(value) is not None
        elif value.__class__ is dict or value.__class__ is list:
            size += _ITEM * len(value)
            if depth == rules.max_depth:
                reason = f"nested over {rules.max_depth} deep"
                return Failure(JsonFault("too_deep", reason))
            if not _is_over(size, rules):
                holder[key] = copied = value.copy()
                keys = copied if value.__class__ is dict else range(len(copied))
                work.extend((copied, each, depth + 1) for each in keys)
        elif value.__class__ not in _ATOMS:
            holder[key] = NOT_JSON
        if _is_over(size, rules):
            return Failure(JsonFault("too_large", f"over {rules.max_bytes} bytes"))
    return Success(Parsed(top[0], may_hold_surrogates=surrogates))


def _is_over(size: int, rules: JsonRules) -> bool:
    return rules.max_bytes is not None and size > rules.max_bytes
