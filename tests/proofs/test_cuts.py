"""Turns cut anywhere over real stores and locks: whole or nothing, and the next one runs.

A turn is cancelled, or its signal set, after ever more steps of the event loop, until it
ends before the cut.
"""

import asyncio

import pytest
from returns.pipeline import is_successful

from maelstrom.core.errors import AbortedError
from maelstrom.effects.create import create_engine
from tests.proofs.turns import answering, check_sound, history, load_all, lock, message
from tests.servers import postgres_running, redis_running


async def cut_turns(store_url: str, lock_url: str) -> None:
    engine = create_engine(
        planner=answering(),
        history=history(store_url),
        history_required=True,
        lock=lock(lock_url),
    )
    returned = []
    cuts = [steps for n in range(40) for steps in (n * n,) * 2]
    for number, steps in enumerate(cuts):
        signal = asyncio.Event()
        turn = asyncio.ensure_future(
            engine.handle(message("s", f"cut-{number}"), signal)
        )
        for _ in range(steps):
            await asyncio.sleep(0)
        if number % 2:
            turn.cancel()
        else:
            signal.set()
        await asyncio.wait([turn])
        if not turn.cancelled():
            result = turn.result()
            if is_successful(result):
                returned.append(f"cut-{number}")
            else:
                assert isinstance(result.failure(), AbortedError), result
        following = await engine.handle(message("s", f"next-{number}"))
        assert is_successful(following), following
        returned.append(f"next-{number}")
    await engine.aclose()
    check_sound(await load_all(store_url, "s"), returned)


def test_sqlite(tmp_path):
    """Turns over SQLite can be cut anywhere."""
    asyncio.run(cut_turns(str(tmp_path / "history.db"), ""))


@pytest.mark.parametrize("running", [redis_running, postgres_running])
def test_servers(running):
    """Turns over Redis and over PostgreSQL, with their locks, can be cut anywhere."""
    with running() as server:
        asyncio.run(cut_turns(server.url, server.url))
