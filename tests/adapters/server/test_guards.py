"""Requests that a page of another site could have had a browser make."""

import pytest

from maelstrom.adapters.server.guards import SECURITY_HEADERS
from maelstrom.adapters.server.subject import COOKIE
from tests.adapters.server.kit import (
    HERE,
    JSON,
    StubEngine,
    engine,
    message,
    post,
    text,
    with_client,
)


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "",
        "http://127.0.0.1",
        "http://127.0.0.1:8001",
        "http://127.0.0.1:8000.evil.example",
        "http://evil@127.0.0.1:8000",
        "ftp://127.0.0.1:8000",
        "http://127.0.0.1:8000/",
        "http://[",
        "127.0.0.1:8000",
    ],
)
def test_another_origin_is_refused(origin):
    """Whatever it asks: an Origin that is sent must be this server's."""
    stub = StubEngine()

    async def scenario(browser):
        sent = await post(browser, origin=origin)
        return sent, await browser.get("/healthz", headers={"origin": origin})

    for answer in with_client(scenario, stub):
        assert (answer.status_code, answer.json()["type"]) == (403, "forbidden")
    assert stub.asked == []


def test_no_host_has_no_origin():
    """An Origin matches no absent Host, null least of all."""

    async def scenario(browser):
        return await post(browser, host="", origin="null")

    assert with_client(scenario, StubEngine()).status_code == 403


def test_a_change_on_a_cookies_word_shows_its_origin():
    """With the cookie and without an Origin nothing is done; reading goes on."""
    made = engine()

    async def scenario(browser):
        await post(browser)
        assert COOKIE in browser.cookies
        headless = await browser.post(
            "/v1/messages", content=text(message(request="m-2")), headers=JSON
        )
        gone = await browser.delete("/v1/sessions/s")
        return headless, gone, await browser.get("/v1/sessions/s/history")

    headless, gone, history = with_client(scenario, made)

    assert (headless.status_code, gone.status_code) == (403, 403)
    assert len(history.json()["turns"]) == 1


def test_an_apps_own_cookie_is_a_cookie_as_well():
    """With `authorize`, a cookie and no Authorization header, an Origin is due."""

    def authorize(request, session_id):
        return request.cookies.get("login")

    async def scenario(browser):
        browser.cookies["login"] = "alice"
        forged = await browser.post(
            "/v1/messages", content=text(message()), headers=JSON
        )
        return forged, await post(browser)

    forged, own = with_client(scenario, engine(), authorize=authorize)

    assert (forged.status_code, own.status_code) == (403, 200)


def test_a_program_without_cookies_needs_no_origin():
    """Where no cookie is the credential, there is nothing to forge."""

    async def scenario(browser):
        return await browser.post("/v1/messages", content=text(message()), headers=JSON)

    assert with_client(scenario, engine()).status_code == 200


@pytest.mark.parametrize(
    ("host", "served"),
    [
        ("127.0.0.1:8000", True),
        ("LOCALHOST:8000", True),
        ("localhost", False),
        ("localhost:8001", False),
        ("evil.example", False),
        ("127.0.0.1:8000.evil.example", False),
        ("", False),
    ],
)
def test_only_named_hosts_are_served(host, served):
    """A page whose name resolves here must not reach the server under that name."""

    async def scenario(browser):
        return await browser.get("/healthz", headers={"host": host})

    hosts = ("127.0.0.1:8000", "localhost:8000")
    answer = with_client(scenario, StubEngine(), hosts=hosts)

    assert answer.status_code == (200 if served else 403)


def test_two_hosts_are_not_one():
    """Where an HTTP server lets two Host headers through, they are not put together."""

    async def scenario(browser):
        return await browser.get("/healthz", headers=[("host", "a"), ("host", ":80")])

    answer = with_client(scenario, StubEngine(), hosts=("a:80",))

    assert answer.status_code == 403


def test_https_takes_no_plain_origin():
    """Where the server speaks TLS, a page that was not secured is another's."""

    async def scenario(browser):
        browser.base_url = HERE.replace("http", "https")
        plain = await post(browser, origin=HERE)
        return plain, await post(browser, origin=HERE.replace("http", "https"))

    plain, own = with_client(scenario, engine())

    assert (plain.status_code, own.status_code) == (403, 200)


def test_every_answer_is_guarded():
    """Security headers on successes and failures alike, and no CORS header on any."""

    async def scenario(browser):
        return [
            await post(browser),
            await post(browser, b"{"),
            await post(browser, origin="http://evil.example"),
            await browser.get("/nowhere"),
            await browser.put("/healthz"),
            await browser.get("/openapi.json"),
            await browser.options(
                "/v1/messages", headers={"access-control-request-method": "POST"}
            ),
        ]

    for answer in with_client(scenario, engine()):
        assert SECURITY_HEADERS.items() <= dict(answer.headers).items()
        assert not any(name.startswith("access-control") for name in answer.headers)
    policy = SECURITY_HEADERS["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "application/jsonp"},
        {"content-type": ""},
        {"content-encoding": "gzip"},
    ],
)
def test_only_json_is_read(headers):
    """A form of another site is no message: 415."""

    async def scenario(browser):
        return await post(browser, **headers)

    answer = with_client(scenario, StubEngine())

    assert (answer.status_code, answer.json()["type"]) == (
        415,
        "unsupported_media_type",
    )


def test_json_may_name_its_charset():
    """Parameters of the media type, and its case, do not matter."""

    async def scenario(browser):
        return await post(
            browser, **{"content-type": "Application/JSON; charset=utf-8"}
        )

    assert with_client(scenario, engine()).status_code == 200
