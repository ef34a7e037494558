"""The server: an engine on HTTP, in its own wire format.

    from maelstrom.adapters.server import create_app

    app = create_app(engine, authorize=who_is_it)

Needs the extra `server`. `serve` runs it; `maelstrom serve` does so from the command
line.
"""

from maelstrom.adapters.extra import needing

with needing("server"):
    from maelstrom.adapters.server.app import create_app
    from maelstrom.adapters.server.serve import serve
    from maelstrom.adapters.server.settings import Authorize

__all__ = ["Authorize", "create_app", "serve"]
