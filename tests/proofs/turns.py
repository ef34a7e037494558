"""What the proofs share: a message, a planner without a model, stores and locks by URL."""

import asyncio
from pathlib import Path

from returns.result import Success

from maelstrom.adapters.history_postgres import PostgresHistory
from maelstrom.adapters.history_redis import RedisHistory
from maelstrom.adapters.history_sqlite import SqliteHistory
from maelstrom.adapters.lock_postgres import PostgresLock
from maelstrom.adapters.lock_redis import RedisLock
from maelstrom.core.candidate import Candidate
from maelstrom.effects.ports import HistoryStore, SessionLock

__all__ = [
    "ALL",
    "answering",
    "check_sound",
    "history",
    "load_all",
    "lock",
    "message",
    "show",
]

ALL = 1_000_000
"""More turns than a proof records."""


def history(url: str, **settings) -> HistoryStore:
    """The store that a URL names; a bare path is a SQLite file."""
    if url.startswith("redis"):
        return RedisHistory(url, **settings)
    if url.startswith("postgres"):
        return PostgresHistory(url, **settings)
    return SqliteHistory(Path(url), **settings)


def lock(url: str, **settings) -> SessionLock | None:
    """The lock that a URL names; none for an empty one."""
    if not url:
        return None
    make = RedisLock if url.startswith("redis") else PostgresLock
    return make(url, **settings)


def message(session: str, request: str) -> dict:
    """A user's wish, on a chart with one instance."""
    place = {"position": {"row": 0, "column": 0}, "size": {"width": 2, "height": 2}}
    variant = {"id": "small", "description": "Today's weather"}
    return {
        "sessionId": session,
        "id": request,
        "timestamp": 1_700_000_000_000,
        "payload": {
            "type": "chart_request",
            "context": {
                "updateReasons": [{"type": "user_intent", "intent": f"wish {request}"}],
                "chartDimensions": {"columns": 12, "rows": 8},
                "layoutMode": "grid",
            },
            "instances": [
                {"instanceId": "w1", "vesselId": "weather", "variant": "small"}
            ],
            "vessels": [
                {"id": "weather", "description": "The weather", "variants": [variant]}
            ],
            "layout": {"type": "grid", "positions": [{"instanceId": "w1", **place}]},
        },
    }


def answering(seconds: float = 0.0, around=None):
    """A planner that keeps the chart; `around(session, request, step)` sees it come and go."""

    async def plan(given, context):
        if around is not None:
            around(context.session_id, context.message_id, "+")
        await asyncio.sleep(seconds)
        if around is not None:
            around(context.session_id, context.message_id, "-")
        place = {"position": {"row": 0, "column": 0}, "size": {"width": 2, "height": 2}}
        layout = {"type": "grid", "positions": [{"instanceId": "w1", **place}]}
        words = f"answer {context.message_id}"
        return Success(Candidate("because", (), layout, words))

    return plan


async def load_all(url: str, session: str):
    """Every turn that a store holds of a session."""
    store = history(url)
    loaded = await store.load(session, ALL)
    await store.aclose()
    return loaded.unwrap().turns


def check_sound(turns, printed) -> None:
    """No gap, none double, none torn, and none missing whose output was returned."""
    assert [turn.seq for turn in turns] == [*range(1, len(turns) + 1)]
    ids = [turn.request_id for turn in turns]
    assert len(set(ids)) == len(ids)
    assert set(printed) <= set(ids)
    for turn in turns:
        assert turn.user_message == f"answer {turn.request_id}"


def show(*figures: object) -> None:
    """Print what a proof measured."""
    print(*figures, flush=True)  # noqa: T201  the long forms are programs
