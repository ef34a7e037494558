"""Turns over HTTP: the engine's own format, and a status for every error."""

import asyncio

import pytest
from returns.result import Failure, Success

from maelstrom.adapters.history_memory import MemoryHistory
from maelstrom.adapters.respond import STATUSES
from maelstrom.adapters.testing.clock import ManualClock
from maelstrom.core import errors
from maelstrom.core.errors import Issue
from maelstrom.core.wire import decode_output, encode_error
from maelstrom.effects.create import create_engine
from maelstrom.effects.offline import reflow_planner
from tests.adapters.server.kit import (
    StubEngine,
    StubManaged,
    engine,
    message,
    post,
    with_client,
)

ISSUES = {
    "": Issue(("id",), "empty", "is empty"),
    "too_large": Issue(("payload", "vessels"), "too_large", "is large"),
    "duplicate_id at id": Issue(("id",), "duplicate_id", "was used"),
}
MADE = {
    "request_validation_error": lambda d: errors.RequestValidationError((ISSUES[d],)),
    "validation_error": lambda _: errors.ValidationError("intro", "failed"),
    "provider_error": lambda d: errors.ProviderError(d or "auth", "p", "failed"),
    "parse_error": lambda _: errors.ParseError("userMessage", "is empty"),
    "aborted_error": lambda d: errors.AbortedError(d or "signal", "cut"),
    "history_error": lambda d: errors.HistoryError(d or "unavailable", "load", "no"),
    "session_busy_error": lambda _: errors.SessionBusyError(1_500, "busy"),
    "internal_error": lambda _: errors.InternalError("plan", "failed"),
}


def test_a_turn_and_its_history():
    """What the engine answers comes back under the client's ids, and is remembered."""

    async def scenario(browser):
        first = await post(browser, message("mine", "m-1"))
        again = await post(browser, message("mine", "m-1"))
        history = await browser.get("/v1/sessions/mine/history")
        return first, again, history

    first, again, history = with_client(scenario, engine())

    assert first.status_code == 200
    output = decode_output(first.content).unwrap()
    assert (output.session_id, output.id) == ("mine", "m-1")
    assert again.content == first.content
    (turn,) = history.json()["turns"]
    assert turn["requestId"] == "m-1"


@pytest.mark.parametrize(("kind", "detail"), STATUSES)
def test_every_error_has_its_status(kind, detail):
    """The table is what is answered, in wire form, with the ids of the client."""
    error = MADE[kind](detail)

    async def scenario(browser):
        return await post(browser, message("mine", "m-1"))

    answer = with_client(scenario, StubEngine(Failure(error)))

    assert answer.status_code == STATUSES[kind, detail]
    assert answer.json() == {**encode_error(error), "sessionId": "mine"}


def test_a_wait_that_helps_is_named():
    """Retry-After is in whole seconds, of the error's own hint where it has one."""
    waits = {
        errors.SessionBusyError(1_500, "busy"): "2",
        errors.SessionBusyError(0, "busy"): "1",
        errors.ProviderError("overloaded", "p", "no"): "1",
        errors.ProviderError("rate_limited", "p", "no", retry_after_ms=9_001): "10",
        errors.AbortedError("shutdown", "closing"): "1",
        errors.HistoryError("unavailable", "load", "no"): "1",
        errors.HistoryError("corrupt", "load", "no"): None,
        errors.ProviderError("auth", "p", "no"): None,
    }
    for error, wait in waits.items():
        answer = with_client(post, StubEngine(Failure(error)))
        assert answer.headers.get("retry-after") == wait


def test_a_message_at_fault_reaches_no_engine():
    """Nonsense is 400 with its issues; the engine is not asked."""
    stub = StubEngine()

    async def scenario(browser):
        return [await post(browser, body) for body in (b"{", b"", b"\xff", b'{"a":1}')]

    for answer in with_client(scenario, stub):
        assert answer.status_code == 400
        assert answer.json()["type"] == "request_validation_error"
    assert stub.asked == []


def test_a_used_id_is_a_conflict():
    """The same id with another payload is 409, from the engine itself."""

    async def scenario(browser):
        await post(browser, message())
        return await post(browser, message(intent="another"))

    assert with_client(scenario, engine()).status_code == 409


def test_a_turn_that_takes_too_long_is_504():
    """`turn_timeout` bounds the turn by the engine's own clock."""

    async def forever(plan_input, context):
        await context.clock.sleep(1_000)

    slow = create_engine(planner=forever, clock=ManualClock(auto=True))

    answer = with_client(post, slow, turn_timeout=3)

    assert (answer.status_code, answer.json()["cause"]) == (504, "deadline")


def test_histories_are_pages():
    """`limit` is a whole number, moved into the engine's bounds; others are 400."""
    stub = StubEngine()

    async def scenario(browser):
        url = "/v1/sessions/s/history"
        texts = ("", "?limit=7", "?limit=0", "?limit=-3", f"?limit={'9' * 50}")
        good = [(await browser.get(url + one)).status_code for one in texts]
        wrong = ("x", "1.5", "", "1_0", "٣", "9" * 2_000)
        bad = [await browser.get(url, params={"limit": one}) for one in wrong]
        return good, bad

    good, bad = with_client(scenario, stub)

    assert good == [200] * 5
    assert [limit for _, limit in stub.asked] == [50, 7, 1, 1, 1_000]
    assert {one.status_code for one in bad} == {400}
    assert bad[0].json()["issues"][0]["path"] == ["limit"]


def test_a_history_that_fails():
    """Its error carries the client's id; a conflict is 409, the rest 503."""
    for kind, status in (("conflict", 409), ("corrupt", 503)):
        error = errors.HistoryError(kind, "load", "no", session_id="inside")
        stub = StubManaged(turns=Failure(error), deleted=Failure(error))

        async def scenario(browser):
            read = await browser.get("/v1/sessions/mine/history")
            return read, await browser.delete("/v1/sessions/mine")

        for answer in with_client(scenario, stub):
            assert (answer.status_code, answer.json()["sessionId"]) == (status, "mine")


def test_a_session_is_forgotten():
    """204, and its history is empty; 501 where the engine cannot."""

    async def scenario(browser):
        await post(browser)
        gone = await browser.delete(
            "/v1/sessions/s", headers={"origin": str(browser.base_url)}
        )
        return gone, await browser.get("/v1/sessions/s/history")

    gone, history = with_client(scenario, engine())
    assert (gone.status_code, gone.content) == (204, b"")
    assert history.json() == {"turns": []}

    async def delete(browser):
        return await browser.delete("/v1/sessions/s")

    answer = with_client(delete, StubEngine())
    assert (answer.status_code, answer.json()["type"]) == (501, "not_implemented")


def test_a_deletion_waits_for_the_turn_that_runs():
    """It is forgotten as well: what is asked after the deletion begins anew."""
    gate, plain = asyncio.Event(), reflow_planner()

    async def gated(plan_input, context):
        await gate.wait()
        return await plain(plan_input, context)

    async def scenario(browser):
        browser.headers["authorization"] = "alice"
        running = asyncio.create_task(post(browser, message(request="m-1")))
        await idle()
        gone = asyncio.create_task(browser.delete("/v1/sessions/s"))
        await idle()
        after = asyncio.create_task(post(browser, message(request="m-2")))
        await idle()
        assert not gone.done()
        gate.set()
        codes = [(await one).status_code for one in (running, gone, after)]
        history = await browser.get("/v1/sessions/s/history")
        return codes, history.json()["turns"]

    made = create_engine(planner=gated, history=MemoryHistory())
    codes, turns = with_client(scenario, made, authorize=lambda *_: "alice")

    assert codes == [200, 204, 200]
    assert [(turn["requestId"], turn["seq"]) for turn in turns] == [("m-2", 1)]


async def idle():
    """Let everything that can go on do so."""
    for _ in range(200):
        await asyncio.sleep(0)


def test_probes():
    """Healthy while it runs; ready where the engine is, or does not say."""

    async def scenario(browser):
        return [
            (await browser.get(path)).status_code for path in ("/healthz", "/readyz")
        ]

    assert with_client(scenario, StubEngine()) == [200, 200]
    assert with_client(scenario, StubManaged()) == [200, 200]
    assert with_client(scenario, StubManaged(is_ready=False)) == [200, 503]


def test_a_bug_is_500_and_says_nothing():
    """An engine or an `authorize` that raises is answered without its words."""

    class Broken(StubEngine):
        async def handle(self, message, signal=None, timeout=None):  # noqa: ASYNC109
            error = RuntimeError("the password is 123")
            error.detail = "the password is 123"
            raise error

    answer = with_client(post, Broken())

    assert answer.status_code == 500
    assert answer.json()["type"] == "internal_error"
    assert "123" not in answer.text
    assert "x-content-type-options" in answer.headers


def test_nothing_else_is_served():
    """Unknown paths are 404, wrong methods 405, as JSON; no page, no debug route."""

    async def scenario(browser):
        paths = (
            "/",
            "/debug",
            "/debug/turns",
            "/docs",
            "/v1/messages/",
            "/v1/sessions/",
        )
        missing = [await browser.get(path) for path in paths]
        wrong = [
            await browser.request("GET", "/v1/messages"),
            await browser.request("HEAD", "/v1/messages"),
            await browser.request("OPTIONS", "/v1/messages"),
            await browser.request("GET", "/v1/sessions/s"),
            await browser.request("PUT", "/v1/sessions/s/history"),
            await browser.request("POST", "/healthz"),
        ]
        return missing, wrong, await browser.head("/healthz")

    missing, wrong, head = with_client(scenario, StubEngine(Success(None)))

    assert [one.status_code for one in missing[:-1]] == [404] * 5
    assert missing[-1].status_code in {400, 404, 405}
    assert {one.json()["type"] for one in missing[:-1]} == {"not_found"}
    for one in wrong:
        assert one.status_code == 405
        assert one.headers["allow"]
        assert (
            one.request.method == "HEAD" or one.json()["type"] == "method_not_allowed"
        )
    assert head.status_code == 200
