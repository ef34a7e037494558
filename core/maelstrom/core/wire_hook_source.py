"""The source of a structuring hook: the tables of `wire_fields` as straight code.

Theory: what a hook has to check is known from the table, so it is written out once, as
Python, with every check inlined (``v.__class__ is int``: a bool is no int), small
records of a field built in place, and unknown keys found by counting. An interpreter of
the tables would take three times as long for each message.

The source holds nothing but names from the tables and numbers from the limits, never a
text from outside.

Strings are counted where ``count`` is given: what the table fixes by what holds it, in
one sum, the rest by the value that varies. A record whose number is fixed counts
nothing itself.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from math import inf
from typing import Any, Final, NamedTuple, TypeAlias, assert_never

import attrs

from maelstrom.core.json_strings import strings_of_value
from maelstrom.core.json_text import compact_text
from maelstrom.core.json_value import Json
from maelstrom.core.limits import MAX_INTEGER, Limits
from maelstrom.core.schema_guard import schema_strings
from maelstrom.core.wire_explain import bound, guest_faults, id_fault, text_fault
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
    Scalar,
    Shape,
    Text,
    Weight,
    Word,
)

__all__ = ["Hook", "RefusedError", "hook_of"]

Hook: TypeAlias = Callable[..., Any]


class RefusedError(ValueError):
    """The value is not of its shape."""


_SHARED: Final = 4_096
"""Sizes and cells that are kept: they are few, and equal ones can be the same."""


def hook_of(shape: Shape, limits: Limits, inner: Callable[[type[Any]], Hook]) -> Hook:
    """The hook of a shape; ``inner`` gives those of the records inside it."""
    writer = _Writer(limits, inner)
    value = writer.record(shape, "o")
    lines = ["def hook(o, _=None, count=None):", *writer.lines, f" return {value}"]
    scope = dict(writer.names)
    exec("\n".join(lines), scope)  # noqa: S102  the source is made of our tables alone
    hook: Hook = scope["hook"]
    return hook


def _fixed(kind: Kind) -> int | None:
    """The strings of a right value of the kind, None where that varies."""
    match kind:
        case Id() | Text() | Word():
            return 1
        case Integer() | Weight() | Flag():
            return 0
        case Shape(fields=fields, tag=tag):
            total = 2 * bool(tag)
            for each in fields:
                inner = None if each.optional else _fixed(each.kind)
                if inner is None:
                    return None
                total += 1 + inner
            return total
        case _:
            return None


class _Seen(NamedTuple):
    """The expressions of how many keys an object should have, and of its strings."""

    keys: str
    strings: str


class _Writer:
    """Writes the source of one hook: its lines, and the names that they use."""

    __slots__ = ("inner", "limits", "lines", "names", "used")

    def __init__(self, limits: Limits, inner: Callable[[type[Any]], Hook]) -> None:
        self.limits = limits
        self.inner = inner
        self.lines: list[str] = []
        self.names: dict[str, Any] = {
            "Refused": RefusedError,
            "create": object.__new__,
            "odd_id": partial(_odd_id, limits.id_characters),
            "odd_text": _odd_text,
            "odd_guest": _odd_guest,
            "judge": _judge,
            "strings_of_value": strings_of_value,
            "Infinity": inf,
        }
        self.used = 0

    def name(self, meaning: Any) -> str:
        """A fresh name that stands for something of ours."""
        self.used += 1
        self.names[f"n{self.used}"] = meaning
        return f"n{self.used}"

    def variable(self) -> str:
        """A fresh local variable."""
        self.used += 1
        return f"v{self.used}"

    def refuse(self, condition: str, indent: str) -> None:
        """A line that refuses where the condition holds."""
        self.lines.append(f"{indent}if {condition}: raise Refused")

    def count(self, strings: str, indent: str) -> None:
        """A line that counts strings, where they are asked for."""
        self.lines.append(f"{indent}if count is not None: count({strings})")

    def record(
        self, shape: Shape, value: str, indent: str = " ", counted: bool = True
    ) -> str:
        """Checks of an object and its fields; the expression that makes the record.

        One that is not ``counted`` is of fixed strings, and who holds it knows them.
        """
        required = [each for each in shape.fields if not each.optional]
        closed = len(required) == len(shape.fields)
        tagged = bool(shape.tag)
        strings = 2 * tagged + sum(1 + (_fixed(each.kind) or 0) for each in required)
        keys = len(required) + tagged
        self.refuse(f"{value}.__class__ is not dict", indent)
        seen = _Seen(str(keys), str(strings))
        if not closed:
            seen = _Seen(self.variable(), self.variable())
            self.lines.append(
                f"{indent}{seen.keys}, {seen.strings} = {keys}, {strings}"
            )
        if shape.tag is not None:
            key, word = shape.tag
            self.refuse(f"{value}[{key!r}] != {word!r}", indent)
        made = [
            (each.attribute, self.field(each, value, seen, indent))
            for each in shape.fields
        ]
        self.refuse(f"len({value}) != {seen.keys}", indent)
        if counted:
            self.count(seen.strings, indent)
        if all(each.kind.__class__ is Integer for each in shape.fields):
            shared = self.name(lru_cache(maxsize=_SHARED)(shape.record))
            return f"{shared}({', '.join(argument for _, argument in made)})"
        return self.build(shape.record, made, indent)

    def build(self, record: type[Any], made: list[tuple[str, str]], indent: str) -> str:
        """Lines that fill the slots of a new record; the variable that holds it.

        A frozen record's ``__init__`` sets each slot by its name; setting them by their
        descriptors takes half the time. Records of the wire have no validator, no
        converter and no initializer of their own that would be passed over.
        """
        new = self.variable()
        self.lines.append(f"{indent}{new} = create({self.name(record)})")
        for attribute, argument in made:
            put = self.name(getattr(record, attribute).__set__)
            self.lines.append(f"{indent}{put}({new}, {argument})")
        shaped = [attribute for attribute, _ in made]
        for each in attrs.fields(record):
            if each.name not in shaped:  # who is new, which a request never says
                put = self.name(getattr(record, each.name).__set__)
                self.lines.append(f"{indent}{put}({new}, {self.name(each.default)})")
        return new

    def field(self, each: Field, outer: str, seen: "_Seen", indent: str) -> str:
        """Checks of one field; the expression of its value."""
        found = self.variable()
        if not each.optional:
            self.lines.append(f"{indent}{found} = {outer}[{each.key!r}]")
            return self.value(each.kind, found, indent)
        default = self.name(each.default)
        self.lines += [
            f"{indent}if {each.key!r} in {outer}:",
            f"{indent} {seen.keys} += 1",
            f"{indent} {seen.strings} += {1 + (_fixed(each.kind) or 0)}",
            f"{indent} {found} = {outer}[{each.key!r}]",
        ]
        made = self.value(each.kind, found, indent + " ")
        self.lines += [
            f"{indent} {found} = {made}",
            f"{indent}else: {found} = {default}",
        ]
        return found

    def value(self, kind: Kind, value: str, indent: str) -> str:
        """Checks of a value; the expression of what it becomes."""
        match kind:
            case Shape():
                return self.record(kind, value, indent, counted=_fixed(kind) is None)
            case OneOf():
                self.refuse(f"{value}.__class__ is not dict", indent)
                return self.tagged(kind, value)
            case Many(kept=True):
                self.lines.append(f"{indent}if {value}.__class__ is not tuple:")
                made = self.many(kind, value, indent + " ")
                self.lines.append(f"{indent} {value} = {made}")
                return value
            case Many():
                return self.many(kind, value, indent)
            case _:
                self.lines += [indent + line for line in self.scalar(kind, value)]
                return value

    def scalar(  # noqa: PLR0911  one a kind
        self, kind: Scalar | Guest, value: str
    ) -> tuple[str, ...]:
        """Lines that refuse a value that is no right scalar."""
        match kind:
            case Id():
                return (self.id_line(value),)
            case NodeOrNull():
                return (
                    f"if {value} is not None:",
                    f" {self.id_line(value)}",
                    " if count is not None: count(1)",
                )
            case Text(most, least):
                return (self.text_line(value, most, least),)
            case Integer(low, high):
                high = bound(self.limits, high)
                wrong = f"not {low} <= {value} <= {high}"
                return (f"if {value}.__class__ is not int or {wrong}: raise Refused",)
            case Weight():
                return (
                    f"if {value}.__class__ is int:",
                    f" if not 0 < {value} <= {MAX_INTEGER}: raise Refused",
                    f"elif {value}.__class__ is not float: raise Refused",
                    f"elif not 0 < {value} < Infinity: raise Refused",
                )
            case Flag():
                return (f"if {value}.__class__ is not bool: raise Refused",)
            case Word(values):
                wrong = f"{value} not in {values!r}"
                return (f"if {value}.__class__ is not str or {wrong}: raise Refused",)
            case Guest(judged=True):
                return (
                    f"if {value}.__class__ is not dict: raise Refused",
                    f"if count is not None: judge({value}, count)",
                )
            case Guest(most):
                return (
                    f"odd_guest({value}, {bound(self.limits, most)})",
                    f"if count is not None: count(strings_of_value({value}))",
                )
            case _:
                assert_never(kind)

    def id_line(self, value: str) -> str:
        """Most ids are printable and start with no space; the odd ones are looked at.

        A text that is not printable may still be an id. A printable one has no control
        character, no surrogate, and no white space but the space.
        """
        most = self.limits.id_characters
        plain = f"{value} >= '!' and len({value}) <= {most} and {value}.isprintable()"
        return f"if {value}.__class__ is not str or not ({plain}): odd_id({value})"

    def text_line(self, value: str, most: Bound, least: str) -> str:
        """Most texts start with a visible ASCII character; the others are looked at."""
        limit = bound(self.limits, most)
        plain = f"len({value}) <= {limit}"
        if least:
            plain += f" and '!' <= {value} < '\x7f'"
        look = f"odd_text({value}, {limit}, {least!r})"
        return f"if {value}.__class__ is not str or not ({plain}): {look}"

    def tagged(self, kind: OneOf, value: str) -> str:
        """The record that the word under the key asks for."""
        hooks = {
            shape.tag[1]: self.inner(shape.record) for shape in kind.shapes if shape.tag
        }
        return f"{self.name(hooks)}[{value}[{kind.key!r}]]({value}, None, count)"

    def many(self, kind: Many, value: str, indent: str) -> str:
        """A list's items as a tuple."""
        wrong = [f"{value}.__class__ is not list"]
        if kind.most is not None:
            wrong.append(f"len({value}) > {bound(self.limits, kind.most)}")
        if kind.least:
            wrong.append(f"len({value}) < {kind.least}")
        self.refuse(" or ".join(wrong), indent)
        fixed = _fixed(kind.item)
        if fixed is not None:
            self.count(f"{fixed} * len({value})", indent)
        item = self.variable()
        match kind.item:
            case Shape(record=record):
                hook = self.name(self.inner(record))
                rest = "" if fixed is not None else ", None, count"
                each = f"{hook}({item}{rest})"
            case OneOf():
                each = self.tagged(kind.item, item)
            case _:
                self.lines.append(f"{indent}for {item} in {value}:")
                self.value(kind.item, item, indent + " ")
                return f"tuple({value})"
        return f"tuple([{each} for {item} in {value}])"


def _odd_id(most: int, value: Json) -> None:
    if id_fault(value, most) is not None:
        raise RefusedError


def _odd_text(value: Json, most: int, least: str) -> None:
    if text_fault(value, most, least) is not None:
        raise RefusedError


def _odd_guest(value: Json, most: int) -> None:
    fits = value.__class__ is dict and next(guest_faults(value), None) is None
    if not fits or len(compact_text(value).encode()) > most:
        raise RefusedError


def _judge(schema: Json, count: Callable[[int], None]) -> None:
    strings = schema_strings(schema)
    if strings is None:
        raise RefusedError
    count(strings)
