"""A loopback server that says what a test wants a provider to say.

It runs in threads, so that it outlives an event loop, and serves one scripted reply a
request, the last one over and over. What was asked is kept in ``requests``.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Self

from attrs import Factory, define, frozen

__all__ = ["ProviderServer", "Reply", "Request", "closed_port"]


@frozen
class Reply:
    """What is answered: ``body`` as JSON, or a text as it stands.

    ``way`` is "whole"; "cut" (the connection ends in the middle of the body); "drip" (a
    byte at a time, without end); or "hang" (no answer at all).
    """

    status: int = 200
    body: Any = None
    headers: dict[str, str] = Factory(dict)
    way: str = "whole"

    @property
    def data(self) -> bytes:
        """The body's bytes."""
        text = self.body if isinstance(self.body, str) else json.dumps(self.body)
        return text.encode()


@frozen
class Request:
    """What was asked, header names in lower case."""

    path: str
    headers: dict[str, str]
    body: Any
    raw: bytes


@define
class ProviderServer:
    """``with ProviderServer(Reply(...)) as server:`` serves at ``server.url``."""

    replies: list[Reply]
    requests: list[Request] = Factory(list)
    arrived: threading.Event = Factory(threading.Event)
    hung_up: threading.Event = Factory(threading.Event)
    _server: Any = None

    def __init__(self, *replies: Reply) -> None:
        self.__attrs_init__(list(replies))

    @property
    def url(self) -> str:
        """The address, without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        script = self

        class Handler(_Handler):
            server_script = script

        self._server = _Server(("127.0.0.1", 0), Handler)
        threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def next_reply(self) -> Reply:
        """The reply to the request that was just noted."""
        index = min(len(self.requests), len(self.replies)) - 1
        return self.replies[index]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_script: ClassVar[ProviderServer]

    def do_POST(self) -> None:
        script = self.server_script
        raw = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        script.requests.append(Request(self.path, headers, json.loads(raw), raw))
        script.arrived.set()
        self._answer(script.next_reply())

    def _answer(self, reply: Reply) -> None:
        if reply.way == "hang":
            self._wait_for_hang_up()
            return
        data = reply.data
        lacking = {"whole": 0, "cut": 1_000, "drip": 1_000_000}[reply.way]
        self.send_response(reply.status)
        headers = {"content-type": "application/json", **reply.headers}
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data) + lacking))
        try:
            self.end_headers()
            self.wfile.write(data)
        except OSError:  # the client is gone already
            self.close_connection = True
            self.server_script.hung_up.set()
            return
        if reply.way == "drip":
            self._drip()
        if reply.way != "whole":
            self.close_connection = True

    def _drip(self) -> None:
        pause = threading.Event()
        try:
            while True:
                self.wfile.write(b" ")
                pause.wait(0.005)
        except OSError:
            self.server_script.hung_up.set()

    def _wait_for_hang_up(self) -> None:
        try:
            self.connection.recv(1)
        finally:
            self.close_connection = True
            self.server_script.hung_up.set()

    def log_message(self, *_: object) -> None:
        """Nothing: pytest shows what a test needs."""


def closed_port() -> int:
    """A port of loopback on which nobody listens."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    server.server_close()
    port: int = server.server_address[1]
    return port
