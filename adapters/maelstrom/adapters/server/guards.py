"""What a request must satisfy before anybody looks at its meaning.

Theory: the guards are an ASGI middleware around the whole app, in this order: the Host
header (a page on another name that resolves here must not reach us), the Origin that a
browser sends (a page of another site must not either), the length of the body (which a
proxy before us may have read another way, where it is told in two), and on the way out
the headers that keep a browser from doing more than our page needs.

An Origin is a scheme and the value that Host has. Where this server itself speaks TLS,
only https will do; behind a proxy that does not say so it cannot tell, and takes both.
"""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from maelstrom.adapters.server.refusal import invalid, refusal

__all__ = [
    "SECURITY_HEADERS",
    "App",
    "Guards",
    "Message",
    "Receive",
    "Scope",
    "Send",
    "is_loopback",
    "secured",
]

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
"""An ASGI application."""

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

_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})


def is_loopback(host: str) -> bool:
    """Whether the value of a Host header, port or not, is a name of this machine.

    >>> [is_loopback(host) for host in ("localhost:8000", "[::1]", "example.org")]
    [True, True, False]
    """
    name, colon, port = host.lower().rpartition(":")
    return (name if colon and port.isdecimal() else host.lower()) in _LOOPBACK


class Guards:
    """Checks Host and Origin, and adds the security headers."""

    def __init__(self, app: App, hosts: Iterable[str]) -> None:
        self._app = secured(app)
        self._forbidden = secured(refusal("forbidden", "this host is not served here"))
        self._foreign = secured(refusal("forbidden", "the origin is not this server's"))
        ambiguous = invalid((), "malformed_json", "a length, and chunks as well")
        ambiguous.headers["connection"] = "close"  # RFC 9112, section 6.3
        self._ambiguous = secured(ambiguous)
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection of ASGI."""
        await self._chosen(scope)(scope, receive, send)

    def _chosen(self, scope: Scope) -> App:
        if scope["type"] == "lifespan":
            return self._app
        host = ",".join(_values(scope, b"host")).lower()
        if self._hosts and host not in self._hosts:
            return self._forbidden
        schemes = ("https",) if scope.get("scheme") == "https" else ("http", "https")
        own = {f"{scheme}://{host}" for scheme in schemes} if host else set()
        if any(origin.lower() not in own for origin in _values(scope, b"origin")):
            return self._foreign
        if _values(scope, b"content-length") and _values(scope, b"transfer-encoding"):
            return self._ambiguous
        return self._app


def _values(scope: Scope, name: bytes) -> list[str]:
    return [
        bytes(value).decode("latin-1") for key, value in scope["headers"] if key == name
    ]


def secured(app: App) -> App:
    """The app, with the security headers on every answer that does not set its own."""
    added = [(key.encode(), value.encode()) for key, value in SECURITY_HEADERS.items()]

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_more(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = list(message.get("headers", ()))
                named = {key for key, _ in own}
                more = [pair for pair in added if pair[0] not in named]
                message = {**message, "headers": [*own, *more]}
            await send(message)

        await app(scope, receive, send_more)

    return guarded
