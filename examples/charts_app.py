"""A chart for each visitor, kept on the server. Run it: uvicorn examples.charts_app:app."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from secrets import token_urlsafe
from typing import Annotated

from fastapi import Body, FastAPI, Request
from fastapi.responses import JSONResponse, Response
from returns.pipeline import is_successful

from maelstrom.adapters.demo import VESSELS
from maelstrom.adapters.history_sqlite import SqliteHistory
from maelstrom.adapters.respond import answer_error
from maelstrom.core import EngineError, encode_layout
from maelstrom.effects import (
    Conversation,
    InProcessLock,
    Registry,
    create_engine,
    keyword_planner,
)

DATABASE = "charts.db"
registry = Registry(VESSELS)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """An engine and a lock for each start of the app."""
    history = SqliteHistory(DATABASE)
    app.state.engine = create_engine(planner=keyword_planner(), history=history)
    app.state.visitors = InProcessLock()
    yield
    await app.state.engine.aclose(grace=10)


app = FastAPI(lifespan=lifespan)


def failed(error: EngineError) -> Response:
    """The error as JSON, with its status."""
    status, headers, body = answer_error(error)
    return Response(body, status, dict(headers))


async def answer(conversation: Conversation, text: str) -> Response:
    """A turn on the visitor's chart: the message, and the chart to draw."""
    restored = await conversation.restore(limit=1)
    if not is_successful(restored):
        return failed(restored.failure())
    turn = await conversation.say(text)
    if not is_successful(turn):
        return failed(turn.failure())
    reply = turn.unwrap()
    shown = {
        one.instance_id: {"vessel": one.vessel_id, "variant": one.variant}
        for one in reply.state.instances
    }
    layout = encode_layout(reply.state.layout)
    return JSONResponse({"message": reply.message, "shown": shown, "layout": layout})


@app.post("/say")
async def say(request: Request, text: Annotated[str, Body(embed=True)]) -> Response:
    """What the visitor wants, as {"text": ...}; one request of a visitor at a time."""
    visitor = request.cookies.get("visitor") or token_urlsafe()
    state = request.app.state
    async with state.visitors.hold(visitor):
        conversation = Conversation(
            state.engine, registry, columns=12, rows=8, session_id=visitor
        )
        response = await answer(conversation, text)
    response.set_cookie("visitor", visitor, httponly=True, samesite="lax")
    return response
