"""A connection of the server: uvicorn's, bounded in number and in time.

Theory: uvicorn bounds neither how long the head of a request may take, nor how long the
taking of an answer, nor how many connections wait with half of one, and what it answers
itself is plain text. Here a connection past the most gets 503 for whatever it asks; one
that sends a part of a head must send the rest in time, or is answered 408 and closed;
the rest of a body whose answer has been given already is read, and thrown away, for as
long. A connection whose answers pile up is dropped. What is no HTTP is 400 in the form
of the wire's errors.

To keep in step: `cycle`, `conn`, `app`, `connections` and `send_400_response` are
uvicorn's own names; the tests over real sockets fail where they change.
"""

import asyncio
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final

import h11
from starlette.responses import Response
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from maelstrom.adapters.server.guards import SECURITY_HEADERS, secured
from maelstrom.adapters.server.refusal import invalid, refusal

__all__ = ["Connection", "bounded_connection"]

_CLOSE: Final = MappingProxyType({"connection": "close"})
_HEADERS: Final = MappingProxyType({**SECURITY_HEADERS, **_CLOSE})


def bounded_connection(
    most: int, head_seconds: float, take_seconds: float
) -> type[H11Protocol]:
    """The protocol of a server with at most so many connections."""
    bounds = {"most": most, "head_seconds": head_seconds, "take_seconds": take_seconds}
    return type("BoundedConnection", (Connection,), bounds)


class Connection(H11Protocol):
    """One connection of a client."""

    most = 0
    head_seconds = 0.0
    take_seconds = 0.0
    _late: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, for a while."""
        super().connection_made(transport)
        self._wait_for_head()
        if len(self.connections) > self.most:
            words = "too many connections"
            self.app = secured(refusal("overloaded", words, _CLOSE, wait=1))

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the waits."""
        self._stop_waiting()
        super().connection_lost(exc)  # which resumes writing

    def pause_writing(self) -> None:
        """Wait for the client to take what was written, for a while."""
        super().pause_writing()
        self._stuck = self.loop.call_later(self.take_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """It takes it."""
        super().resume_writing()
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    def data_received(self, data: bytes) -> None:
        """Wait for the rest of a head, but not for an answer."""
        super().data_received(data)
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and not cycle.response_complete:
            self._stop_waiting()
        elif self._late is None:
            self._wait_for_head()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP."""
        self._end(invalid((), "malformed_json", msg))

    def _wait_for_head(self) -> None:
        self._late = self.loop.call_later(self.head_seconds, self._end_late)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _end_late(self) -> None:
        self._end(refusal("request_timeout", "the request took too long"))

    def _end(self, response: Response) -> None:
        """Answer where nothing was answered yet, and close."""
        if self.transport.is_closing():
            return
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            for event in _events(response):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


def _events(response: Response) -> list[Any]:
    headers = [*response.raw_headers]
    headers += [(key.encode(), value.encode()) for key, value in _HEADERS.items()]
    reason = HTTPStatus(response.status_code).phrase.encode()
    head = h11.Response(
        status_code=response.status_code, headers=headers, reason=reason
    )
    return [head, h11.Data(data=bytes(response.body)), h11.EndOfMessage()]
