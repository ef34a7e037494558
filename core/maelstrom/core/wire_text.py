r"""A message's text as a value: the quick way, which gives up where the text is odd.

Theory: `json_text.parse_json` is exact and slow, for it calls Python for each object.
Here the parser is left alone, and what it would let through is found by other means:

- depth and size before it runs, as there;
- a key named twice by counting strings (`json_strings`): this file counts those of the
  text, the hooks those of the value, and only if they differ the exact reader is asked;
- lone surrogates by a look at the text's escapes;
- all else (NaN, a byte order mark, invalid UTF-8, endless digits) is an error of the
  parser's, and then the exact reader says what it is.

The catalogue is read apart: where ``"vessels":`` first stands, either a known array goes
on (`catalogue_memory`), or one is read. A mark takes its place, what is around it is read
with the mark, and the vessels are put where the mark came out, provided that this is
``payload.vessels``. The mark is the string of one DEL character. It can be taken for
nothing else, for a text that holds a DEL elsewhere, or the only other spelling of one,
``\u007f``, is read as a whole. And if the mark was read as a string, then an array that
stands in its place is read as an array, because both begin and end by themselves.

This is one of the three files that are low-level for the sake of speed, beside
`wire_hook_source` and `wire_write`: reading a known catalogue anew, and calling a hook for each object,
is two thirds of what decoding a message would cost.

In step with: `maelstrom.core.wire_read`, its only user.
"""

import re
from json import JSONDecodeError
from typing import Final

from attrs import field, frozen

from maelstrom.core.catalogue_memory import CatalogueMemory, KnownCatalogue
from maelstrom.core.json_depth import text_nests_deeper
from maelstrom.core.json_parser import is_native, parse, parse_array
from maelstrom.core.json_strings import strings_of_text
from maelstrom.core.json_surrogates import may_hold_surrogates
from maelstrom.core.json_text import JsonFault, malformed
from maelstrom.core.json_value import Json
from maelstrom.core.limits import Limits

__all__ = ["MEMORY", "Read", "read_text"]

MEMORY: Final = CatalogueMemory()

_VESSELS: Final = re.compile(r'"vessels"[ \t\n\r]*:[ \t\n\r]*(?=\[)')
_NEXT: Final = '"layout"'
_DEL: Final = "\x7f"
_MARK: Final = f'"{_DEL}"'
_OTHER_SPELLING: Final = "\\u007"


@frozen
class Read:
    """A value that was read.

    ``text`` is what was parsed, with the mark for a known catalogue, and ``strings`` are
    those in it: None where it has been settled that no key was named twice. A ``known``
    catalogue stands in the value as its tuple of records, its strings uncounted;
    ``array`` is the text of a catalogue that is not yet known.
    """

    value: Json = field(hash=False)
    text: str
    strings: int | None
    may_hold_surrogates: bool
    known: KnownCatalogue | None = None
    array: str | None = None


def read_text(message: bytes | str, limits: Limits) -> Read | JsonFault | None:
    """Read a message's text, None where it takes the exact reader to say what it is."""
    try:
        text = message.decode() if isinstance(message, bytes) else message
        data = message if isinstance(message, bytes) else message.encode()
        if len(data) > limits.message_bytes:
            return None
        found = _VESSELS.match(text, max(text.find('"vessels"'), 0))
        if found is not None:
            read = _read_known(text, found.end(), limits)
            if read is not None:
                return read
        if text_nests_deeper(data, limits.nesting):
            return None
        native = is_native(data)
        read = None if found is None else _read_apart(text, found.end(), native)
        return _read_whole(text, native) if read is None else read
    except ValueError:
        return None


def _read_known(text: str, start: int, limits: Limits) -> Read | JsonFault | None:
    known = MEMORY.find(text, start, limits)
    if known is None:
        return None
    rest = _with_mark(text, start, start + len(known.text))
    data = b"" if rest is None else rest.encode()
    if rest is None or text_nests_deeper(data, limits.nesting):
        return None
    try:
        value = _read_around(rest, known.vessels, is_native(data))
    except JSONDecodeError as error:
        return _misread(text, error, start, len(known.text), limits)
    if value is None:
        return None
    strings = strings_of_text(rest) - 1
    return Read(value, rest, strings, may_hold_surrogates(rest), known=known)


def _misread(
    text: str, error: JSONDecodeError, start: int, length: int, limits: Limits
) -> JsonFault | None:
    """What the exact reader would say of a text that goes wrong around the mark.

    The parser stands in the same state behind the mark and behind the array, for both
    are one value, and a text whose mark is inside a string goes wrong before it.
    """
    if text.startswith("\ufeff") or text_nests_deeper(text.encode(), limits.nesting):
        return None
    moved = 0 if error.pos <= start else length - len(_MARK)
    return malformed(JSONDecodeError(error.msg, text, error.pos + moved))


def _read_apart(text: str, start: int, native: bool) -> Read | None:
    vessels, end = parse_array(text, start, _NEXT, native)
    rest = _with_mark(text, start, end)
    value = None if rest is None else _read_around(rest, vessels, native)
    if value is None:
        return None
    strings, surrogates = strings_of_text(text), may_hold_surrogates(text)
    return Read(value, text, strings, surrogates, array=text[start:end])


def _with_mark(text: str, start: int, end: int) -> str | None:
    """The text with the mark in place of a part, None where it may be mistaken."""
    before, after = text[:start], text[end:]
    for part in (before, after):
        if _DEL in part or ("\\" in part and _OTHER_SPELLING in part):
            return None
    return f"{before}{_MARK}{after}"


def _read_around(rest: str, vessels: Json, native: bool) -> Json | None:
    value = parse(rest, native)
    payload: Json = value.get("payload") if value.__class__ is dict else None
    if not isinstance(payload, dict) or payload.get("vessels") != _DEL:
        return None
    payload["vessels"] = vessels
    return value


def _read_whole(text: str, native: bool) -> Read:
    value = parse(text, native)
    return Read(value, text, strings_of_text(text), may_hold_surrogates(text))
