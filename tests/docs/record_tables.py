"""The records of the wire as tables for people, from the tables of `wire_fields`."""

from collections.abc import Iterator
from typing import assert_never

from maelstrom.core.limits import MAX_INTEGER, Limits
from maelstrom.core.wire_encode import encode
from maelstrom.core.wire_fields import MESSAGE, OUTPUT, TURN
from maelstrom.core.wire_kinds import (
    Bound,
    Field,
    Flag,
    Guest,
    Id,
    Integer,
    Kind,
    Many,
    NodeOrNull,
    OneOf,
    Shape,
    Text,
    Weight,
    Word,
)
from tests.docs.marked import table

__all__ = ["record_tables", "shapes"]

_HEAD = ("key", "value", "presence")
_LIMITS = Limits()
_LEAST = {"": "", "any": ", not empty", "ink": ", not all white space"}


def shapes() -> dict[str, list[Shape]]:
    """Every shape that a message, an output or a turn can hold, by its record's name."""
    found: dict[str, list[Shape]] = {}
    for shape in (MESSAGE, OUTPUT, TURN):
        for each in _within(shape):
            known = found.setdefault(each.record.__name__, [])
            if each not in known:
                known.append(each)
    return found


def record_tables() -> dict[str, str]:
    """A table for each record, by the name that its mark has."""
    return {
        f"record {name}": table(_HEAD, _rows(known)) for name, known in shapes().items()
    }


def _within(kind: Kind) -> Iterator[Shape]:
    if isinstance(kind, Shape):
        yield kind
        for field in kind.fields:
            yield from _within(field.kind)
    elif isinstance(kind, OneOf):
        for shape in kind.shapes:
            yield from _within(shape)
    elif isinstance(kind, Many):
        yield from _within(kind.item)


def _rows(known: list[Shape]) -> Iterator[tuple[str, str, str]]:
    """The rows of a record: of the shape that has the most, the others having less."""
    fullest = max(known, key=lambda shape: len(shape.fields))
    everywhere = set.intersection(*({f.key for f in s.fields} for s in known))
    rows = [
        (f"`{field.key}`", words(field.kind), _presence(field, everywhere))
        for field in fullest.fields
    ]
    if fullest.tag is not None:
        key, word = fullest.tag
        rows.insert(fullest.tag_place, (f"`{key}`", f'`"{word}"`', "required"))
    yield from rows


def _presence(field: Field, everywhere: set[str]) -> str:
    if field.key not in everywhere:
        return "in a response, on a new instance"
    if not field.optional:
        return "required"
    if field.default is None:
        return "optional"
    return f"optional: {_default(field)}"


def _default(field: Field) -> str:
    if field.default == ():
        return "none"
    if isinstance(field.default, bool):
        return f"`{str(field.default).lower()}`"
    return ", ".join(
        f"{key} {value}" for key, value in encode(field.kind, field.default).items()
    )


def _most(most: Bound) -> str:
    number = getattr(_LIMITS, most) if isinstance(most, str) else most
    return "2^53 - 1" if number == MAX_INTEGER else f"{number:,}"


def words(kind: Kind) -> str:
    """What a value must be, in words.

    >>> words(Many(Id(), "plan_entries", 1))
    'list of ids, 1 to 200'
    """
    match kind:
        case Id():
            return "id"
        case Text(most=most, least=least):
            bounded = (
                "" if most == MAX_INTEGER else f", at most {_most(most)} characters"
            )
            return f"text{_LEAST[least]}{bounded}"
        case Integer(low=low, high=high):
            if low == -MAX_INTEGER:
                return "integer"
            return f"integer from {low} to {_most(high)}"
        case Weight():
            return "finite number over 0"
        case Flag():
            return "true or false"
        case Word(values=values):
            return " or ".join(f'`"{value}"`' for value in values)
        case Guest(judged=True):
            return "JSON Schema of an object, see below"
        case Guest(most=most):
            return "object" + (
                "" if most == MAX_INTEGER else f", at most {_most(most)} bytes"
            )
        case NodeOrNull():
            return "id of a node, or null"
        case Many():
            return _list(kind)
        case Shape(record=record):
            return f"[{record.__name__}](#{record.__name__.lower()})"
        case OneOf(key=key, shapes=members):
            names = " or ".join(words(shape) for shape in members)
            return names if len(members) == 1 else f"{names}, by `{key}`"
        case _:
            assert_never(kind)


def _list(many: Many) -> str:
    item = "ids" if isinstance(many.item, Id) else words(many.item)
    if many.most is None:
        return f"list of {item}" + (f", {many.least} or more" if many.least else "")
    most = _most(many.most)
    span = f"{many.least} to {most}" if many.least else f"at most {most}"
    return f"list of {item}, {span}"
