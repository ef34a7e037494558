r"""Lone surrogates: halves of a character, which no text in UTF-8 can hold.

Theory: an escape of JSON can spell one alone, so a valid text may hold a string that
cannot be written again. Whoever reads such a value looks for them, or has them replaced;
the look at the text first says whether that can be needed at all.
"""

import re
from typing import Final

from maelstrom.core.json_value import Json

__all__ = ["holds_surrogate", "may_hold_surrogates", "replace_surrogates"]

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_PAIR: Final = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..")


def holds_surrogate(text: str) -> bool:
    """Whether a text has a lone surrogate; most are of ASCII, and need no search."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def may_hold_surrogates(text: str) -> bool:
    r"""Whether a JSON text, itself without surrogates, may hold one as an escape.

    An escaped character beyond the first 65,536 is a pair of them, and none. The look
    is at the text alone; what is no escape, behind a backslash of its own, is told
    apart.

    >>> may_hold_surrogates(r'"\ud83d\ude00"'), may_hold_surrogates(r'"\ud83d"')
    (False, True)
    """
    if "\\" not in text:  # most texts hold none, and this one look is a fast one
        return False
    if "\\ud" not in text and "\\uD" not in text:
        return False
    unpaired = _PAIR.sub("", text.replace(r"\\", "/"))
    return "\\ud" in unpaired or "\\uD" in unpaired


def replace_surrogates(value: Json) -> Json:
    r"""The value with U+FFFD for every lone surrogate, in keys too; first key wins.

    >>> replace_surrogates(["\ud800!"])
    ['\ufffd!']
    """
    top: list[Json] = [value]
    work: list[tuple[Json, Json, Json]] = [(top, 0, value)]
    while work:
        parent, key, item = work.pop()
        if isinstance(item, str):
            parent[key] = _SURROGATE.sub("\ufffd", item)
        elif isinstance(item, dict):
            made: Json = {}
            for name, inner in item.items():
                # A key of a planner's own making may be no text: it is judged later.
                text = isinstance(name, str)
                clean = _SURROGATE.sub("\ufffd", name) if text else name
                made.setdefault(clean, inner)
            work.extend((made, name, inner) for name, inner in made.items())
            parent[key] = made
        elif isinstance(item, list):
            copy = list(item)
            work.extend((copy, i, inner) for i, inner in enumerate(copy))
            parent[key] = copy
    return top[0]
