"""The playground's routes: files, the app's vessels, and diagnostics for local eyes."""

import asyncio
import re

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.testclient import TestClient

from maelstrom.adapters.demo import VESSELS, demo_chart
from maelstrom.adapters.playground import RecentTurns, recorder, routes
from maelstrom.adapters.playground.routes import _static
from maelstrom.core.chart_state import make_request
from maelstrom.core.diagnostics import Diagnostics
from maelstrom.core.errors import ParseError
from maelstrom.core.messages import EngineMessage
from maelstrom.core.request import UserIntent
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.create import create_engine
from maelstrom.effects.keyword import keyword_planner

LOCAL = "http://127.0.0.1:8000"


def visitor(*given, base_url=LOCAL, peer="127.0.0.1") -> TestClient:
    """A client of a server with the playground alone."""
    app = Starlette(routes=routes(*given))
    return TestClient(app, base_url=base_url, client=(peer, 1))


def message(session: str = "s", name: str = "m-1") -> EngineMessage:
    """What the page sends."""
    return EngineMessage(
        session, name, 1, make_request(demo_chart(), [UserIntent("hi")])
    )


def finished(session: str = "s", name: str = "m-1") -> Diagnostics:
    """A turn that failed before any attempt."""
    error = ParseError("userMessage", "is empty")
    return Diagnostics(message(session, name), 1, 5, "failed", error=error)


def test_the_page_loads_only_what_is_here():
    """Every file that the page or a module names is served, and no line is inline."""
    client = visitor()
    page = client.get("/")
    named = set(re.findall(r"/playground/([\w.]+)", page.text))
    for name in _static():
        source = client.get(f"/playground/{name}")
        assert source.status_code == 200
        named |= set(re.findall(r'from "\./([\w.]+)"', source.text))

    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert named
    assert named <= set(_static())
    assert not re.search(r"<script(?![^>]* src=)|<style| style=| on\w+=", page.text)
    types = client.get("/playground/maelstrom.js").headers["content-type"]
    assert types == "text/javascript; charset=utf-8"


def test_no_module_reads_html():
    """Text of a model is set as text: no way to do otherwise is used."""
    ways = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(")

    assert [
        name for name, (text, _) in _static().items() if ways.search(text.decode())
    ] == []


@pytest.mark.parametrize(
    "name", ["../routes.py", "%2e%2e/routes.py", "x.js", "routes.py"]
)
def test_only_static_files_are_served(name):
    """A path is looked up, and never opened."""
    assert visitor().get(f"/playground/{name}").status_code == 404


def test_the_vessels_are_the_example_apps():
    """The page sends what the example app registers."""
    vessels = visitor().get("/playground/app.json").json()["vessels"]

    assert [one["id"] for one in vessels] == [one.id for one in VESSELS]


def test_without_a_recorder_there_is_no_debug_route():
    """It exists only where the app asked for it."""
    assert visitor().get("/playground/turns/s").status_code == 404


def test_another_observer_is_refused():
    """What cannot be read back is a mistake of the configuration."""
    with pytest.raises(ConfigError, match="diagnostics"):
        routes(print)


def test_a_turn_can_be_looked_into():
    """An engine's turn shows its reasons, attempts and what healing did."""
    seen = recorder()
    engine = create_engine(planner=keyword_planner(), on_turn=seen)
    asyncio.run(engine.handle(message()))
    seen(finished(name="m-2"))
    client = visitor(seen)

    first, second = client.get("/playground/turns/s").json()["turns"]
    assert first["context"]["updateReasons"] == [
        {"type": "user_intent", "intent": "hi"}
    ]
    assert first["attempts"][0]["healed"]["severity"] == "none"
    assert second["error"]["type"] == "parse_error"
    picked = client.get("/playground/turns/s?id=m-2").json()["turns"]
    assert picked == [second]


def test_diagnostics_are_for_this_machine():
    """Neither another peer nor another name of this machine is answered."""
    seen = recorder()
    seen(finished())
    path = "/playground/turns/s"

    assert visitor(seen).get(path).status_code == 200
    assert visitor(seen, base_url="http://[::1]:80").get(path).status_code == 200
    assert visitor(seen, base_url="http://localhost").get(path).status_code == 200
    assert visitor(seen, peer="192.0.2.7").get(path).status_code == 404
    assert visitor(seen, base_url="http://rebound.example").get(path).status_code == 404


def test_sessions_are_named_by_the_server():
    """Where a server names sessions, its name is asked for, and its refusal returned."""
    seen = recorder()
    seen(finished("inner s"))

    async def name(request, session_id):
        if session_id == "other":
            return JSONResponse({}, 403)
        return f"inner {session_id}"

    client = visitor(seen, name)
    assert len(client.get("/playground/turns/s").json()["turns"]) == 1
    assert client.get("/playground/turns/other").status_code == 403


def test_memory_is_bounded():
    """The last 50 turns of the last 64 sessions; unreadable messages are of none."""
    turns = RecentTurns()
    turns(Diagnostics(None, 1, 2, "failed"))
    for number in range(60):
        turns(finished("long", f"m-{number}"))
    assert [one.message.id for one in turns.of("long")][0::49] == ["m-10", "m-59"]
    for number in range(64):
        turns(finished(f"s-{number}"))

    assert turns.of("long") == ()
    assert len(turns.of("s-0")) == 1
