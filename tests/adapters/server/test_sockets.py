"""A real server on real sockets: slow, greedy, rude and vanishing clients."""

import json
import signal
import socket

import httpx
import pytest

from tests.adapters.server.kit import JSON, message, text
from tests.adapters.server.served import PATIENCE, served, until


@pytest.fixture(scope="module")
def server():
    """One server for the tests that leave it as they found it."""
    with served(head_timeout=0.5, body_timeout=0.5, per_minute=1e6, burst=1e6) as one:
        yield one


def connect(server):
    """A bare connection."""
    return socket.create_connection(("127.0.0.1", server.port), PATIENCE)


def request(server, body=b"", **headers):
    """A POST as it goes over the wire."""
    more = {"host": server.address, **JSON, "content-length": str(len(body)), **headers}
    lines = [f"{key}: {value}" for key, value in more.items() if value is not None]
    return "\r\n".join(["POST /v1/messages HTTP/1.1", *lines, "", ""]).encode() + body


def connects(server):
    """Whether the server still accepts connections."""
    try:
        connect(server).close()
    except ConnectionError:
        return False
    return True


def answers(sock, count=1):
    """So many answers: status, headers and JSON of each."""
    stream = sock.makefile("rb")
    found = []
    for _ in range(count):
        status = int(stream.readline().split()[1])
        headers = {}
        while line := stream.readline().strip():
            key, _, value = line.decode().partition(": ")
            headers[key.lower()] = value
        body = stream.read(int(headers.get("content-length", 0)))
        found.append((status, headers, json.loads(body or "null")))
    return found if count > 1 else found[0]


def closed(sock):
    """Whether the server closes the connection."""
    try:
        return sock.recv(1) == b""
    except ConnectionError:
        return True


def test_a_client_that_goes_away_ends_its_turn(server):
    """The model's call is cancelled, and the session is free for the next turn."""
    with connect(server) as sock:
        sock.sendall(request(server, text(message("gone", intent="wait"))))
        assert server.line() == "planning wait"
    assert server.line() == "cancelled"

    url = f"http://{server.address}/v1/messages"
    answer = httpx.post(url, json=message("gone", "m-2"))
    assert (answer.status_code, server.line()) == (200, "planning tidy up")


def test_a_slow_body_is_408(server):
    """A body that stops on its way is answered, and the connection closed."""
    with connect(server) as sock:
        sock.sendall(request(server, b"{", **{"content-length": "100"}))
        status, headers, body = answers(sock)
        assert (status, body["type"]) == (408, "request_timeout")
        assert headers["connection"] == "close"
        assert closed(sock)


@pytest.mark.parametrize(
    "sent", [b"", b"P", b"POST /v1/messages HTTP/1.1\r\nhost: a\r\n"]
)
def test_a_slow_head_is_408(server, sent):
    """Half a head holds no connection for long, nor does none."""
    with connect(server) as sock:
        sock.sendall(sent)
        status, headers, body = answers(sock)
        assert (status, body["type"]) == (408, "request_timeout")
        assert headers["x-content-type-options"] == "nosniff"
        assert closed(sock)


def test_a_slow_second_head_ends_the_connection(server):
    """A kept connection is bounded as a new one is."""
    with connect(server) as sock:
        sock.sendall(
            b"GET /healthz HTTP/1.1\r\nhost: %b\r\n\r\n" % server.address.encode()
        )
        assert answers(sock)[0] == 200
        sock.sendall(b"GET /healthz HTTP/1.1\r\n")
        assert answers(sock)[0] == 408
        assert closed(sock)


def test_a_body_that_says_it_is_too_large(server):
    """413 before a byte of it came; the rest is awaited no longer than a head."""
    with connect(server) as sock:
        sock.sendall(request(server, **{"content-length": str(10**12)}))
        status, _, body = answers(sock)
        assert (status, body["issues"][0]["code"]) == (413, "too_large")
        sock.sendall(b"x")
        assert closed(sock)


def test_a_body_that_turns_out_too_large(server):
    """A chunked one is refused once it is over the limit, before its end."""
    chunked = {"transfer-encoding": "chunked", "content-length": None}
    with connect(server) as sock:
        sock.sendall(request(server, **chunked))
        piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        for _ in range(65):  # 4 MiB and 64 KiB
            sock.sendall(piece)
        status, _, body = answers(sock)
        assert (status, body["issues"][0]["code"]) == (413, "too_large")


def test_requests_in_a_row(server):
    """One connection carries many turns; pipelined ones are answered in order."""
    bodies = [text(message("row", f"m-{n}")) for n in range(3)]
    with connect(server) as sock:
        sock.sendall(b"".join(request(server, body) for body in bodies))
        found = answers(sock, 3)
    assert [(status, body["id"]) for status, _, body in found] == [
        (200, f"m-{n}") for n in range(3)
    ]
    assert [server.line() for _ in range(3)] == ["planning tidy up"] * 3


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nhost: a\r\ncontent-length: 1, 2\r\n\r\n",
        b"GET /" + b"a" * 100_000,
    ],
    ids=["TLS", "no host", "two hosts", "two lengths", "endless"],
)
def test_what_is_no_http_is_400(server, sent):
    """In the wire's form, with the security headers, and the connection ends."""
    with connect(server) as sock:
        sock.sendall(sent)
        status, headers, body = answers(sock)
        assert (status, body["type"]) == (400, "request_validation_error")
        assert "content-security-policy" in headers
        assert closed(sock)


def test_a_body_of_two_lengths_is_refused(server):
    """A length and chunks as well: a proxy may have read them another way."""
    with connect(server) as sock:
        both = {"transfer-encoding": "chunked", "content-length": "3"}
        after = b"GET /healthz HTTP/1.1\r\nhost: %b\r\n\r\n" % server.address.encode()
        sock.sendall(request(server, b"0\r\n\r\n" + after, **both))
        status, headers, body = answers(sock)
        assert (status, body["type"]) == (400, "request_validation_error")
        assert headers["connection"] == "close"
        assert closed(sock)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/sessions/%ff/history", 400),
        ("/v1/sessions/%ed%a0%80/history", 400),
        ("/v1/sessions/%zz/history", 200),
        ("/v1/sessions/../../healthz", 405),
        ("/v1/sessions/%2e%2e/history", 200),
        ("//evil.example/healthz", 404),
        ("http://evil.example/healthz", 404),
        ("/healthz?%ff=%00", 200),
        ("*", 404),
    ],
)
def test_odd_paths(server, path, status):
    """A path is taken by the letter; bytes that are no text name no session."""
    line = f"GET {path} HTTP/1.1\r\nhost: {server.address}\r\n\r\n"
    with connect(server) as sock:
        sock.sendall(line.encode())
        assert answers(sock)[0] == status


@pytest.mark.parametrize("upgrade", ["websocket", "h2c"])
def test_no_other_protocol_is_spoken(server, upgrade):
    """An upgrade that is asked for is passed over, as HTTP allows."""
    asked = {"connection": "upgrade", "upgrade": upgrade}
    with connect(server) as sock:
        sock.sendall(request(server, text(message("upgrade", upgrade)), **asked))
        assert answers(sock)[0] == 200
        assert server.line() == "planning tidy up"


def test_hosts_follow_from_the_address(server):
    """Loopback names with the port are served, any other name is not."""
    url = f"http://{server.address}/healthz"
    for name in ("localhost", "127.0.0.1", "[::1]"):
        assert httpx.get(url, headers={"host": f"{name}:{server.port}"}).is_success
    for host in ("evil.example", "localhost", f"evil.example:{server.port}"):
        assert httpx.get(url, headers={"host": host}).status_code == 403
    assert httpx.get(f"http://{server.address}/").status_code == 404
    for path in ("/debug", "/playground/turns/s"):
        assert httpx.get(f"http://{server.address}{path}").status_code == 404


def test_no_proxy_is_believed_unasked():
    """An X-Forwarded-For of the client's own is no way around the limit."""
    with served(burst=1) as server:
        url = f"http://{server.address}/v1/messages"
        codes = [
            httpx.post(
                url,
                json=message(request=f"{n}"),
                headers={"x-forwarded-for": f"9.9.9.{n}"},
            ).status_code
            for n in range(2)
        ]
    assert codes == [200, 429]


def test_connections_are_bounded():
    """Past the most, an answer is 503 in the wire's form; then there is room again."""
    with served(connections=2) as server:
        url = f"http://{server.address}/healthz"
        with connect(server), connect(server):
            answer = until(lambda: httpx.get(url))
            assert (answer.status_code, answer.json()["type"]) == (503, "overloaded")
            assert answer.headers["retry-after"] == "1"
            assert "content-security-policy" in answer.headers
        assert until(lambda: httpx.get(url).is_success)


def test_an_answer_that_nobody_takes_holds_no_connection():
    """Who asks on and on and reads nothing is dropped, and makes room."""
    with served(connections=1, take_timeout=0.3) as server, connect(server) as sock:
        url = f"http://{server.address}/healthz"
        assert httpx.get(url).status_code == 503
        ask = b"GET /openapi.json HTTP/1.1\r\nhost: %b\r\n\r\n"
        sock.sendall(ask % server.address.encode() * 1_500)
        assert until(lambda: httpx.get(url).is_success)


def test_sigterm_lets_running_turns_finish():
    """The turn that runs is answered, a new one finds no server, and the end is well."""
    with served() as server, connect(server) as sock:
        sock.sendall(request(server, text(message(intent="slow"))))
        assert server.line() == "planning slow"
        server.process.terminate()
        url = f"http://{server.address}/v1/messages"

        def refused():
            try:
                return httpx.post(url, json=message("new", "new")).status_code == 503
            except httpx.TransportError:
                return True

        assert until(refused)
        assert answers(sock)[0] == 200
        assert server.process.wait(PATIENCE) == 0


def test_a_second_ctrl_c_cuts_turns_at_once():
    """A turn and half a body end in AbortedError(shutdown), as after the grace."""
    with served() as server, connect(server) as turn, connect(server) as half:
        turn.sendall(request(server, text(message(intent="wait"))))
        half.sendall(request(server, b"{", **{"content-length": "100"}))
        assert server.line() == "planning wait"
        for _ in range(2):
            server.process.send_signal(signal.SIGINT)
            until(lambda: not connects(server))
        for sock in (turn, half):
            status, headers, body = answers(sock)
            assert (status, body["type"], body["cause"]) == (
                503,
                "aborted_error",
                "shutdown",
            )
            assert "content-security-policy" in headers
            assert closed(sock)
        assert server.process.wait(PATIENCE) == 0


def test_sigterm_cuts_turns_after_the_grace():
    """What still runs then ends in AbortedError(shutdown), and that is still sent."""
    with served(grace=0.3) as server, connect(server) as sock:
        sock.sendall(request(server, text(message(intent="wait"))))
        assert server.line() == "planning wait"
        server.process.terminate()
        status, _, body = answers(sock)
        assert (status, body["cause"]) == (503, "shutdown")
        assert server.process.wait(PATIENCE) == 0
