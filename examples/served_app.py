"""The library's server over an engine of your own. Run it: python -m examples.served_app."""

import os

from maelstrom.adapters.history_sqlite import SqliteHistory
from maelstrom.adapters.server import serve
from maelstrom.effects import create_engine, keyword_planner
from maelstrom.effects.ports import ManagedEngine, Observer


def build(on_turn: Observer | None) -> ManagedEngine:
    """What each worker serves: your planner, your history, your policy."""
    return create_engine(
        planner=keyword_planner(),
        history=SqliteHistory("server.db"),
        history_required=True,
        on_turn=on_turn,  # shows turns in the playground's inspector
    )


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "8000"))
    serve(build, port=port, started=lambda url: print(url, flush=True))
