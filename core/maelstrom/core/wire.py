"""The wire format: JSON with camelCase keys outside, frozen records inside.

Theory: bytes, text or a mapping becomes a record of one shape (`wire_read`), and the
rules across fields are looked at (`coherence`). Where either refuses, it says where and
why, in at most sixteen issues. All of it follows the tables of `wire_fields`; nothing is
coerced, and nothing here raises, whatever comes in. A catalogue that was accepted is
known by its text in later messages (`catalogue_memory`), which changes nothing but the
time they take.

A message that the app made by hand takes the same way: it is encoded and decoded, but
for a request that was decoded just before (`checked_requests`).

In step with: the protocol's documentation, `maelstrom.core.protocol_schema`.
"""

from typing import Any, Final, Literal, cast

import attrs
from attrs import frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.core.catalogue_memory import KnownCatalogue
from maelstrom.core.checked_requests import CheckedRequests
from maelstrom.core.coherence import Offer, incoherences, offered
from maelstrom.core.errors import RequestValidationError
from maelstrom.core.history import SCHEMA_VERSION, Turn
from maelstrom.core.json_value import Json
from maelstrom.core.layout import Layout
from maelstrom.core.limits import MAX_INTEGER, Limits
from maelstrom.core.messages import EngineMessage, EngineOutput
from maelstrom.core.request import ChartRequest
from maelstrom.core.response import MaelstromResponse
from maelstrom.core.vessel import Vessel
from maelstrom.core.wire_encode import encode
from maelstrom.core.wire_fields import (
    ENVELOPE,
    MESSAGE,
    OUTPUT,
    REQUEST,
    RESPONSE,
    RESPONSE_LAYOUT,
    TURN,
)
from maelstrom.core.wire_kinds import Kind, OneOf, Shape
from maelstrom.core.wire_read import (
    Shaped,
    Wire,
    read_exactly,
    read_message,
    refusal,
    shape_value,
)
from maelstrom.core.wire_results import (
    candidate_from_json,
    encode_candidate,
    encode_error,
    encode_healed,
    encode_issue,
)
from maelstrom.core.wire_text import MEMORY, Read
from maelstrom.core.wire_write import write_compact

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
    "output_to_text",
    "turn_from_text",
    "turn_to_text",
]

_DEFAULTS: Final = Limits()
_STORED: Final = Limits(
    **{
        each.name: MAX_INTEGER
        for each in attrs.fields(Limits)
        if each.name != "nesting"
    }
)
"""A stored turn was bounded when it was made, by limits that may have changed since."""

_CHECKED: Final = CheckedRequests()
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
    reading = read_message(message, limits)
    if not is_successful(reading):
        return Failure(reading.failure())
    read = reading.unwrap()
    shaped = shape_value(read, MESSAGE, MESSAGE, limits)
    if not is_successful(shaped):
        return Failure(shaped.failure())
    record, schemas_are_right = shaped.unwrap()
    offer = _offer(read, record.payload.vessels, schemas_are_right)
    issues = incoherences(record.payload, ("payload",), offer)
    if issues:
        return Failure(refusal(issues, read.value, limits))
    if read.array is not None and offer is not None:
        vessels = record.payload.vessels
        MEMORY.keep(KnownCatalogue(read.array, limits, vessels, offer))
    _CHECKED.add(record.payload, limits)
    return Success(record)


def _offer(
    read: Read, vessels: tuple[Vessel, ...], schemas_are_right: bool
) -> Offer | None:
    if read.known is not None:
        return read.known.offer
    return offered(vessels) if schemas_are_right else None


def check_message(
    message: EngineMessage, limits: Limits = _DEFAULTS
) -> Result[EngineMessage, RequestValidationError]:
    """A message made by hand, under all the rules of one from outside.

    A request that `decode_message` has just made is not looked at again.
    """
    if message.__class__ is not EngineMessage or not _CHECKED.knows(
        message.payload, limits
    ):
        return decode_message(encode(MESSAGE, message), limits)
    shaped = _decode(encode(ENVELOPE, message), ENVELOPE, ENVELOPE, limits)
    if not is_successful(shaped):
        return Failure(shaped.failure())
    return Success(attrs.evolve(shaped.unwrap(), payload=message.payload))


def decode_request(
    request: Wire, limits: Limits = _DEFAULTS
) -> Result[ChartRequest, RequestValidationError]:
    """A bare request, without its envelope; paths start at its own fields."""
    shaped = _decode(request, REQUEST, _REQUEST, limits)
    if not is_successful(shaped):
        return Failure(attrs.evolve(shaped.failure(), session_id=None, id=None))
    record: ChartRequest = shaped.unwrap()
    issues = incoherences(record)
    return Failure(RequestValidationError(issues)) if issues else Success(record)


def decode_output(
    output: Wire, limits: Limits = _DEFAULTS
) -> Result[EngineOutput, RequestValidationError]:
    """An output as a client reads it: its shape alone, for the engine made it."""
    return _decode(output, OUTPUT, OUTPUT, limits)


def decode_turn(turn: Wire) -> Result[Turn, TurnFault]:
    """A stored turn; one of a newer version is told from one that is broken."""
    reading = read_exactly(turn, _STORED)
    if not is_successful(reading):
        return Failure(TurnFault("corrupt", reading.failure().issues[0].message))
    read = reading.unwrap()
    if read.value.__class__ is dict:
        version = read.value.get("schema")
        if version.__class__ is int and version > SCHEMA_VERSION:
            message = (
                f"written as version {version}, this release reads {SCHEMA_VERSION}"
            )
            return Failure(TurnFault("newer_version", message))
    shaped = shape_value(read, TURN, TURN, _STORED)
    if not is_successful(shaped):
        first = shaped.failure().issues[0]
        where = ".".join(str(part) for part in first.path)
        return Failure(TurnFault("corrupt", f"{where}: {first.message}"))
    return Success(cast("Turn", shaped.unwrap().record))


def _decode(
    message: Wire, shape: Shape, kind: Kind, limits: Limits
) -> Result[Any, RequestValidationError]:
    reading = read_exactly(message, limits)
    if not is_successful(reading):
        return Failure(reading.failure())
    shaped = shape_value(reading.unwrap(), shape, kind, limits)
    return shaped.map(_record)


def _record(shaped: Shaped) -> Any:
    return shaped.record


def turn_from_text(text: bytes | str) -> Result[Turn, TurnFault]:
    """A stored turn from its JSON text."""
    return decode_turn(text)


def turn_to_text(turn: Turn) -> str:
    """A turn as compact JSON text, the same for equal turns."""
    return write_compact(TURN, turn)


def encode_message(message: EngineMessage) -> dict[str, Json]:
    """A message as JSON; fields at their default are left out."""
    return cast("dict[str, Json]", encode(MESSAGE, message))


def encode_request(request: ChartRequest) -> dict[str, Json]:
    """A request as JSON, without an envelope."""
    return cast("dict[str, Json]", encode(REQUEST, request))


def encode_output(output: EngineOutput) -> dict[str, Json]:
    """An output as JSON."""
    return cast("dict[str, Json]", encode(OUTPUT, output))


def output_to_text(output: EngineOutput) -> str:
    """An output as compact JSON text."""
    return write_compact(OUTPUT, output)


def encode_response(response: MaelstromResponse) -> dict[str, Json]:
    """A response as JSON, without an envelope."""
    return cast("dict[str, Json]", encode(RESPONSE, response))


def encode_layout(layout: Layout) -> dict[str, Json]:
    """A layout as JSON, new instances named as in a response."""
    return cast("dict[str, Json]", encode(RESPONSE_LAYOUT, layout))


def encode_turn(turn: Turn) -> dict[str, Json]:
    """A turn as JSON, as stores and the server's history hold it."""
    return cast("dict[str, Json]", encode(TURN, turn))
