"""Source code of checks: of a scalar, and of what fills a record's slots.

Theory: a check is a line or two of Python that refuse by raising. What nearly all right
values are is tested inline, and only what is odd is handed to the rules of
`wire_explain`, which are exact: so the two cannot disagree.

In step with: `maelstrom.core.wire_hook_source`, which writes hooks out of these.
"""

from functools import partial
from math import inf
from typing import Any, assert_never

import attrs

from maelstrom.core.json_strings import strings_of_value
from maelstrom.core.json_value import Json
from maelstrom.core.json_writer import compact_text
from maelstrom.core.limits import MAX_INTEGER, Limits
from maelstrom.core.schema_guard import verdict_on
from maelstrom.core.wire_explain import bound, guest_faults, id_fault, text_fault
from maelstrom.core.wire_kinds import (
    Bound,
    Flag,
    Guest,
    Id,
    Integer,
    NodeOrNull,
    Scalar,
    Text,
    Weight,
    Word,
)

__all__ = ["RefusedError", "Source"]


class RefusedError(ValueError):
    """The value is not of its shape."""


class Source:
    """Lines of source, and the names that they use."""

    __slots__ = ("limits", "lines", "names", "used")

    def __init__(self, limits: Limits) -> None:
        """Nothing is written yet."""
        self.limits = limits
        self.lines: list[str] = []
        self.names: dict[str, Any] = {
            "Refused": RefusedError,
            "odd_id": partial(_odd_id, limits.id_characters),
            "odd_text": _odd_text,
            "odd_guest": _odd_guest,
            "verdict_on": verdict_on,
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

    def build(self, record: type[Any], made: list[tuple[str, str]], indent: str) -> str:
        """Lines that make a record of checked values; the variable that holds it.

        A frozen record's ``__init__`` sets each slot by its name, against the class's
        own will; that is the most part of what decoding would cost. So an open twin is
        filled, as quickly as any object, and becomes the record by its class. Records
        of the wire have no validator, no converter and no initializer of their own that
        would be passed over.
        """
        new = self.variable()
        self.lines.append(f"{indent}{new} = {self.name(_open_twin(record))}()")
        given = dict(made)
        for each in attrs.fields(record):
            # Who is new is what a request never says: that has its default.
            argument = given.get(each.name) or self.name(each.default)
            self.lines.append(f"{indent}{new}.{each.name} = {argument}")
        self.lines.append(f"{indent}{new}.__class__ = {self.name(record)}")
        return new

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
                return self.schema_lines(value)
            case Guest(most):
                return (
                    f"odd_guest({value}, {bound(self.limits, most)})",
                    f"if count is not None: count(strings_of_value({value}))",
                )
            case _:
                assert_never(kind)

    def schema_lines(self, value: str) -> tuple[str, ...]:
        """A parameter schema is an object, and judged where strings are counted."""
        return (
            f"if {value}.__class__ is not dict: raise Refused",
            "if count is not None:",
            f" verdict = verdict_on({value})",
            " if verdict.fault is not None: raise Refused",
            " count(verdict.strings)",
        )

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


def _open_twin(record: type[Any]) -> type[Any]:
    """A class of the record's layout whose objects can be filled."""
    as_any_object = {
        name: getattr(object, name)
        for name in ("__init__", "__setattr__", "__delattr__")
    }
    return type(record.__name__, (record,), {"__slots__": (), **as_any_object})
