"""Where the playground is let in; the rest of the server does not know of it.

`maelstrom.adapters.playground` has ``routes(diagnostics, name)``, its page at `/`
and what that loads, and ``recorder()``, an `on_turn` observer that its debug route reads. Where
``diagnostics`` is None there is no debug route. ``name`` gives the engine's name of a
client's session, or the answer that refuses it: the debug route shows a subject its own.
"""

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Final, TypeAlias, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from maelstrom.effects.ports import Observer

__all__ = ["page_recorder", "page_routes"]

NameSession: TypeAlias = Callable[[Request, str], Awaitable[str | Response]]

_PLAYGROUND: Final = "maelstrom.adapters.playground"


def page_routes(diagnostics: Observer | None, name: NameSession) -> list[BaseRoute]:
    """The playground's routes."""
    return list(import_module(_PLAYGROUND).routes(diagnostics, name))


def page_recorder() -> Observer:
    """An observer whose turns the playground can show."""
    return cast("Observer", import_module(_PLAYGROUND).recorder())
