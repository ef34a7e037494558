"""One engine call as an HTTP exchange, for whatever framework the app uses.

Theory: the wire format is the engine format, so a transport passes bytes through and
adds nothing but a status. Which status an error has is one table, `STATUSES`, by the
error's kind of blame; where a wait may help, `Retry-After` says how long. The server
uses the same function, and so does a ten-line view of any other framework.

To keep in step: the table of the server's documentation is checked against `STATUSES`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from returns.pipeline import is_successful

from maelstrom.core.errors import (
    AbortedError,
    EngineError,
    HistoryError,
    ProviderError,
    RequestValidationError,
)
from maelstrom.core.json_writer import compact_text
from maelstrom.core.messages import EngineMessage, EngineOutput
from maelstrom.core.wire import encode_error, output_to_text
from maelstrom.core.wire_results import ERRORS
from maelstrom.effects.ports import Engine, Signal

__all__ = [
    "STATUSES",
    "Response",
    "answer_error",
    "answer_output",
    "respond",
    "status_of",
]

STATUSES: Final = MappingProxyType(
    {
        # (wire type, detail): HTTP status; "" is the row for every other detail.
        ("request_validation_error", ""): 400,
        ("request_validation_error", "too_large"): 413,
        ("request_validation_error", "duplicate_id at id"): 409,
        ("validation_error", ""): 500,
        ("provider_error", ""): 502,
        ("provider_error", "timeout"): 504,
        ("provider_error", "rate_limited"): 503,
        ("provider_error", "overloaded"): 503,
        ("provider_error", "unavailable"): 503,
        ("parse_error", ""): 502,
        ("aborted_error", ""): 503,
        ("aborted_error", "deadline"): 504,
        ("aborted_error", "shutdown"): 503,
        ("history_error", ""): 503,
        ("history_error", "conflict"): 409,
        ("session_busy_error", ""): 429,
        ("internal_error", ""): 500,
    }
)
"""HTTP status by wire type and detail.

A turn that its own signal ended is 503 as well: nobody is left to read that.
"""

_RETRY_LATER: Final = frozenset({429, 503})
_RETRY_AFTER_DEFAULT_MS: Final = 1_000
"""What a caller waits where the error has no hint: a second bothers nobody."""


class Response(NamedTuple):
    """An HTTP answer: status, headers and body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def _validation_detail(error: RequestValidationError) -> str:
    for issue in error.issues:
        if issue.code == "too_large":
            return "too_large"
        if issue.code == "duplicate_id" and issue.path == ("id",):
            return "duplicate_id at id"
    return ""


def _detail(error: EngineError) -> str:
    if isinstance(error, RequestValidationError):
        return _validation_detail(error)
    if isinstance(error, ProviderError | HistoryError):
        return error.kind
    return error.cause if isinstance(error, AbortedError) else ""


def status_of(error: EngineError) -> int:
    """The HTTP status of an error.

    >>> status_of(AbortedError("deadline", "the turn's time was up"))
    504
    """
    kind, _ = ERRORS[error.__class__]
    return STATUSES.get((kind, _detail(error)), STATUSES[kind, ""])


def _headers(status: int, error: EngineError) -> dict[str, str]:
    headers = {"content-type": "application/json"}
    if status in _RETRY_LATER and getattr(error, "retryable", True):
        hint = getattr(error, "retry_after_ms", None)
        wait = _RETRY_AFTER_DEFAULT_MS if hint is None else hint
        headers["retry-after"] = str(max(1, -(-wait // 1_000)))
    return headers


def answer_error(error: EngineError) -> Response:
    """An error as an HTTP answer."""
    status = status_of(error)
    body = compact_text(encode_error(error)).encode()
    return Response(status, _headers(status, error), body)


def answer_output(output: EngineOutput) -> Response:
    """An output as an HTTP answer."""
    body = output_to_text(output).encode()
    return Response(200, {"content-type": "application/json"}, body)


async def respond(
    engine: Engine,
    body: bytes | EngineMessage,
    signal: Signal | None = None,
    timeout: float | None = None,  # noqa: ASYNC109  the engine bounds its own turn
) -> Response:
    """Answer one message in wire form; never raises, but for CancelledError.

    Args:
        engine: Whatever keeps the contract.
        body: The request's body, or the message where it is decoded already.
        signal: Set it when the client is gone, and the turn ends.
        timeout: Seconds for the turn; None takes the engine's own.
    """
    result = await engine.handle(body, signal, timeout)
    if not is_successful(result):
        return answer_error(result.failure())
    return answer_output(result.unwrap())
