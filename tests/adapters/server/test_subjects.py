"""Whose a session is: nobody reads, continues or deletes what is not theirs."""

import asyncio
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.exceptions import HTTPException

from maelstrom.adapters.server import create_app
from maelstrom.adapters.server.subject import COOKIE, CookieSigner, session_name
from tests.adapters.server.kit import (
    HERE,
    StubEngine,
    client,
    engine,
    message,
    post,
    with_client,
)

SECRET = b"a secret of the tests"


async def turns(browser, session="s"):
    """The ids of a session's turns, as this browser sees it."""
    answer = await browser.get(f"/v1/sessions/{quote(session, safe='')}/history")
    assert answer.status_code == 200
    return [turn["requestId"] for turn in answer.json()["turns"]]


def test_two_browsers_with_one_session_id():
    """Neither sees the other's turns, and a deletion takes only one's own."""

    async def scenario():
        app = create_app(engine(), secret=SECRET)
        async with client(app) as alice, client(app) as bob:
            await post(alice, message("s", "of-alice"))
            await post(bob, message("s", "of-bob"))
            seen = await turns(alice), await turns(bob)
            await bob.delete("/v1/sessions/s", headers={"origin": HERE})
            return seen, await turns(alice), await turns(bob)

    seen, alice, bob = asyncio.run(scenario())

    assert seen == (["of-alice"], ["of-bob"])
    assert (alice, bob) == (["of-alice"], [])


FORGERIES = {
    "none": lambda cookie: None,
    "blank": lambda cookie: "",
    "a dot": lambda cookie: ".",
    "the subject alone": lambda cookie: cookie.partition(".")[0],
    "an empty signature": lambda cookie: cookie.partition(".")[0] + ".",
    "one letter off": lambda cookie: cookie[:-2] + "!" + cookie[-1],
    "another subject": lambda cookie: "x" + cookie,
    "another secret": lambda cookie: CookieSigner(b"another secret!!").issue()[1],
    "no ASCII": lambda cookie: cookie.partition(".")[0] + "." + "é" * 43,
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_cookie_that_is_not_signed_is_nobody(forgery):
    """Whatever is made of a cookie, it shows, continues and deletes nothing."""

    async def scenario():
        app = create_app(engine(), secret=SECRET)
        async with client(app) as alice, client(app) as thief:
            await post(alice, message("s", "of-alice"))
            forged = FORGERIES[forgery](alice.cookies[COOKIE])
            if forged is not None:
                thief.headers["cookie"] = f"{COOKIE}={forged}"
            stolen = await turns(thief)
            await thief.delete("/v1/sessions/s", headers={"origin": HERE})
            await post(thief, message("s", "of-thief"))
            return stolen, await turns(alice)

    assert asyncio.run(scenario()) == ([], ["of-alice"])


def test_the_cookie_is_the_browsers_alone():
    """HttpOnly and SameSite=Strict; Secure but on loopback; given by a turn alone."""

    async def scenario(browser):
        read = await browser.get("/v1/sessions/s/history")
        here = await post(browser)
        kept = await post(browser, message(request="m-2"))
        browser.cookies.clear()
        away = {"host": "example.org", "origin": "https://example.org"}
        there = await post(browser, **away)
        return [one.headers.get("set-cookie", "") for one in (read, here, kept, there)]

    read, here, kept, there = with_client(scenario, engine())

    assert (read, kept) == ("", "")
    for cookie in (here, there):
        assert "; httponly" in cookie.lower()
        assert "; samesite=strict" in cookie.lower()
    assert "secure" not in here.lower()
    assert "; secure" in there.lower()


def test_a_neighbours_cookie_is_none():
    """Off loopback only a `__Host-` cookie counts: one that no neighbour can set."""
    _, cookie = CookieSigner(SECRET).issue()
    away = {"host": "example.org", "origin": "https://example.org"}

    async def scenario(browser):
        tossed = await post(browser, **away, cookie=f"{COOKIE}={cookie}")
        own = await post(browser, **away, cookie=f"__Host-{COOKIE}={cookie}")
        return tossed.headers.get("set-cookie", ""), own.headers.get("set-cookie", "")

    tossed, own = with_client(scenario, engine(), secret=SECRET)

    assert tossed.startswith(f"__Host-{COOKIE}=")
    assert "; path=/" in tossed.lower()
    assert "domain" not in tossed.lower()
    assert own == ""


@pytest.mark.parametrize(
    "session",
    [
        "a/b",
        "a/history",
        "history",
        "ü/名",
        "100%",
        "%2F",
        "a b",
        "a?b#c",
        "💧",
        "a//",
    ],
)
def test_any_id_names_one_session(session):
    """Slashes, percent signs and any script are part of the id, and come back."""

    async def scenario(browser):
        answer = await post(browser, message(session))
        mine = await turns(browser, session)
        other = await turns(browser, session + "x")
        url = f"/v1/sessions/{quote(session, safe='')}"
        gone = await browser.delete(url, headers={"origin": HERE})
        return (
            answer.json(),
            mine,
            other,
            gone.status_code,
            await turns(browser, session),
        )

    answer, mine, other, gone, after = with_client(scenario, engine())

    assert answer["sessionId"] == session
    assert (mine, other, gone, after) == (["m"], [], 204, [])


@pytest.mark.parametrize("session", ["", "%20", "a%00b", "%0A", "x" * 129, "%C2%85"])
def test_what_is_no_id_is_refused(session):
    """Blank, too long, or with a control character: no session has such an id."""

    async def scenario(browser):
        read = await browser.get(f"/v1/sessions/{session}/history")
        return read, await browser.delete(f"/v1/sessions/{session}")

    stub = StubEngine()
    for answer in with_client(scenario, stub):
        assert answer.status_code in {400, 404}
    assert stub.asked == []


@given(*[st.text(max_size=4)] * 4)
def test_no_two_subjects_meet(subject, session, other, other_session):
    """The inside name is that of one pair of subject and id alone."""
    same = (subject, session) == (other, other_session)

    assert (
        session_name(subject, session) == session_name(other, other_session)
    ) == same


def test_the_apps_own_subjects():
    """`authorize` sees request and session id; sync or async, it decides alone."""

    def by_header(request, session_id):
        assert session_id == "s"
        return {"alice-key": "alice", "bob-key": "bob", "": ""}.get(
            request.headers.get("authorization", "")
        )

    async def later(request, session_id):
        await asyncio.sleep(0)
        return by_header(request, session_id)

    for authorize in (by_header, later):

        async def scenario(browser):
            alice, bob = {"authorization": "alice-key"}, {"authorization": "bob-key"}
            url = "/v1/sessions/s/history"
            first = await post(browser, message("s", "of-alice"), **alice)
            seen = [
                (await browser.get(url, headers=key)).json()["turns"]
                for key in (alice, bob)
            ]
            nobody = await post(browser)
            wrong = await post(browser, authorization="eve-key")
            return first, seen, nobody, wrong, await browser.delete("/v1/sessions/s")

        first, seen, nobody, wrong, gone = with_client(
            scenario, engine(), authorize=authorize
        )

        assert first.status_code == 200
        assert "set-cookie" not in first.headers
        assert [len(each) for each in seen] == [1, 0]
        assert (nobody.status_code, nobody.json()["type"]) == (401, "unauthorized")
        assert nobody.headers["www-authenticate"]
        assert (wrong.status_code, wrong.json()["type"]) == (403, "forbidden")
        assert gone.status_code == 401


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, "unauthorized"), (403, "forbidden"), (418, "internal_error")],
)
def test_authorize_may_raise(status, kind):
    """Starlette's HTTPException refuses in the app's words, in the wire's form."""

    def authorize(request, session_id):
        raise HTTPException(status, "not today")

    answer = with_client(post, StubEngine(), authorize=authorize)

    assert answer.json()["type"] == kind
    assert ("not today" in answer.text) == (status < 418)


def test_authorize_that_fails_lets_nobody_in():
    """An exception is 500; a subject that is no text refuses."""

    def fails(request, session_id):
        raise KeyError("x")

    stub = StubEngine()
    assert with_client(post, stub, authorize=fails).status_code == 500
    assert with_client(post, stub, authorize=lambda *_: True).status_code == 401
    assert stub.asked == []
