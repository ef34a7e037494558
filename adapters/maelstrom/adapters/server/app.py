"""Wiring: an engine becomes an ASGI app."""

import time
from functools import partial
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from maelstrom.adapters.respond import answer_error
from maelstrom.adapters.server.access import Access
from maelstrom.adapters.server.api import Api
from maelstrom.adapters.server.guards import App, Guards
from maelstrom.adapters.server.openapi import openapi_document
from maelstrom.adapters.server.page import page_routes
from maelstrom.adapters.server.rate import RateLimit
from maelstrom.adapters.server.refusal import REFUSALS, refusal, sent
from maelstrom.adapters.server.settings import Authorize, Settings
from maelstrom.adapters.server.subject import session_name
from maelstrom.core.errors import InternalError
from maelstrom.core.limits import Limits
from maelstrom.effects.engine_check import check_engine
from maelstrom.effects.ports import Engine, Observer

__all__ = ["create_app"]

_LIMITS: Final = Limits()


def create_app(
    engine: Engine,
    *,
    authorize: Authorize | None = None,
    secret: bytes | None = None,
    hosts: tuple[str, ...] = (),
    per_minute: float = 60,
    burst: float = 20,
    body_timeout: float = 20,
    turn_timeout: float | None = None,
    limits: Limits = _LIMITS,
    playground: bool = False,
    diagnostics: Observer | None = None,
) -> App:
    """An ASGI app around an engine; the engine stays yours to close.

    Args:
        engine: Whatever keeps the `Engine` protocol.
        authorize: `(request, session_id)` to the subject, or None to refuse, sync or
            async; it may raise Starlette's HTTPException too. Without one the subject
            is a signed cookie of the browser.
        secret: Signs the cookies, 16 bytes or more; several workers need the same one.
            None for one of this app's own, with which its cookies end.
        hosts: The values of the Host header that are served; empty for all.
        per_minute: Turns a minute for each subject.
        burst: Turns that a subject who waited may ask for at once.
        body_timeout: Seconds that a body may take to arrive.
        turn_timeout: Seconds for a turn; None for the engine's own.
        limits: How much is taken in; the engine's, where that has its own.
        playground: Whether `GET /` is the playground.
        diagnostics: What the engine's `on_turn` is, where the playground is to show
            what it saw; to be given on loopback alone.

    Raises:
        ConfigError: ``engine`` is none, or an option is out of its range.
    """
    check_engine(engine)
    settings = Settings(
        authorize=authorize,
        secret=secret,
        hosts=hosts,
        per_minute=per_minute,
        burst=burst,
        body_timeout=body_timeout,
        turn_timeout=turn_timeout,
        limits=limits,
    )
    rate = RateLimit(settings.per_minute, settings.burst, time.monotonic)
    access = Access(settings, rate)
    api = Api(engine, settings, access)
    routes = _routes(api, settings.limits)
    if playground:
        routes += page_routes(diagnostics, partial(_engine_name, access))
    handlers: Any = {HTTPException: _refused, Exception: _failed}
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.router.redirect_slashes = False  # a path is one thing, or nothing
    return Guards(app, settings.hosts)


def _routes(api: Api, limits: Limits) -> list[BaseRoute]:
    document = openapi_document(limits)

    async def openapi(_: Request) -> Response:
        return JSONResponse(document)

    session = "/v1/sessions/{session_id:path}"
    return [
        Route("/v1/messages", api.messages, methods=["POST"]),
        Route(f"{session}/history", api.history, methods=["GET"]),
        Route(session, api.delete, methods=["DELETE"]),
        Route("/healthz", api.health),
        Route("/readyz", api.ready),
        Route("/openapi.json", openapi),
    ]


async def _engine_name(
    access: Access, request: Request, session_id: str
) -> str | Response:
    """What the engine calls a client's session, or the answer that refuses it."""
    admitted = await access.admit(request, session_id)
    if isinstance(admitted, Response):
        return admitted
    return session_name(admitted.subject, session_id)


async def _refused(_: Request, error: Exception) -> Response:
    """What routing, or the app's `authorize`, refused."""
    assert isinstance(error, HTTPException)
    kinds = {status: kind for kind, status in REFUSALS.items()}
    if error.status_code not in kinds:
        return await _failed(_, error)
    return refusal(kinds[error.status_code], error.detail, error.headers)


async def _failed(_: Request, __: Exception) -> Response:
    """A bug of ours, or of the app's `authorize`; the exception goes on to the log."""
    return sent(answer_error(InternalError("server", "the server failed: see its log")))
