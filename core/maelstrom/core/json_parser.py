"""The parser under the quick way: orjson where it is installed, else the standard one.

Theory: the standard parser decides what JSON is. orjson, of the extra ``fast``, reads
the same values in half the time, but for one kind: an integer of more than 64 bits
becomes a float. Such a one has nineteen digits at least, so a text with as many in a
row, in a number or not, is left to the standard parser. So is all that orjson refuses:
it never has the last word on an error. What it takes, it takes as the standard parser
does; the tests hold the two to that over texts of every kind.

This is the only file that knows orjson, and `docs/decisions/orjson.md` says why the core
may. Neither parser looks for duplicate keys: who calls them does.

In step with: `maelstrom.core.wire_text` and `maelstrom.core.json_text`, its users.
"""

from collections.abc import Callable
from json import JSONDecoder
from typing import Final, NoReturn

from maelstrom.core.json_value import Json

try:
    from orjson import loads as _loads
except ImportError:
    _native: Callable[[str], Json] | None = None
else:
    _native = _loads

__all__ = ["NATIVE", "is_native", "parse", "parse_array"]

NATIVE: Final = _native
"""orjson's parser, None where it is not installed."""

_DIGITS: Final = bytes.maketrans(b"123456789", b"000000000")
_MANY: Final = b"0" * 19
"""2^63 has nineteen digits; what has fewer fits 64 bits."""


def is_native(data: bytes) -> bool:
    """Whether orjson may read a text: it is here, and no integer can be too long."""
    return NATIVE is not None and _MANY not in data.translate(_DIGITS)


def parse(text: str, native: bool) -> Json:
    """The value of a text.

    Raises:
        ValueError: It is no JSON, or holds NaN or an integer of thousands of digits.
    """
    if native and NATIVE is not None:
        try:
            return NATIVE(text)
        except ValueError:
            pass  # the standard parser has the last word
    return _STANDARD.decode(text)


def parse_array(text: str, start: int, before: str, native: bool) -> tuple[Json, int]:
    """The array that begins at ``start``, and where it ends.

    Args:
        text: It need be no JSON after the array.
        start: The place of the opening bracket.
        before: What most likely follows the array and a comma: orjson reads whole texts
            alone, so the end is guessed, and reading the array says whether rightly.
        native: Whether orjson may read it.

    Raises:
        ValueError: As of `parse`.
    """
    if native and NATIVE is not None:
        end = text.rfind("]", start, text.find(before, start)) + 1
        try:
            return NATIVE(text[start:end]), end
        except ValueError:
            pass
    return _STANDARD.raw_decode(text, start)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


_STANDARD: Final = JSONDecoder(parse_constant=_no_constant)
