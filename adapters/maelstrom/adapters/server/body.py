"""Reading a request's body, bounded in bytes and in time."""

import asyncio

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from maelstrom.adapters.server.refusal import refusal

__all__ = ["read_body"]


async def read_body(request: Request, most: int, seconds: float) -> bytes | Response:
    """The body, or the answer that refuses it: 413, 408 or 415."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip()
    if media_type.lower() != "application/json":
        return refusal(415, "unsupported_media_type", "send application/json")
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        return refusal(413, "too_large", f"the body is over {most} bytes")
    try:
        async with asyncio.timeout(seconds):
            return await _collect(request, most)
    except TimeoutError:
        late = {"connection": "close"}
        return refusal(408, "request_timeout", "the body took too long", late)
    except ClientDisconnect:
        return refusal(400, "disconnected", "the body broke off")


async def _collect(request: Request, most: int) -> bytes | Response:
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > most:
            closing = {"connection": "close"}
            return refusal(413, "too_large", f"the body is over {most} bytes", closing)
        chunks.append(chunk)
    return b"".join(chunks)
