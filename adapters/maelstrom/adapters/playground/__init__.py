"""The playground: one page on which an engine is seen at work, and looked into.

The page is static files and needs no build step; `maelstrom.js` among them is the
reference browser client. Beside the files there are two routes: the example app's
vessels, and the diagnostics of recent turns. The latter tell all, prompts and raw
answers included, so that they exist only where the app handed over its `recorder()`,
and answer only a caller on this machine who names this machine.
"""

from maelstrom.adapters.playground.recent import RecentTurns, recorder
from maelstrom.adapters.playground.routes import NameSession, routes

__all__ = ["NameSession", "RecentTurns", "recorder", "routes"]
