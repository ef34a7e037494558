"""What a request must satisfy before anybody looks at its meaning.

Theory: the guards are an ASGI middleware around the whole app, in this order: the Host
header (a page on another name that resolves here must not reach us), the Origin that a
browser sends (a page of another site must not either), and on the way out the headers
that keep a browser from doing more than our page needs. Refusals are plain JSON in the
form of the wire's errors.
"""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from maelstrom.adapters.server.refusal import refusal

__all__ = ["SECURITY_HEADERS", "Guards"]

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

SECURITY_HEADERS: Final = MappingProxyType(
    {
        "content-security-policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            "connect-src 'self'; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'"
        ),
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "no-store",
    }
)
"""On every answer. No CORS header is ever sent: other origins read nothing."""


def _header(scope: Scope, name: bytes) -> str | None:
    for key, value in scope["headers"]:
        if key == name:
            return bytes(value).decode("latin-1")
    return None


class Guards:
    """Checks Host and Origin, and adds the security headers."""

    def __init__(self, app: App, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection of ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        guarded = _with_headers(send)
        refused = self._refused(scope)
        if refused is not None:
            await refusal(403, "forbidden", refused)(scope, receive, guarded)
            return
        await self._app(scope, receive, guarded)

    def _refused(self, scope: Scope) -> str | None:
        host = (_header(scope, b"host") or "").lower()
        if self._hosts and host not in self._hosts:
            return "this host is not served here"
        origin = _header(scope, b"origin")
        if origin is not None and urlsplit(origin.lower()).netloc != host:
            return "the origin is not this server's"
        return None


def _with_headers(send: Send) -> Send:
    added = [(key.encode(), value.encode()) for key, value in SECURITY_HEADERS.items()]

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {key for key, _ in message.get("headers", ())}
            more = [pair for pair in added if pair[0] not in own]
            message = {**message, "headers": [*message.get("headers", ()), *more]}
        await send(message)

    return guarded
