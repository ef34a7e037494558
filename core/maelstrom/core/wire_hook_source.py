"""The source of a structuring hook: the tables of `wire_fields` as straight code.

Theory: what a hook has to check is known from the table, so it is written out once, as
Python, with every check inlined (``v.__class__ is int``: a bool is no int), records of a
field built in place, and unknown keys found by counting. An interpreter of the tables
would take three times as long for each message; that is why this is one of the three
files that are low-level for the sake of speed, beside `wire_text` and `wire_write`.

The source holds nothing but names from the tables and numbers from the limits, never a
text from outside.

Strings are counted where ``count`` is given: what the table fixes by what holds it, in
one sum, the rest by the value that varies. A record whose number is fixed is given no
``count``.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from maelstrom.core.limits import Limits
from maelstrom.core.wire_explain import bound
from maelstrom.core.wire_kinds import (
    Field,
    Flag,
    Id,
    Integer,
    Kind,
    Many,
    OneOf,
    Shape,
    Text,
    Weight,
    Word,
)
from maelstrom.core.wire_source import RefusedError, Source

__all__ = ["Hook", "hook_of"]

_SHARED: Final = 4_096
"""Sizes and cells that are kept: they are few, and equal ones can be the same. They are
looked up once their integers were told from True and 1.0."""

Hook: TypeAlias = Callable[..., Any]


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


class _Writer(Source):
    """Writes the source of one hook."""

    __slots__ = ("inner",)

    def __init__(self, limits: Limits, inner: Callable[[type[Any]], Hook]) -> None:
        super().__init__(limits)
        self.inner = inner

    def record(
        self, shape: Shape, value: str, indent: str = " ", counted: bool = True
    ) -> str:
        """Checks of an object and its fields; the expression that makes the record.

        One that is not ``counted`` is of fixed strings, and who holds it knows them.
        """
        if not counted and all(isinstance(each.kind, Integer) for each in shape.fields):
            return self.integers(shape, value, indent)
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
        return self.build(shape.record, made, indent)

    def integers(self, shape: Shape, value: str, indent: str) -> str:
        """Checks of a record of integers alone; the look-up that gives it.

        For a look-up True, 1 and 1.0 are one, so they are told apart before it.
        """
        self.refuse(f"{value}.__class__ is not dict", indent)
        self.refuse(f"len({value}) != {len(shape.fields)}", indent)
        held = []
        for each in shape.fields:
            held.append(self.variable())
            self.lines.append(f"{indent}{held[-1]} = {value}[{each.key!r}]")
            self.refuse(f"{held[-1]}.__class__ is not int", indent)
        make = self.name(_kept_integers(shape, self.limits))
        return f"{make}({', '.join(held)})"

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
            case Shape():
                items = self.variable()
                self.lines += [
                    f"{indent}{items} = []",
                    f"{indent}for {item} in {value}:",
                ]
                each = self.value(kind.item, item, indent + " ")
                self.lines.append(f"{indent} {items}.append({each})")
                return f"tuple({items})"
            case OneOf():
                each = self.tagged(kind.item, item)
                return f"tuple([{each} for {item} in {value}])"
            case _:
                self.lines.append(f"{indent}for {item} in {value}:")
                self.value(kind.item, item, indent + " ")
                return f"tuple({value})"


def _kept_integers(shape: Shape, limits: Limits) -> Hook:
    ranges = [
        (each.kind.low, bound(limits, each.kind.high))
        for each in shape.fields
        if isinstance(each.kind, Integer)
    ]

    @lru_cache(maxsize=_SHARED)
    def make(*values: int) -> Any:
        for value, (low, high) in zip(values, ranges, strict=True):
            if not low <= value <= high:
                raise RefusedError
        return shape.record(*values)

    return make
