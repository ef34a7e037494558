"""The server: an engine on HTTP, in its own wire format.

    from maelstrom.adapters.server import create_app

    app = create_app(engine, authorize=who_is_it)

Needs the extra `server`. `serve` runs it; `maelstrom serve` does so from the command
line.
"""

try:
    from maelstrom.adapters.server.app import create_app
    from maelstrom.adapters.server.serve import serve
    from maelstrom.adapters.server.settings import Authorize
except ModuleNotFoundError as error:
    missing = (error.name or "").partition(".")[0]
    message = f"{missing} is missing: pip install 'maelstrom-engine[server]'"
    raise ImportError(message, name=error.name) from error

__all__ = ["Authorize", "create_app", "serve"]
