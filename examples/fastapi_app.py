"""The engine in a FastAPI app. Run it: uvicorn examples.fastapi_app:app."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response

from maelstrom.adapters.respond import respond
from maelstrom.effects import create_engine, keyword_planner


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """An engine for each start of the app: the outermost one's, for others' do not run."""
    app.state.engine = create_engine(planner=keyword_planner())
    yield
    await app.state.engine.aclose(grace=10)


app = FastAPI(lifespan=lifespan)


@app.post("/messages")
async def messages(request: Request) -> Response:
    """A turn: an EngineMessage in, an EngineOutput or an error out."""
    status, headers, body = await respond(
        request.app.state.engine, await request.body()
    )
    return Response(body, status, dict(headers))
