"""The wire format: JSON with camelCase keys outside, frozen records inside.

Theory: bytes, text or a mapping becomes a plain value (`json_text`, `wire_copy`), the
fast hooks structure it (`wire_hooks`), and the rules across fields are looked at
(`coherence`). Where any of the three refuses, `wire_explain` or `coherence` says where
and why, in at most sixteen issues. All of it follows the tables of `wire_fields`;
nothing is coerced, and nothing here raises, whatever comes in.

A message that the app made by hand takes the same way: it is encoded and decoded.

In step with: the protocol's documentation, `maelstrom.core.protocol_schema`.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias, cast

import attrs
from attrs import frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.core.coherence import incoherences
from maelstrom.core.errors import Issue, RequestValidationError
from maelstrom.core.history import SCHEMA_VERSION, Turn
from maelstrom.core.json_text import (
    JsonFault,
    JsonRules,
    Parsed,
    compact_text,
    parse_json,
)
from maelstrom.core.json_value import Json
from maelstrom.core.layout import Layout
from maelstrom.core.limits import MAX_INTEGER, Limits
from maelstrom.core.messages import EngineMessage, EngineOutput
from maelstrom.core.request import ChartRequest
from maelstrom.core.response import MaelstromResponse
from maelstrom.core.wire_copy import copy_json
from maelstrom.core.wire_encode import encode
from maelstrom.core.wire_explain import MAX_ISSUES, explain, id_fault
from maelstrom.core.wire_fields import (
    MESSAGE,
    OUTPUT,
    REQUEST,
    RESPONSE,
    RESPONSE_LAYOUT,
    TURN,
)
from maelstrom.core.wire_hooks import REFUSALS, converter
from maelstrom.core.wire_kinds import Kind, OneOf, Shape
from maelstrom.core.wire_results import (
    candidate_from_json,
    encode_candidate,
    encode_error,
    encode_healed,
    encode_issue,
)

__all__ = [
    "TurnFault",
    "candidate_from_json",
    "check_message",
    "decode_message",
    "decode_output",
    "decode_request",
    "decode_turn",
    "encode_candidate",
    "encode_error",
    "encode_healed",
    "encode_issue",
    "encode_layout",
    "encode_message",
    "encode_output",
    "encode_request",
    "encode_response",
    "encode_turn",
    "turn_from_text",
    "turn_to_text",
]

Wire: TypeAlias = bytes | str | Mapping[str, Any]
_DEFAULTS: Final = Limits()
_STORED: Final = Limits(
    **{
        each.name: MAX_INTEGER
        for each in attrs.fields(Limits)
        if each.name != "nesting"
    }
)
"""A stored turn was bounded when it was made, by limits that may have changed since."""

_REQUEST: Final = OneOf("type", (REQUEST,))


@frozen
class TurnFault:
    """Why a stored turn cannot be read, as the kind of a `HistoryError`."""

    kind: Literal["corrupt", "newer_version"]
    message: str


def decode_message(
    message: Wire, limits: Limits = _DEFAULTS
) -> Result[EngineMessage, RequestValidationError]:
    """A message from outside as a record, or what is wrong with it.

    Shape comes first: rules across fields are looked at only where it is right.

    Args:
        message: JSON text, or a mapping of plain JSON values (dict, list, str, int,
            float, bool, None).
        limits: How much is taken in.

    Returns:
        The message; or the error, with all issues up to the sixteenth.

    >>> decode_message('{"sessionId": "s"').failure().issues[0].code
    'malformed_json'
    """
    read = _read(message, limits)
    if not is_successful(read):
        return Failure(_unreadable(message, read.failure(), limits))
    parsed = read.unwrap()
    shaped = _structured(MESSAGE, MESSAGE, parsed, limits)
    if not is_successful(shaped):
        return Failure(_refusal(shaped.failure(), parsed.value, limits))
    record: EngineMessage = shaped.unwrap()
    issues = incoherences(record.payload, ("payload",))
    if issues:
        issues = explain(MESSAGE, parsed.value, limits) or issues
        return Failure(_refusal(issues, parsed.value, limits))
    return Success(record)


def check_message(
    message: EngineMessage, limits: Limits = _DEFAULTS
) -> Result[EngineMessage, RequestValidationError]:
    """A message made by hand, under all the rules of one from outside."""
    return decode_message(encode(MESSAGE, message), limits)


def decode_request(
    request: Wire, limits: Limits = _DEFAULTS
) -> Result[ChartRequest, RequestValidationError]:
    """A bare request, without its envelope; paths start at its own fields."""
    read = _read(request, limits)
    if not is_successful(read):
        return Failure(_unreadable(request, read.failure(), limits))
    parsed = read.unwrap()
    shaped = _structured(REQUEST, _REQUEST, parsed, limits)
    if not is_successful(shaped):
        return Failure(RequestValidationError(shaped.failure()))
    record: ChartRequest = shaped.unwrap()
    issues = incoherences(record)
    if issues:
        issues = explain(_REQUEST, parsed.value, limits) or issues
        return Failure(RequestValidationError(issues))
    return Success(record)


def decode_output(
    output: Wire, limits: Limits = _DEFAULTS
) -> Result[EngineOutput, RequestValidationError]:
    """An output as a client reads it: its shape alone, for the engine made it."""
    read = _read(output, limits)
    if not is_successful(read):
        return Failure(_unreadable(output, read.failure(), limits))
    parsed = read.unwrap()
    shaped = _structured(OUTPUT, OUTPUT, parsed, limits)
    if not is_successful(shaped):
        return Failure(_refusal(shaped.failure(), parsed.value, limits))
    return Success(cast("EngineOutput", shaped.unwrap()))


def decode_turn(turn: Wire) -> Result[Turn, TurnFault]:
    """A stored turn; one of a newer version is told from one that is broken."""
    read = _read(turn, _STORED)
    if not is_successful(read):
        return Failure(TurnFault("corrupt", read.failure().message))
    parsed = read.unwrap()
    if parsed.value.__class__ is dict:
        version = parsed.value.get("schema")
        if version.__class__ is int and version > SCHEMA_VERSION:
            message = (
                f"written as version {version}, this release reads {SCHEMA_VERSION}"
            )
            return Failure(TurnFault("newer_version", message))
    shaped = _structured(TURN, TURN, parsed, _STORED)
    if not is_successful(shaped):
        first = shaped.failure()[0]
        where = ".".join(str(part) for part in first.path)
        return Failure(TurnFault("corrupt", f"{where}: {first.message}"))
    return Success(cast("Turn", shaped.unwrap()))


def turn_from_text(text: bytes | str) -> Result[Turn, TurnFault]:
    """A stored turn from its JSON text."""
    return decode_turn(text)


def turn_to_text(turn: Turn) -> str:
    """A turn as compact JSON text, the same for equal turns."""
    return compact_text(encode_turn(turn))


def encode_message(message: EngineMessage) -> dict[str, Json]:
    """A message as JSON; fields at their default are left out."""
    return cast("dict[str, Json]", encode(MESSAGE, message))


def encode_request(request: ChartRequest) -> dict[str, Json]:
    """A request as JSON, without an envelope."""
    return cast("dict[str, Json]", encode(REQUEST, request))


def encode_output(output: EngineOutput) -> dict[str, Json]:
    """An output as JSON."""
    return cast("dict[str, Json]", encode(OUTPUT, output))


def encode_response(response: MaelstromResponse) -> dict[str, Json]:
    """A response as JSON, without an envelope."""
    return cast("dict[str, Json]", encode(RESPONSE, response))


def encode_layout(layout: Layout) -> dict[str, Json]:
    """A layout as JSON, new instances named as in a response."""
    return cast("dict[str, Json]", encode(RESPONSE_LAYOUT, layout))


def encode_turn(turn: Turn) -> dict[str, Json]:
    """A turn as JSON, as stores and the server's history hold it."""
    return cast("dict[str, Json]", encode(TURN, turn))


# ---------------------------------------------------------------- the way in


def _read(message: Wire, limits: Limits) -> Result[Parsed, JsonFault]:
    rules = JsonRules(max_bytes=limits.message_bytes, max_depth=limits.nesting)
    if isinstance(message, bytes | str):
        return parse_json(message, rules)
    return copy_json(message, rules)


def _structured(
    shape: Shape, kind: Kind, parsed: Parsed, limits: Limits
) -> Result[Any, tuple[Issue, ...]]:
    """The record, or what is wrong; the hooks look for no lone surrogate."""
    structure = converter(shape, limits).structure
    if not parsed.may_hold_surrogates:
        try:
            return Success(structure(parsed.value, shape.record))
        except REFUSALS:
            pass  # the tables say why
    issues = explain(kind, parsed.value, limits)
    return Failure(issues) if issues else Success(structure(parsed.value, shape.record))


def _unreadable(
    message: Wire, fault: JsonFault, limits: Limits
) -> RequestValidationError:
    """Why a text is no value; its ids, where only a key was named twice."""
    issues = tuple(
        Issue(path, fault.code, fault.message) for path in fault.paths[:MAX_ISSUES]
    )
    if fault.code != "duplicate_key" or not isinstance(message, bytes | str):
        return RequestValidationError(issues)
    again = parse_json(
        message, JsonRules(max_depth=limits.nesting, first_key_wins=True)
    )
    return _refusal(issues, again.unwrap().value, limits)


def _refusal(
    issues: tuple[Issue, ...], value: Json, limits: Limits
) -> RequestValidationError:
    ids = [
        found if id_fault(found, limits.id_characters) is None else None
        for found in (
            value.get(key) if value.__class__ is dict else None
            for key in ("sessionId", "id")
        )
    ]
    return RequestValidationError(issues, session_id=ids[0], id=ids[1])
