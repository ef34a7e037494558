"""Records to JSON text at once, by functions made from the tables of `wire_fields`.

Theory: of the text that `wire_encode` and an encoder of JSON would write, all but the
scalars is known from the table. So each shape gets a function of its own source, which
puts the scalars between the fixed words. Every turn pays for its output and its record,
and this way costs a third of the other. A function takes exact types alone; on anything
else it gives up, and the other way writes the text, which is the same by definition.

This is one of the three files that are low-level for the sake of speed, beside
`wire_text` and `wire_hook_source`. The source holds nothing but names from the tables,
never a text from outside.

In step with: `maelstrom.core.wire_encode`, whose value this is the text of;
`maelstrom.core.json_writer`, whose forms these are.
"""

from collections.abc import Callable
from functools import lru_cache
from json.encoder import encode_basestring, encode_basestring_ascii
from math import isfinite
from typing import Any, Final, NoReturn, TypeAlias, assert_never, cast

from attrs import frozen

from maelstrom.core.json_surrogates import holds_surrogate
from maelstrom.core.json_writer import canonical_text, compact_text, raw_text
from maelstrom.core.wire_encode import encode, is_default
from maelstrom.core.wire_kinds import (
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

__all__ = ["write_canonical", "write_compact"]

_Write: TypeAlias = Callable[[Any], str]


def write_compact(kind: Kind, value: object) -> str:
    """The text that `compact_text` gives of the encoded value."""
    try:
        text = _writer(kind, _COMPACT)(value)
    except _GIVES_UP:
        return compact_text(encode(kind, value))
    return compact_text(encode(kind, value)) if holds_surrogate(text) else text


def write_canonical(kind: Kind, value: object) -> str:
    """The text that `canonical_text` gives of the encoded value."""
    try:
        return _writer(kind, _CANONICAL)(value)
    except _GIVES_UP:
        return canonical_text(encode(kind, value))


@frozen
class _Form:
    """How strings and guests are written, and whether keys are sorted."""

    string: _Write
    guest: _Write
    is_sorted: bool


_COMPACT: Final = _Form(encode_basestring, raw_text, is_sorted=False)
_CANONICAL: Final = _Form(encode_basestring_ascii, canonical_text, is_sorted=True)


class _OddError(ValueError):
    """A value is not exactly of its kind."""


_GIVES_UP: Final = (_OddError, TypeError)
"""A string's encoder raises TypeError where it is given none."""


@lru_cache(maxsize=128)
def _writer(kind: Kind, form: _Form) -> _Write:  # noqa: PLR0911  one a kind
    match kind:
        case Shape():
            return _shape(kind, form)
        case OneOf(shapes=shapes):
            return _one_of({each.record: _writer(each, form) for each in shapes})
        case Many(item=item):
            return _many(_writer(item, form))
        case Id() | Text() | Word():
            return form.string
        case NodeOrNull():
            return lambda value: "null" if value is None else form.string(value)
        case Integer():
            return _integer
        case Weight():
            return _weight
        case Flag():
            return _flag
        case Guest():
            return form.guest
        case _:
            assert_never(kind)


def _shape(shape: Shape, form: _Form) -> _Write:
    """A function of its own source: one f-string for each run of fields always there."""
    names: dict[str, Any] = {"record": shape.record, "odd": _odd}
    lines = ["def write(r):", " if r.__class__ is not record: odd(r)", " t = ''"]
    run = ""
    for place, part in enumerate(_parts(shape, form)):
        if isinstance(part, tuple):
            run += f',"{part[0]}":"{part[1]}"'
            continue
        names[f"write{place}"] = _writer(part.kind, form)
        text = f',"{part.key}":{{{_written(part, place)}}}'
        if not part.optional:
            run += text
            continue
        names |= {"is_default": is_default, f"default{place}": part.default}
        lines += [f" t += f'{run}'", f" if {_stands(part, place)}: t += f'{text}'"]
        run = ""
    lines += [f" t += f'{run}'", " return '{' + t[1:] + '}'"]
    exec("\n".join(lines), names)  # noqa: S102  the source is made of our tables alone
    return cast("_Write", names["write"])


def _parts(shape: Shape, form: _Form) -> list[Field | tuple[str, str]]:
    """The fields, and the tag as its key and word, in the order of the text."""
    parts: list[Field | tuple[str, str]] = [*shape.fields]
    if shape.tag is not None:
        parts.insert(shape.tag_place, shape.tag)
    return sorted(parts, key=_key) if form.is_sorted else parts


def _key(part: Field | tuple[str, str]) -> str:
    return part.key if isinstance(part, Field) else part[0]


def _written(part: Field, place: int) -> str:
    """The expression of a field's text; integers are many, and need no call."""
    value = f"r.{part.attribute}"
    if isinstance(part.kind, Integer):
        return f"{value} if {value}.__class__ is int else odd(r)"
    return f"write{place}({value})"


def _stands(part: Field, place: int) -> str:
    """The condition under which an optional field stands in the text."""
    if part.default is None:
        return f"r.{part.attribute} is not None"
    return f"not is_default(r.{part.attribute}, default{place})"


def _one_of(writers: dict[type[Any], _Write]) -> _Write:
    return lambda value: writers.get(value.__class__, _odd)(value)


def _many(write: _Write) -> _Write:
    def written(values: Any) -> str:
        if values.__class__ is not tuple:
            _odd(values)
        return f"[{','.join(map(write, values))}]"

    return written


def _odd(_value: object) -> NoReturn:
    raise _OddError


def _integer(value: Any) -> str:
    return str(value) if value.__class__ is int else _odd(value)


def _weight(value: Any) -> str:
    if value.__class__ is float and isfinite(value):
        return repr(value)
    return _integer(value)


def _flag(value: object) -> str:
    return "true" if value is True else "false" if value is False else _odd(value)
