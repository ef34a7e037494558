"""The endpoints: an engine on HTTP, in its own wire format.

They depend on the `Engine` protocol alone; what an engine does not have is answered for
it: 501 for deletion, ready for readiness.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import attrs
from returns.pipeline import is_successful
from returns.result import Result
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from maelstrom.adapters.respond import Response as Answer
from maelstrom.adapters.respond import answer_error, answer_output
from maelstrom.adapters.server.access import Access
from maelstrom.adapters.server.body import read_body
from maelstrom.adapters.server.refusal import refusal
from maelstrom.adapters.server.settings import Settings
from maelstrom.core.errors import EngineError
from maelstrom.core.messages import EngineMessage, EngineOutput
from maelstrom.core.wire import decode_message, encode_turn
from maelstrom.effects.ports import Engine

__all__ = ["Api"]

MOST_TURNS: Final = 1_000
"""The engine's own bound of a history."""


class Api:
    """The routes' handlers."""

    def __init__(self, engine: Engine, settings: Settings, access: Access) -> None:
        self._engine = engine
        self._settings = settings
        self._access = access
        self.draining = False

    async def messages(self, request: Request) -> Response:
        """POST /v1/messages: one turn."""
        limits = self._settings.limits
        body = await read_body(
            request, limits.message_bytes, self._settings.body_timeout
        )
        if isinstance(body, Response):
            return body
        decoded = decode_message(body, limits)
        if not is_successful(decoded):
            return _sent(answer_error(decoded.failure()))
        message = decoded.unwrap()
        admitted = await self._access.admit(request, message.session_id)
        if isinstance(admitted, Response):
            return admitted
        refused = self._access.charge(admitted)
        if refused is not None:
            return self._access.remember(admitted, refused)
        named = attrs.evolve(message, session_id=admitted.session(message.session_id))
        result = await self._turn(request, named)
        return self._access.remember(admitted, _answer(result, message))

    async def _turn(
        self, request: Request, message: EngineMessage
    ) -> Result[EngineOutput, EngineError]:
        """Run the turn, and end it when the client goes away."""
        async with _until_gone(request) as gone:
            return await self._engine.handle(message, gone, self._settings.turn_timeout)

    async def history(self, request: Request) -> Response:
        """GET /v1/sessions/{session_id}/history?limit=: `{turns}`, oldest first."""
        text = request.query_params.get("limit", "50")
        if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= MOST_TURNS):
            return refusal(400, "bad_limit", f"limit is 1 to {MOST_TURNS}")
        session_id = request.path_params["session_id"]
        admitted = await self._access.admit(request, session_id)
        if isinstance(admitted, Response):
            return admitted
        name = admitted.session(session_id)
        turns = await self._engine.get_history(name, int(text))
        if not is_successful(turns):
            error = attrs.evolve(turns.failure(), session_id=session_id)
            return _sent(answer_error(error))
        content = {"turns": [encode_turn(turn) for turn in turns.unwrap()]}
        return self._access.remember(admitted, JSONResponse(content))

    async def delete(self, request: Request) -> Response:
        """DELETE /v1/sessions/{session_id}: 204, and the session is forgotten."""
        forget = getattr(self._engine, "delete_session", None)
        if forget is None:
            return refusal(501, "not_implemented", "this engine deletes no sessions")
        session_id = request.path_params["session_id"]
        admitted = await self._access.admit(request, session_id)
        if isinstance(admitted, Response):
            return admitted
        done = await forget(admitted.session(session_id))
        if not is_successful(done):
            error = attrs.evolve(done.failure(), session_id=session_id)
            return _sent(answer_error(error))
        return self._access.remember(admitted, Response(status_code=204))

    async def health(self, _: Request) -> Response:
        """GET /healthz: the process answers."""
        return JSONResponse({"status": "ok"})

    async def ready(self, _: Request) -> Response:
        """GET /readyz: a turn could run now."""
        ready = getattr(self._engine, "ready", None)
        if self.draining or (ready is not None and not await ready()):
            return refusal(503, "not_ready", "no turn can run now")
        return JSONResponse({"status": "ready"})


def _sent(answer: Answer) -> Response:
    return Response(answer.body, answer.status, dict(answer.headers))


def _answer(
    result: Result[EngineOutput, EngineError], message: EngineMessage
) -> Response:
    """The result under the client's own name of the session."""
    if not is_successful(result):
        error = attrs.evolve(result.failure(), session_id=message.session_id)
        return _sent(answer_error(error))
    output = attrs.evolve(result.unwrap(), session_id=message.session_id)
    return _sent(answer_output(output))


@asynccontextmanager
async def _until_gone(request: Request) -> AsyncIterator[asyncio.Event]:
    """An event that is set when the client disconnects."""
    gone = asyncio.Event()

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        gone.set()

    watcher = asyncio.create_task(watch())
    try:
        yield gone
    finally:
        watcher.cancel()
