"""What the tests of the server are made of: a message, engines, a client in-process."""

import asyncio
import json
from contextlib import asynccontextmanager

import httpx
from attrs import define, field
from returns.result import Failure, Success

from maelstrom.adapters.demo import demo_chart
from maelstrom.adapters.history_memory import MemoryHistory
from maelstrom.adapters.server import create_app
from maelstrom.core.chart_state import make_request
from maelstrom.core.errors import InternalError
from maelstrom.core.messages import EngineMessage
from maelstrom.core.request import UserIntent
from maelstrom.core.wire import encode_message
from maelstrom.effects.create import create_engine
from maelstrom.effects.offline import reflow_planner

HERE = "http://127.0.0.1:8000"
JSON = {"content-type": "application/json"}


def message(session="s", request="m", intent="tidy up", **more):
    """A message as JSON."""
    payload = make_request(demo_chart(), (UserIntent(intent),))
    return {**encode_message(EngineMessage(session, request, 1, payload)), **more}


def text(value):
    """A value as the bytes of a body."""
    return json.dumps(value).encode()


@define
class StubEngine:
    """No more than an `Engine` must have; answers with what it was given."""

    result: object = Failure(InternalError("stub", "nothing was said"))
    turns: object = Success(())
    asked: list = field(factory=list)

    async def handle(self, message, signal=None, timeout=None):  # noqa: ASYNC109
        self.asked.append((message, signal, timeout))
        return self.result

    async def get_history(self, session_id, limit=50):
        self.asked.append((session_id, limit))
        return self.turns


@define
class StubManaged(StubEngine):
    """One that also deletes, and says whether it is ready."""

    deleted: object = Success(None)
    is_ready: bool = True

    async def delete_session(self, session_id):
        self.asked.append(session_id)
        return self.deleted

    async def ready(self):
        return self.is_ready


def engine(**more):
    """The reference engine with a history and a planner that asks nobody."""
    return create_engine(planner=reflow_planner(), history=MemoryHistory(), **more)


@asynccontextmanager
async def client(app, peer="127.0.0.1", **more):
    """A browser that has visited nothing yet, without a socket."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(peer, 1))
    async with httpx.AsyncClient(transport=transport, base_url=HERE, **more) as browser:
        yield browser


def with_client(scenario, engine, **options):
    """Run `scenario(browser)` against an app around the engine."""

    async def play():
        async with client(create_app(engine, **options)) as browser:
            return await scenario(browser)

    return asyncio.run(play())


async def post(browser, value=None, **headers):
    """Post a message as a page of this origin does."""
    body = value if isinstance(value, bytes) else text(value or message())
    sent = {**JSON, "origin": HERE, **headers}
    return await browser.post("/v1/messages", content=body, headers=sent)
