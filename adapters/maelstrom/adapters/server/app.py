"""Wiring: an engine becomes an ASGI app."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from maelstrom.adapters.server.openapi import OPENAPI
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from maelstrom.adapters.server.access import Access
from maelstrom.adapters.server.api import Api
from maelstrom.adapters.server.guards import Guards
from maelstrom.adapters.server.rate import RateLimit
from maelstrom.adapters.server.refusal import refusal
from maelstrom.adapters.server.settings import Settings
from maelstrom.effects.ports import Engine

__all__ = ["create_app"]

_KINDS = {404: "not_found", 405: "method_not_allowed"}


async def _http_exception(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = error.headers if isinstance(error, HTTPException) else None
    kind = _KINDS.get(status, "http_error")
    return refusal(status, kind, getattr(error, "detail", "failed"), headers)


async def _openapi(_: Request) -> Response:
    return JSONResponse(OPENAPI)


def create_app(engine: Engine, **options: Any) -> Guards:
    """An ASGI app around an engine; the engine stays yours to close.

    Args:
        engine: Whatever keeps the `Engine` protocol.
        **options: The fields of `Settings`: authorize, secret, secure_cookie, hosts,
            per_minute, burst, body_timeout, turn_timeout, limits.

    Raises:
        ConfigError: An option is out of its range.
    """
    settings = Settings(**options)
    rate = RateLimit(settings.per_minute, settings.burst, time.monotonic)
    api = Api(engine, settings, Access(settings, rate))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        api.draining = True

    session = "/v1/sessions/{session_id:path}"
    routes = [
        Route("/v1/messages", api.messages, methods=["POST"]),
        Route(f"{session}/history", api.history, methods=["GET"]),
        Route(session, api.delete, methods=["DELETE"]),
        Route("/healthz", api.health),
        Route("/readyz", api.ready),
        Route("/openapi.json", _openapi),
    ]
    handlers: Any = {HTTPException: _http_exception, Exception: _http_exception}
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
    return Guards(app, settings.hosts)
