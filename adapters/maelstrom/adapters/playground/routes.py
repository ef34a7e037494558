"""The playground's routes, for a Starlette app to mount at its root.

Theory: all that the page loads is of this origin, so that the strictest
Content-Security-Policy serves it. Which static files exist is read once, when the
routes are made: a path of a request is looked up in that table and never opened.

The debug route is for eyes on this machine. The peer must be on loopback, and so must
the name in the Host header: a page of another site whose name was made to point here
(DNS rebinding) still says its own name. What a proxy passed on comes from elsewhere.
"""

from collections.abc import Awaitable, Callable
from importlib.resources import files
from types import MappingProxyType
from typing import Final, TypeAlias

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from maelstrom.adapters.demo import demo_chart
from maelstrom.adapters.playground.recent import RecentTurns
from maelstrom.adapters.playground.shown import shown
from maelstrom.core.chart_state import make_request
from maelstrom.core.request import ChartResize
from maelstrom.core.wire import encode_request
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.ports import Observer

__all__ = ["NameSession", "routes"]

NameSession: TypeAlias = Callable[[Request, str], Awaitable[str | Response]]
"""`(request, session_id)` to the engine's name of the session, or the refusal."""

_TYPES: Final = MappingProxyType(
    {
        ".html": "text/html; charset=utf-8",
        ".css": "text/css; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".svg": "image/svg+xml",
    }
)
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost", "[::1]"})
_PROXIES: Final = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


def routes(
    diagnostics: Observer | None = None, name_session: NameSession | None = None
) -> list[Route]:
    """The page at ``/``, its files below ``/playground/``, and the debug route.

    Args:
        diagnostics: The engine's `on_turn`, a `recorder()`; without one there is no
            debug route.
        name_session: How the server names a client's session inside the engine, where
            it does not pass the client's own id through.

    Raises:
        ConfigError: ``diagnostics`` is an observer of another kind.
    """
    if diagnostics is not None and not isinstance(diagnostics, RecentTurns):
        raise ConfigError("diagnostics", "must be a recorder() of the playground")
    static = _static()

    async def file(request: Request) -> Response:
        return _file(static, request.path_params["name"])

    async def page(_: Request) -> Response:
        return _file(static, "index.html")

    made = [
        Route("/", page),
        Route("/playground/app.json", _app),
        Route("/playground/{name}", file),
    ]
    if diagnostics is not None:
        debug = _debug(diagnostics, name_session)
        made.append(Route("/playground/turns/{session_id:path}", debug))
    return made


def _static() -> dict[str, tuple[bytes, str]]:
    """Every static file by its name: bytes and media type."""
    folder = files("maelstrom.adapters.playground").joinpath("static")
    return {
        entry.name: (entry.read_bytes(), _TYPES["." + entry.name.rpartition(".")[2]])
        for entry in folder.iterdir()
        if "." + entry.name.rpartition(".")[2] in _TYPES
    }


def _file(static: dict[str, tuple[bytes, str]], name: str) -> Response:
    if name not in static:
        return _not_found("no such file")
    body, media_type = static[name]
    return Response(body, headers={"content-type": media_type})


async def _app(_: Request) -> Response:
    """The example app's vessels, as they go into every request."""
    request = make_request(demo_chart(), [ChartResize()])
    return JSONResponse({"vessels": encode_request(request)["vessels"]})


def _debug(
    recent: RecentTurns, name_session: NameSession | None
) -> Callable[[Request], Awaitable[Response]]:
    """GET /playground/turns/{session_id}?id=: `{turns}`, oldest first; `id` picks one."""

    async def turns(request: Request) -> Response:
        if not _is_local(request):
            return _not_found("only on this machine")
        name: str | Response = request.path_params["session_id"]
        if name_session is not None:
            name = await name_session(request, request.path_params["session_id"])
        if isinstance(name, Response):
            return name
        wanted = request.query_params.get("id")
        found = (one for one in recent.of(name) if one.message is not None)
        return JSONResponse(
            {
                "turns": [
                    shown(one)
                    for one in found
                    if wanted is None or (one.message and one.message.id == wanted)
                ]
            }
        )

    return turns


def _is_local(request: Request) -> bool:
    peer = request.client.host if request.client else ""
    host = request.headers.get("host", "").lower()
    bare = host if host.endswith("]") else host.rpartition(":")[0] or host
    passed_on = any(name in request.headers for name in _PROXIES)
    return peer in _LOOPBACK and bare in _LOOPBACK and not passed_on


def _not_found(message: str) -> Response:
    return JSONResponse({"type": "not_found", "message": message}, 404)
