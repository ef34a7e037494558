"""An answer of the server itself, in the form of the wire's errors."""

from collections.abc import Mapping

from starlette.responses import JSONResponse

__all__ = ["refusal"]


def refusal(
    status: int, kind: str, message: str, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """``{type, message}`` with a status."""
    content = {"type": kind, "message": message}
    return JSONResponse(content, status, headers=dict(headers or {}))
