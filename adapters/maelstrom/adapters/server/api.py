"""The endpoints: an engine on HTTP, in its own wire format.

They depend on the `Engine` protocol alone; what an engine does not have is answered for
it: 501 for deletion, ready for readiness.

Wart: a client that sends its next request before it has the answer to the last makes
the server stop reading, so that its going away is noticed only after the answer.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, TypeGuard
from urllib.parse import unquote_to_bytes

from returns.pipeline import is_successful
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from maelstrom.adapters.respond import answer_error, respond
from maelstrom.adapters.server.access import Access, Admitted
from maelstrom.adapters.server.body import read_body
from maelstrom.adapters.server.own_sessions import OwnSessions
from maelstrom.adapters.server.refusal import invalid, refusal, sent
from maelstrom.adapters.server.settings import Settings
from maelstrom.core.errors import IssueCode
from maelstrom.core.wire import decode_message, encode_turn
from maelstrom.core.wire_explain import id_fault
from maelstrom.effects.ports import Engine, ManagedEngine
from maelstrom.effects.settled import settled

__all__ = ["Api"]

_FEW_TURNS: Final = 50
_MOST_TURNS: Final = 1_000
"""The engine's own bounds of a page of history; a limit outside them is moved in."""
_WHOLE: Final = re.compile("-?[0-9]{1,1000}")


class Api:
    """The routes' handlers."""

    def __init__(self, engine: Engine, settings: Settings, access: Access) -> None:
        self._engine = engine
        self._settings = settings
        self._access = access

    async def messages(self, request: Request) -> Response:
        """POST /v1/messages: one turn."""
        limits, timeout = self._settings.limits, self._settings.body_timeout
        body = await read_body(request, limits.message_bytes, timeout)
        if isinstance(body, Response):
            return body
        decoded = decode_message(body, limits)
        if not is_successful(decoded):
            return sent(answer_error(decoded.failure()))
        message = decoded.unwrap()
        admitted = await self._access.admit(request, message.session_id)
        if isinstance(admitted, Response):
            return admitted
        refused = self._access.charge(admitted)
        if refused is not None:
            return refused
        own = self._own(admitted)
        async with _until_gone(request) as gone:
            answer = await respond(own, message, gone, self._settings.turn_timeout)
        return self._access.remember(request, admitted, sent(answer))

    async def history(self, request: Request) -> Response:
        """GET /v1/sessions/{session_id}/history?limit=: `{turns}`, oldest first."""
        limit = _limit(request.query_params.get("limit"))
        if limit is None:
            return invalid(("limit",), "wrong_type", "must be a whole number")
        found = await self._admitted(request)
        if isinstance(found, Response):
            return found
        session_id, own = found
        turns = await own.get_history(session_id, limit)
        if not is_successful(turns):
            return sent(answer_error(turns.failure()))
        return JSONResponse({"turns": [encode_turn(turn) for turn in turns.unwrap()]})

    async def delete(self, request: Request) -> Response:
        """DELETE /v1/sessions/{session_id}: 204, and the session is forgotten."""
        found = await self._admitted(request)
        if isinstance(found, Response):
            return found
        session_id, own = found
        if not _deletes(self._engine):
            return refusal("not_implemented", "this engine deletes no sessions")
        done = await own.delete_session(self._engine, session_id)
        if not is_successful(done):
            return sent(answer_error(done.failure()))
        return Response(status_code=204)

    async def health(self, _: Request) -> Response:
        """GET /healthz: the process answers."""
        return JSONResponse({"status": "ok"})

    async def ready(self, _: Request) -> Response:
        """GET /readyz: a turn could run now."""
        ready = getattr(self._engine, "ready", None)
        if ready is not None and not await ready():
            return refusal("not_ready", "no turn can run now", wait=1)
        return JSONResponse({"status": "ready"})

    async def _admitted(self, request: Request) -> tuple[str, OwnSessions] | Response:
        """The session that the path names, and whose sight it is in."""
        session_id: str = request.path_params["session_id"]
        most = self._settings.limits.id_characters
        fault = _path_fault(request) or id_fault(session_id, most)
        if fault is not None:
            return invalid(("sessionId",), *fault)
        admitted = await self._access.admit(request, session_id)
        if isinstance(admitted, Response):
            return admitted
        return session_id, self._own(admitted)

    def _own(self, admitted: Admitted) -> OwnSessions:
        return OwnSessions(self._engine, admitted.subject, self._settings.limits)


def _deletes(engine: Engine) -> TypeGuard[ManagedEngine]:
    return hasattr(engine, "delete_session")


def _path_fault(request: Request) -> tuple[IssueCode, str] | None:
    """What is wrong with a path whose bytes ASGI would replace to make it a text."""
    try:
        unquote_to_bytes(request.scope.get("raw_path") or b"").decode()
    except UnicodeDecodeError:
        return "bad_text", "percent-encoded bytes that are no UTF-8"
    return None


def _limit(text: str | None) -> int | None:
    if text is None:
        return _FEW_TURNS
    if _WHOLE.fullmatch(text) is None:
        return None
    return max(1, min(_MOST_TURNS, int(text)))


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
        await settled(watcher)
