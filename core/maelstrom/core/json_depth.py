r"""How deep a JSON text nests, measured before a parser that recurses sees it.

Theory: all but brackets and quotes is taken out, escaped quotes too, and then quotes
that stand side by side: whether a bracket stands in a string does not change by that,
for it is a matter of odd and even. What strings still hold, brackets, goes with them; a
quote without a partner opens a string that takes all the rest. The brackets that are
left are taken off from the inside, one depth each time. In a right text that ends with
nothing left; in any other what is left is at most as deep as it opens brackets, and
they are counted one by one only if that says too little.

All is done by a few calls on the whole text: a walk over it would take fifty times as
long, and is as long for a text with brackets in its strings as for one with none.
"""

import re
from typing import Final

__all__ = ["text_nests_deeper"]

_STRING: Final = re.compile(rb'"[^"]*"?')
_NOT_STRUCTURE: Final = bytes(set(range(256)) - set(b'[]{}"'))


def text_nests_deeper(data: bytes, limit: int) -> bool:
    """Whether a text nests deeper; a text that is no JSON, before its first fault.

    >>> text_nests_deeper(b'[["[["]]', 1), text_nests_deeper(b'[["[["]]', 2)
    (True, False)
    """
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    bare = data.translate(None, _NOT_STRUCTURE).replace(b'""', b"")
    brackets = _STRING.sub(b"", bare) if b'"' in bare else bare
    left, taken = brackets, 0
    while left and taken <= limit:
        size = len(left)
        left = left.replace(b"{}", b"")
        taken += size != len(left)
        middle = len(left)
        left = left.replace(b"[]", b"")
        taken += middle != len(left)
        if size == len(left):
            break
    most = taken + left.count(b"{") + left.count(b"[")
    return most > limit and _deepest(brackets, limit) > limit


def _deepest(brackets: bytes, limit: int) -> int:
    depth = 0
    for sign in brackets:
        depth += 1 if sign in b"[{" else -1
        if depth > limit:
            break
    return depth
