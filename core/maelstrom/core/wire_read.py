"""From JSON to the record of a shape, or to what is wrong with it.

Theory: a text is read the quick way (`wire_text`) or exactly (`json_text`), a mapping is
copied (`wire_copy`); the fast hooks then structure the value. Where the hooks refuse, or
hold fewer strings than the text, it is first settled whether a key was named twice, for
that stops everything else; then the tables say what is wrong (`wire_explain`), and pass
over the items of lists that the hooks accept. So a message that is refused costs at most
twice as much as if it had been accepted, however many its faults are.

In step with: `maelstrom.core.wire`, which says what is read, and as what.
"""

from collections.abc import Mapping
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.core.errors import Issue, RequestValidationError
from maelstrom.core.json_strings import strings_of_value
from maelstrom.core.json_text import JsonFault, JsonRules, parse_exactly
from maelstrom.core.json_value import Json
from maelstrom.core.limits import Limits
from maelstrom.core.quoting import quoted
from maelstrom.core.wire_copy import copy_json
from maelstrom.core.wire_explain import MAX_ISSUES, explain, id_fault
from maelstrom.core.wire_hooks import REFUSALS, accepting, converter, structured
from maelstrom.core.wire_kinds import Kind, Shape
from maelstrom.core.wire_text import Read, read_text

__all__ = ["Shaped", "Wire", "read_exactly", "read_message", "refusal", "shape_value"]

Wire: TypeAlias = bytes | str | Mapping[str, Any]
"""JSON from outside: as UTF-8, as a text, or parsed already."""


class Shaped(NamedTuple):
    """A record, and whether its parameter schemas have been found right."""

    record: Any
    schemas_are_right: bool


def read_message(message: Wire, limits: Limits) -> Result[Read, RequestValidationError]:
    """The value of a message, the quick way where that can be."""
    if isinstance(message, bytes | str):
        read = read_text(message, limits)
        if isinstance(read, JsonFault):
            return Failure(_unreadable(read, limits))
        if read is not None:
            return Success(read)
    return read_exactly(message, limits)


def read_exactly(message: Wire, limits: Limits) -> Result[Read, RequestValidationError]:
    """The value of a text or a mapping, no key of which was named twice."""
    if isinstance(message, bytes | str):
        read = parse_exactly(message, _rules(limits))
    else:
        read = copy_json(message, _rules(limits))
    if not is_successful(read):
        return Failure(_unreadable(read.failure(), limits))
    parsed = read.unwrap()
    return Success(Read(parsed.value, "", None, parsed.may_hold_surrogates))


def _rules(limits: Limits) -> JsonRules:
    return JsonRules(max_bytes=limits.message_bytes, max_depth=limits.nesting)


def shape_value(
    read: Read, shape: Shape, kind: Kind, limits: Limits
) -> Result[Shaped, RequestValidationError]:
    """The record of a value, or what is wrong; the hooks look for no lone surrogate."""
    strings: int | None = None
    if not read.may_hold_surrogates:
        try:
            record, strings = structured(shape, read.value, limits)
        except REFUSALS:
            pass  # the tables say why
        else:
            if read.strings in (None, strings):
                return Success(Shaped(record, schemas_are_right=True))
    if read.strings is not None:
        strings = strings_of_value(read.value) if strings is None else strings
        if read.strings != strings:
            return Failure(read_exactly(read.text, limits).failure())
    return _explained(read, shape, kind, limits)


def _explained(
    read: Read, shape: Shape, kind: Kind, limits: Limits
) -> Result[Shaped, RequestValidationError]:
    if read.may_hold_surrogates:
        issues = explain(kind, read.value, limits)
    else:
        issues = explain(kind, read.value, limits, accepting(shape, limits))
    if issues:
        return Failure(refusal(issues, read.value, limits))
    record = converter(shape, limits).structure(read.value, shape.record)
    return Success(Shaped(record, schemas_are_right=False))


def _unreadable(fault: JsonFault, limits: Limits) -> RequestValidationError:
    """Why a text is no value; its ids, where only a key was named twice."""
    issues = tuple(
        Issue(path, fault.code, f"names the key {quoted(key)} twice")
        for path, key in islice(fault.doubles.items(), MAX_ISSUES)
    )
    whole = Issue((), fault.code, fault.message)
    return refusal(issues or (whole,), fault.value, limits)


def refusal(
    issues: tuple[Issue, ...], value: Json, limits: Limits
) -> RequestValidationError:
    """The error of these issues, with the ids that could be read."""
    ids = [
        found if id_fault(found, limits.id_characters) is None else None
        for found in (
            value.get(key) if value.__class__ is dict else None
            for key in ("sessionId", "id")
        )
    ]
    return RequestValidationError(issues, session_id=ids[0], id=ids[1])
