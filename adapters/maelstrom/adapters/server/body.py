"""Reading a request's body, bounded in bytes and in time.

What is too large is refused as soon as it shows, by the length that is declared or by
the bytes that came; the rest of it is never held.
"""

import asyncio

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from maelstrom.adapters.server.refusal import invalid, refusal

__all__ = ["read_body"]


async def read_body(request: Request, most: int, seconds: float) -> bytes | Response:
    """The body, or the answer that refuses it: 408, 413 or 415."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip()
    if media_type.lower() != "application/json":
        return refusal("unsupported_media_type", "send application/json")
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        return refusal("unsupported_media_type", "send it without a content encoding")
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        return _too_large(most)
    try:
        async with asyncio.timeout(seconds):
            return await _collect(request, most)
    except TimeoutError:
        late = {"connection": "close"}
        return refusal("request_timeout", "the body took too long", late)
    except ClientDisconnect:  # nobody reads this
        return invalid((), "malformed_json", "the body broke off")


async def _collect(request: Request, most: int) -> bytes | Response:
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > most:
            return _too_large(most)
        chunks.append(chunk)
    return b"".join(chunks)


def _too_large(most: int) -> Response:
    return invalid((), "too_large", f"the body is over {most} bytes")
