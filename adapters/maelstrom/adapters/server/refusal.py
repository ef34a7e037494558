"""What the server answers for itself, before or beside the engine.

Each is JSON in the form of the wire's errors, ``{type, message}``, and `REFUSALS` is
the table of their statuses. What is wrong with a request in the protocol's own terms (a
body that is too large, an id that is none) is no refusal but a `RequestValidationError`,
as the engine would have said.

To keep in step: the tables of docs/server.md and the document of `openapi` are checked
against `REFUSALS`.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from starlette.responses import JSONResponse, Response

from maelstrom.adapters.respond import Response as Answer
from maelstrom.adapters.respond import answer_error
from maelstrom.core.errors import Issue, IssueCode, RequestValidationError

__all__ = ["REFUSALS", "invalid", "refusal", "sent"]

REFUSALS: Final = MappingProxyType(
    {
        # type: HTTP status
        "unauthorized": 401,
        "forbidden": 403,
        "not_found": 404,
        "method_not_allowed": 405,
        "request_timeout": 408,
        "unsupported_media_type": 415,
        "rate_limited": 429,
        "not_implemented": 501,
        "not_ready": 503,
        "overloaded": 503,
    }
)


def refusal(
    kind: str,
    message: str,
    headers: Mapping[str, str] | None = None,
    wait: float | None = None,
) -> Response:
    """``{type, message}`` under its status; ``wait`` is in seconds, where one helps.

    >>> refusal("rate_limited", "slower", wait=1.2).headers["retry-after"]
    '2'
    """
    content: dict[str, str | int] = {"type": kind, "message": message}
    sent_along = dict(headers or {})
    if wait is not None:
        content["retryAfterMs"] = math.ceil(wait * 1_000)
        sent_along["retry-after"] = str(math.ceil(wait))
    return JSONResponse(content, REFUSALS[kind], headers=sent_along)


def invalid(path: tuple[str, ...], code: IssueCode, message: str) -> Response:
    """A request that breaks the protocol in one place."""
    return sent(answer_error(RequestValidationError((Issue(path, code, message),))))


def sent(answer: Answer) -> Response:
    """An answer that no framework knows, as Starlette's."""
    return Response(answer.body, answer.status, dict(answer.headers))
