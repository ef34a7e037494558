"""The engine in a FastAPI app. Run it: uvicorn examples.fastapi_app:app."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response

from maelstrom.adapters.respond import respond
from maelstrom.effects import create_engine, keyword_planner

engine = create_engine(planner=keyword_planner())


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:  # noqa: ARG001  FastAPI's shape
    """Close the engine with the app: of the outermost app, for others' do not run."""
    yield
    await engine.aclose(grace=10)


app = FastAPI(lifespan=lifespan)


@app.post("/messages")
async def messages(request: Request) -> Response:
    """A turn: an EngineMessage in, an EngineOutput or an error out."""
    status, headers, body = await respond(engine, await request.body())
    return Response(body, status, dict(headers))
