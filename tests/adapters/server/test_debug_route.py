"""Where diagnostics can be read: in the playground on loopback, and nowhere else."""

import pytest

from maelstrom.adapters.playground import RecentTurns, recorder
from maelstrom.adapters.server.serve import Serving, _observer
from tests.adapters.server.kit import client, engine, message, post, with_client

TURNS = "/playground/turns/s"


def serving(**more):
    """How a server with the playground on loopback is set up, but for this."""
    hosts = ("127.0.0.1:8000", "localhost:8000", "[::1]:8000")
    return Serving(**{"build": None, "hosts": hosts, "playground": True, **more})


def test_diagnostics_are_kept_by_a_playground_on_loopback():
    """One process, under loopback names alone."""
    assert isinstance(_observer(serving()), RecentTurns)


@pytest.mark.parametrize(
    "more",
    [
        {"playground": False},
        {"workers": 2},
        {"hosts": ("example.org",)},
        {"hosts": ("127.0.0.1:8000", "example.org")},
        {"hosts": ("192.0.2.7:8000",)},
        {"hosts": ("localhost.example.org:8000",)},
    ],
    ids=str,
)
def test_no_other_server_keeps_them(more):
    """Where others may ask, nothing is kept that could be shown to them."""
    assert _observer(serving(**more)) is None


@pytest.mark.parametrize("playground", [True, False])
def test_without_both_there_is_no_route(playground):
    """Neither the playground alone nor an observer alone makes the route."""
    seen = None if playground else recorder()

    async def scenario(browser):
        await post(browser)
        return await browser.get(TURNS)

    made = engine(on_turn=seen)
    answer = with_client(scenario, made, playground=playground, diagnostics=seen)

    assert answer.status_code == 404


def test_a_subject_sees_its_own_turns():
    """Another browser with the same session id sees nothing of them."""
    seen = recorder()

    async def scenario(browser):
        await post(browser, message("s", "of-alice"))
        own = (await browser.get(TURNS)).json()["turns"]
        async with client(browser._transport.app) as bob:
            other = (await bob.get(TURNS)).json()["turns"]
        proxied = await browser.get(TURNS, headers={"x-forwarded-for": "127.0.0.1"})
        away = await browser.get(TURNS, headers={"host": "example.org"})
        return [one["id"] for one in own], other, proxied, away

    made = engine(on_turn=seen)
    own, other, proxied, away = with_client(
        scenario, made, playground=True, diagnostics=seen
    )

    assert (own, other) == (["of-alice"], [])
    assert (proxied.status_code, away.status_code) == (404, 404)
