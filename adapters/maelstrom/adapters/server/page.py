"""Where the playground is let in; the rest of the server does not know of it.

`maelstrom.adapters.playground` has ``routes(diagnostics)``, its page at `/` and what
that loads, and ``recorder()``, an `on_turn` observer that its debug route reads. Where
``diagnostics`` is None there is no debug route.
"""

from importlib import import_module
from typing import Final, cast

from starlette.routing import BaseRoute

from maelstrom.effects.ports import Observer

__all__ = ["page_recorder", "page_routes"]

_PLAYGROUND: Final = "maelstrom.adapters.playground"


def page_routes(diagnostics: Observer | None) -> list[BaseRoute]:
    """The playground's routes."""
    return list(import_module(_PLAYGROUND).routes(diagnostics))


def page_recorder() -> Observer:
    """An observer whose turns the playground can show."""
    return cast("Observer", import_module(_PLAYGROUND).recorder())
