"""What is wrong with a value, by the tables of `wire_fields`: paths, codes, words.

Theory: one lazy walk over value and table together, in the order of the table; whoever
asks takes the first sixteen issues, and the walk goes no further. It runs only once the
fast hooks have refused a value, and is written to be read. Where it comes to a list, who
asks may say which items are right as a whole, so that one fault at the end of a long
message is not looked for in all that stands before it. The walk recurses over the
tables, which are of a fixed depth; the JSON of others, which is not, is walked with a
stack.

The order of issues is that of a record's fields, then of the index; unknown keys come
last in their object, sorted. An object whose tag (``type``, ``kind``) is bad has that
one issue, for nothing says what else it should hold; a bad ``layoutMode`` or
``direction`` ends the checks of its object where it stands.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from math import isfinite
from typing import Final, NamedTuple, TypeAlias, assert_never

from maelstrom.core.errors import Issue, IssueCode
from maelstrom.core.json_value import Json, Path
from maelstrom.core.json_writer import compact_text
from maelstrom.core.limits import MAX_INTEGER, Limits
from maelstrom.core.quoting import quoted
from maelstrom.core.wire_kinds import (
    Bound,
    Flag,
    Guest,
    Id,
    Integer,
    Kind,
    Many,
    NodeOrNull,
    OneOf,
    Scalar,
    Shape,
    Text,
    Weight,
    Word,
)

__all__ = ["MAX_ISSUES", "bound", "explain", "guest_faults", "id_fault", "text_fault"]

MAX_ISSUES: Final = 16
"""Enough to mend a message by; more would be a message of its own."""

_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")

_NAMES: Final = (
    (type(None), "null"),
    (bool, "a boolean"),
    (int, "an integer"),
    (float, "a number"),
    (str, "a text"),
    (list, "a list"),
    (dict, "an object"),
)

_Fault: TypeAlias = tuple[IssueCode, str]
_Accepts: TypeAlias = Callable[[Kind], Callable[[Json], bool]]


def _accepts_nothing(_kind: Kind) -> Callable[[Json], bool]:
    return lambda _item: False


class _Rules(NamedTuple):
    """What the walk goes by; ``accepts`` may say of items that nothing is wrong."""

    limits: Limits
    accepts: _Accepts


def explain(
    kind: Kind, value: Json, limits: Limits, accepts: _Accepts = _accepts_nothing
) -> tuple[Issue, ...]:
    """At most 16 issues, none exactly where the value is right."""
    rules = _Rules(limits, accepts)
    return tuple(islice(_issues(kind, value, (), rules), MAX_ISSUES))


def bound(limits: Limits, most: Bound) -> int:
    """The number that a bound stands for."""
    if isinstance(most, int):
        return most
    number: int = getattr(limits, most)
    return number


def id_fault(text: Json, most: int) -> _Fault | None:
    r"""What keeps a value from being an id, None where nothing does.

    >>> id_fault("calendar-1", 128), id_fault(" ", 128)[0], id_fault("a\x00", 128)[0]
    (None, 'empty', 'bad_text')
    """
    fault = text_fault(text, most, "ink")
    if fault is None and _CONTROL.search(text):
        return "bad_text", "a control character in an id"
    return fault


def text_fault(text: Json, most: int, least: str = "") -> _Fault | None:
    """What is wrong with a text, None where nothing is; ``least`` as in `Text`."""
    if text.__class__ is not str:
        return _wrong("a text", text)
    if least == "any" and not text:
        return "empty", "must hold a character"
    if least == "ink" and not text.strip():
        return "empty", "must hold a character that is no white space"
    if len(text) > most:
        return "too_long", f"has {len(text)} characters, at most {most} are allowed"
    if _SURROGATE.search(text):
        return "bad_text", "a lone surrogate"
    return None


def _wrong(wanted: str, value: Json) -> _Fault:
    return "wrong_type", f"must be {wanted}, and is {_name(value)}"


def _name(value: Json) -> str:
    for cls, name in _NAMES:
        if value.__class__ is cls:
            return name
    return "no JSON value"


def _issues(kind: Kind, value: Json, path: Path, rules: _Rules) -> Iterator[Issue]:
    match kind:
        case Shape():
            yield from _record_issues(kind, value, path, rules)
        case OneOf():
            yield from _one_of_issues(kind, value, path, rules)
        case Many():
            yield from _many_issues(kind, value, path, rules)
        case Guest():
            yield from _guest_issues(kind, value, path, rules)
        case _:
            fault = _scalar_fault(kind, value, rules.limits)
            if fault is not None:
                yield Issue(path, *fault)


def _scalar_fault(  # noqa: PLR0911  one a kind
    kind: Scalar,
    value: Json,
    limits: Limits,
) -> _Fault | None:
    match kind:
        case Id():
            return id_fault(value, limits.id_characters)
        case NodeOrNull():
            return None if value is None else id_fault(value, limits.id_characters)
        case Text(most, least):
            return text_fault(value, bound(limits, most), least)
        case Integer(low, high):
            return _integer_fault(value, low, bound(limits, high))
        case Weight():
            return _weight_fault(value)
        case Flag():
            return None if value.__class__ is bool else _wrong("true or false", value)
        case Word(values):
            return _tag_fault(value, values)
        case _:
            assert_never(kind)


def _integer_fault(value: Json, low: int, high: int) -> _Fault | None:
    if value.__class__ is not int:
        return _wrong("an integer", value)
    if not low <= value <= high:
        return "out_of_range", f"must be from {low} to {high}"
    return None


def _weight_fault(value: Json) -> _Fault | None:
    if value.__class__ is not int and value.__class__ is not float:
        return _wrong("a number", value)
    if not value > 0 or not _has_place(value):
        return "out_of_range", "must be a finite number over 0"
    return None


def _has_place(value: Json) -> bool:
    """Whether a number has a place on the wire: finite, an integer within 2^53 - 1."""
    if value.__class__ is int:
        return -MAX_INTEGER <= value <= MAX_INTEGER
    return isfinite(value)


def _tag_fault(value: Json, values: tuple[str, ...]) -> _Fault | None:
    if value.__class__ is str and value in values:
        return None
    found = quoted(value) if value.__class__ is str else _name(value)
    return "unknown_tag", f"must be {' or '.join(values)}, and is {found}"


def _record_issues(
    shape: Shape, value: Json, path: Path, rules: _Rules
) -> Iterator[Issue]:
    if value.__class__ is not dict:
        yield Issue(path, *_wrong("an object", value))
        return
    for each in shape.fields:
        if each.key in value:
            at = (*path, each.key)
            bad_word = False
            for issue in _issues(each.kind, value[each.key], at, rules):
                yield issue
                bad_word = each.kind.__class__ is Word
            if bad_word:
                return
        elif not each.optional:
            yield Issue((*path, each.key), "missing_field", "is missing")
    known = [each.key for each in shape.fields]
    if shape.tag is not None:
        known.append(shape.tag[0])
    yield from _unknown_issues(value, known, path)


def _unknown_issues(value: Json, known: list[str], path: Path) -> Iterator[Issue]:
    unknown = [key for key in value if key.__class__ is not str or key not in known]
    names = [key if key.__class__ is str else f"<{_name(key)}>" for key in unknown]
    for name in sorted(names):
        yield Issue((*path, name), "unknown_field", "is no field of the protocol")


def _one_of_issues(
    kind: OneOf, value: Json, path: Path, rules: _Rules
) -> Iterator[Issue]:
    if value.__class__ is not dict:
        yield Issue(path, *_wrong("an object", value))
        return
    at = (*path, kind.key)
    if kind.key not in value:
        yield Issue(at, "missing_field", "is missing")
        return
    shapes = {shape.tag[1]: shape for shape in kind.shapes if shape.tag}
    tag = value[kind.key]
    fault = _tag_fault(tag, tuple(shapes))
    if fault is not None:
        yield Issue(at, *fault)
        return
    yield from _record_issues(shapes[tag], value, path, rules)


def _many_issues(kind: Many, value: Json, path: Path, rules: _Rules) -> Iterator[Issue]:
    if kind.kept and value.__class__ is tuple:  # records that were found right before
        return
    if value.__class__ is not list:
        yield Issue(path, *_wrong("a list", value))
        return
    if len(value) < kind.least:
        yield Issue(path, "empty", "must not be empty")
        return
    if kind.most is not None and len(value) > bound(rules.limits, kind.most):
        most = bound(rules.limits, kind.most)
        yield Issue(path, "too_many", f"has {len(value)} items, at most {most} fit")
        return
    is_right = rules.accepts(kind.item)
    for index, item in enumerate(value):
        if not is_right(item):
            yield from _issues(kind.item, item, (*path, index), rules)


def _guest_issues(
    kind: Guest, value: Json, path: Path, rules: _Rules
) -> Iterator[Issue]:
    if value.__class__ is not dict:
        yield Issue(path, *_wrong("an object", value))
        return
    clean = True
    for at, fault in guest_faults(value):
        clean = False
        yield Issue((*path, *at), *fault)
    most = bound(rules.limits, kind.most)
    if clean and len(compact_text(value).encode()) > most:
        yield Issue(path, "too_large", f"over {most} bytes as compact JSON")


def guest_faults(value: Json) -> Iterator[tuple[Path, _Fault]]:
    """What no JSON of others may hold: numbers without a place, lone surrogates."""
    work: list[tuple[Path, Json]] = [((), value)]
    while work:
        path, item = work.pop()
        inner: list[tuple[Path, Json]] = []
        if item.__class__ is dict:
            for key, each in item.items():
                fault = text_fault(key, MAX_INTEGER)
                if fault is not None:
                    yield path, (fault[0], f"a key: {fault[1]}")
                else:
                    inner.append(((*path, key), each))
        elif item.__class__ is list:
            inner = [((*path, index), each) for index, each in enumerate(item)]
        else:
            fault = _atom_fault(item)
            if fault is not None:
                yield path, fault
        work.extend(reversed(inner))


def _atom_fault(item: Json) -> _Fault | None:
    if item.__class__ is str:
        return text_fault(item, MAX_INTEGER)
    if item.__class__ is int or item.__class__ is float:
        if not _has_place(item):
            return "out_of_range", "must be finite, an integer within 2^53 - 1"
        return None
    if item is None or item.__class__ is bool:
        return None
    return _wrong("a JSON value", item)
