"""The recipes for web frameworks, asked through the frameworks' own test clients."""

import importlib
import os
import subprocess
import sys
from contextlib import contextmanager

import pytest

from maelstrom.adapters.testing import sample_message
from maelstrom.core import encode_message

MESSAGES = "/messages"


@contextmanager
def _fastapi():
    from fastapi.testclient import TestClient

    module = importlib.import_module("examples.fastapi_app")
    with TestClient(module.app) as client:
        yield lambda sent: client.post(
            MESSAGES,
            content=sent if isinstance(sent, bytes) else None,
            json=None if isinstance(sent, bytes) else sent,
        )


@contextmanager
def _flask():
    module = importlib.import_module("examples.flask_app")
    client = module.app.test_client()

    def post(sent):
        if isinstance(sent, bytes):
            return client.post(MESSAGES, data=sent)
        return client.post(MESSAGES, json=sent)

    yield post
    module.threads.close()


@contextmanager
def _django():
    os.environ["DJANGO_SETTINGS_MODULE"] = "examples.django_app"
    import django
    from django.test import Client

    django.setup()
    module = importlib.import_module("examples.django_app")
    client = Client(SERVER_NAME="localhost")
    yield lambda sent: client.post(MESSAGES, sent, content_type="application/json")
    module.threads.close()


def _json(answer):
    body = answer.json
    return body() if callable(body) else body


@pytest.mark.parametrize("framework", [_fastapi, _flask, _django])
def test_a_turn_passes_through_a_web_app(framework):
    """Ten lines of a framework take a message, answer an error, and close the engine."""
    with framework() as post:
        answer = post(encode_message(sample_message("session-1")))
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/json"
        assert _json(answer)["payload"]["requestId"] == "m1"

        broken = post(b"{")
        assert broken.status_code == 400
        assert _json(broken)["type"] == "request_validation_error"

    module = importlib.import_module(f"examples.{framework.__name__[1:]}_app")
    held = module.app.state if framework is _fastapi else module
    assert held.engine._closing


def test_a_fastapi_app_starts_again():
    """Each start has a loop of its own, and so an engine of its own."""
    for _ in range(2):
        with _fastapi() as post:
            answer = post(encode_message(sample_message("session-1")))
            assert answer.status_code == 200


def test_a_chart_is_kept_for_each_visitor(tmp_path, monkeypatch):
    """The server holds the chart: a restart loses nothing, and nobody sees another's."""
    from fastapi.testclient import TestClient

    module = importlib.import_module("examples.charts_app")
    monkeypatch.setattr(module, "DATABASE", str(tmp_path / "charts.db"))

    def shown(client, text):
        answer = client.post("/say", json={"text": text})
        assert answer.status_code == 200
        return sorted(answer.json()["shown"])

    with TestClient(module.app) as client:
        assert shown(client, "show me my calendar") == ["calendar-1"]
        assert client.post("/say", json={"text": " "}).status_code == 400
        visitor = client.cookies["visitor"]
    with TestClient(module.app, cookies={"visitor": visitor}) as client:
        assert shown(client, "show me the weather") == ["calendar-1", "weather-1"]
    with TestClient(module.app) as client:
        assert shown(client, "show me the weather") == ["weather-1"]


def test_an_engine_of_ones_own_is_served(tmp_path):
    """The module says where it serves, records the turn, and ends at SIGTERM."""
    import httpx

    environment = os.environ | {"PORT": "0", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "examples.served_app"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
    ) as served:
        try:
            url = served.stdout.readline().strip()
            sent = encode_message(sample_message("session-1"))
            answer = httpx.post(
                f"{url}/v1/messages", json=sent, headers={"origin": url}, timeout=60
            )
        finally:
            served.terminate()

    assert answer.status_code == 200
    assert answer.json()["payload"]["requestId"] == "m1"
    assert (tmp_path / "server.db").exists()
    assert served.returncode == 0


def test_a_mounted_app_leaves_closing_to_the_outer_one():
    """The lifespan of a mounted app does not run: the outer app's has to close."""
    from contextlib import asynccontextmanager

    from fastapi import FastAPI
    from fastapi.testclient import TestClient

    ran = []

    def app(name):
        @asynccontextmanager
        async def lifespan(_):
            yield
            ran.append(name)

        return FastAPI(lifespan=lifespan)

    outer = app("outer")
    outer.mount("/inner", app("inner"))
    with TestClient(outer) as client:
        assert client.get("/inner/docs").status_code == 200

    assert ran == ["outer"]
