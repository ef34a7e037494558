r"""JSON text to a value, under rules that the reader states.

Theory: the standard library's parser is fast, but lenient where a protocol must be
strict, and it recurses. So the depth of a text is measured before the parser sees it
(`json_depth`), and all that it lets through is decided by one record, `JsonRules`:

- the wire refuses duplicate keys and NaN, and keeps numbers that overflow, for the
  shape's rules to refuse them where they stand;
- the reader of answers lets the first key win and may keep NaN, so that one bad number
  costs one piece;
- parameters refuse duplicate keys and NaN, and replace lone surrogates.

Most texts need none of these: the parser is left alone with a text first, and where it
takes it, and no key was lost (`json_strings`), no hook is called for each object.

A byte order mark, invalid UTF-8, raw control characters in strings, and more or less
than one value are always faults.

Warts: an integer of more digits than Python converts is read as a shorter one, which is
as far out of every range. A lone surrogate is kept unless it is to be replaced: whoever
reads the value looks for it, and `may_hold_surrogates` says whether that can be needed.

In step with: `maelstrom.core.wire` and `maelstrom.core.candidate`, its readers.
"""

from collections.abc import Callable, Mapping
from json import JSONDecodeError, JSONDecoder
from math import isfinite
from types import MappingProxyType
from typing import Final, Literal, NoReturn, TypeAlias

from attrs import field, frozen
from returns.result import Failure, Result, Success

from maelstrom.core.json_depth import text_nests_deeper
from maelstrom.core.json_duplicates import Duplicates
from maelstrom.core.json_parser import is_native, parse
from maelstrom.core.json_strings import strings_of_text, strings_of_value
from maelstrom.core.json_surrogates import may_hold_surrogates, replace_surrogates
from maelstrom.core.json_value import Json, Path

__all__ = [
    "JsonFault",
    "JsonFaultCode",
    "JsonRules",
    "Parsed",
    "malformed",
    "nests_deeper",
    "parse_exactly",
    "parse_json",
]

_Decoded: TypeAlias = tuple[Json, Mapping[Path, str]]
"""A value, and by its path each object that names a key twice, with that key."""

JsonFaultCode: TypeAlias = Literal[
    "malformed_json", "duplicate_key", "too_large", "too_deep"
]


@frozen(kw_only=True)
class JsonRules:
    """What a reader takes.

    ``max_bytes`` counts the text in UTF-8, None is no bound; ``max_depth`` counts
    objects and arrays within each other. ``first_key_wins`` reads duplicate keys,
    ``constants`` NaN and the infinities, ``overflow`` numbers that no double or
    integer holds (as an infinity, as a shorter integer). ``replace_surrogates`` puts
    U+FFFD for each lone one, in keys too.
    """

    max_bytes: int | None = None
    max_depth: int = 64
    first_key_wins: bool = False
    constants: bool = False
    overflow: bool = True
    replace_surrogates: bool = False


@frozen
class JsonFault:
    """Why a text is refused.

    Where it only names keys twice, ``doubles`` holds one for each path of such an
    object, and ``value`` is the text's value with the first of such keys kept.
    """

    code: JsonFaultCode
    message: str
    doubles: Mapping[Path, str] = field(default=MappingProxyType({}), hash=False)
    value: Json = field(default=None, hash=False)


@frozen
class Parsed:
    """A value that was read, and what was special about its text."""

    value: Json = field(hash=False)
    had_duplicates: bool = False
    may_hold_surrogates: bool = False


_Decode: TypeAlias = Callable[[str, JsonRules], _Decoded]


def parse_json(text: bytes | str, rules: JsonRules) -> Result[Parsed, JsonFault]:
    """Read one JSON value; total: any input gives a value or a fault.

    >>> parse_json('{"a": [1, 2]}', JsonRules()).unwrap().value
    {'a': [1, 2]}
    >>> parse_json('{"a": {"b": 1, "b": 2}}', JsonRules()).failure().doubles
    {('a',): 'b'}
    >>> parse_json("[" * 50_000, JsonRules()).failure().code
    'too_deep'
    """
    return _parsed(text, rules, _read)


def parse_exactly(text: bytes | str, rules: JsonRules) -> Result[Parsed, JsonFault]:
    """The same, for a text that is known to be odd: it is read but once."""
    return _parsed(text, rules, _decode)


def _parsed(
    text: bytes | str, rules: JsonRules, decode: _Decode
) -> Result[Parsed, JsonFault]:
    data, whole = _encoded(text)
    if rules.max_bytes is not None and len(data) > rules.max_bytes:
        return Failure(JsonFault("too_large", f"over {rules.max_bytes} bytes"))
    if text_nests_deeper(data, rules.max_depth):
        return Failure(JsonFault("too_deep", f"nested over {rules.max_depth} deep"))
    try:
        text = data.decode() if isinstance(text, bytes) else text
        value, doubles = decode(text, rules)
    except ValueError as error:
        return Failure(malformed(error))
    if doubles and not rules.first_key_wins:
        return Failure(JsonFault("duplicate_key", "a key named twice", doubles, value))
    surrogates = not whole or may_hold_surrogates(text)
    if surrogates and rules.replace_surrogates:
        return Success(Parsed(replace_surrogates(value), bool(doubles)))
    return Success(Parsed(value, bool(doubles), surrogates))


def _encoded(text: bytes | str) -> tuple[bytes, bool]:
    """The text in UTF-8, and whether it is free of surrogates as they are."""
    if isinstance(text, bytes):
        return text, True
    try:
        return text.encode(), True
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass"), False


def _read(text: str, rules: JsonRules) -> _Decoded:
    """The value of a text that needs no rule but those of JSON, or of any other."""
    try:
        value = parse(text, is_native(text.encode())) if rules.overflow else None
    except ValueError:
        value = None
    if value is None or strings_of_text(text) != strings_of_value(value):
        return _decode(text, rules)
    return value, {}


def _decode(text: str, rules: JsonRules) -> _Decoded:
    """The value, and the objects that name a key twice; raises ValueError."""
    if text.startswith("\ufeff"):
        raise _RefusedError("a byte order mark")
    duplicates = Duplicates()
    try:
        value = _decoder(duplicates.made, rules, None).decode(text)
    except (JSONDecodeError, _RefusedError):
        raise
    except ValueError:  # an integer longer than Python converts
        if not rules.overflow:
            raise
        value = _decoder(duplicates.made, rules, _shortened).decode(text)
    return duplicates.settled(value)


def malformed(error: ValueError) -> JsonFault:
    """The fault of a text that the parser refuses."""
    return JsonFault("malformed_json", _words(error))


def _words(error: ValueError) -> str:
    if isinstance(error, JSONDecodeError):
        return f"{error.msg} at line {error.lineno}, column {error.colno}"
    if isinstance(error, UnicodeDecodeError):
        return f"invalid UTF-8 at byte {error.start}"
    return str(error) if isinstance(error, _RefusedError) else "a number too long"


# ---------------------------------------------------------------- the parser's hooks


class _RefusedError(ValueError):
    """A hook refuses what the parser would take."""


def _no_constant(name: str) -> NoReturn:
    raise _RefusedError(f"{name} is no JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise _RefusedError("a number that overflows")
    return number


_DIGITS: Final = 400
"""Past any double's range (309 digits), and under any limit that Python may have."""


def _shortened(digits: str) -> int:
    return int(digits[:_DIGITS])


def _decoder(
    hook: Callable[[list[tuple[str, Json]]], Json],
    rules: JsonRules,
    parse_int: Callable[[str], int] | None,
) -> JSONDecoder:
    return JSONDecoder(
        object_pairs_hook=hook,
        parse_constant=None if rules.constants else _no_constant,
        parse_float=None if rules.overflow else _finite,
        parse_int=parse_int,
    )


# ---------------------------------------------------------------- depth of a value


def nests_deeper(value: Json, limit: int, nodes: int = 1_000_000) -> bool:
    """Whether objects and arrays stand more than ``limit`` deep within each other.

    Goes level by level, and so ends on a value that holds itself; one that counts more
    than ``nodes`` values, counting shared ones each time, is called deeper as well.

    >>> nests_deeper([[1]], 1), nests_deeper([[1]], 2)
    (True, False)
    """
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(limit):
        inner: list[Json] = []
        for outer in level:
            inner.extend(outer.values() if isinstance(outer, dict) else outer)
            if len(inner) > nodes:
                return True
        level = [item for item in inner if isinstance(item, dict | list)]
        if not level:
            return False
        nodes -= len(inner)
    return bool(level)
