"""Servers that crash under load: the engine recovers by itself.

Redis and PostgreSQL are killed and started again while three sessions take turns. Where
the history is required, a turn fails while it is away, and what was returned is there
afterwards; where it is not, every turn is answered. Long form:
`python -m tests.proofs.test_outage --long` (20 outages each).
"""

import asyncio
import logging
import sys
from collections import Counter

import pytest
from returns.pipeline import is_successful

from maelstrom.effects.create import create_engine
from tests.proofs.turns import answering, check_sound, history, load_all, message, show
from tests.servers import postgres_running, redis_running

SESSIONS = ("s0", "s1", "s2")


async def suffer(server, required: bool, outages: int) -> dict[str, object]:
    """Take turns through so many outages; the figures."""
    engine = create_engine(
        planner=answering(),
        history=history(server.url, timeout=0.5),
        history_required=required,
    )
    returned: dict[str, list[str]] = {session: [] for session in SESSIONS}
    failures: Counter[str] = Counter()
    over = asyncio.Event()

    async def converse(session: str) -> None:
        while not over.is_set():
            request = f"{required}-{len(returned[session])}"
            result = await engine.handle(message(session, request))
            if is_successful(result):
                returned[session].append(request)
            else:
                failures[result.failure().kind] += 1
            await asyncio.sleep(0.005)

    async def progress(turns: int) -> None:
        aims = {session: len(ids) + turns for session, ids in returned.items()}
        while any(len(returned[session]) < aim for session, aim in aims.items()):  # noqa: ASYNC110  a poll is plainer
            await asyncio.sleep(0.01)

    talks = [asyncio.create_task(converse(session)) for session in SESSIONS]
    async with asyncio.timeout(30 * (outages + 1)):
        for _ in range(outages):
            await progress(3)
            await asyncio.to_thread(server.kill)
            await (asyncio.sleep(0.3) if required else progress(1))
            await asyncio.to_thread(server.start)
        await progress(5)
        over.set()
        await asyncio.gather(*talks)
    await engine.aclose()
    recorded = 0
    for session in SESSIONS:
        turns = await load_all(server.url, session)
        check_sound(turns, returned[session] if required else ())
        assert turns[-1].request_id in returned[session][-2:]
        recorded += len(turns)
        returned[session].clear()
    return {"required": required, "recorded": recorded, "failures": dict(failures)}


@pytest.mark.parametrize("required", [True, False])
@pytest.mark.parametrize("running", [redis_running, postgres_running])
def test_outages(running, required, caplog):
    """An outage ends turns in an error at most while it lasts, and loses none."""
    caplog.set_level(logging.CRITICAL, "maelstrom")
    with running() as server:
        figures = asyncio.run(suffer(server, required, 1))
        assert set(figures["failures"]) <= ({"unavailable"} if required else set())


if __name__ == "__main__":
    logging.disable()
    outages = 20 if "--long" in sys.argv else 1
    for running in (redis_running, postgres_running):
        for required in (True, False):
            with running() as server:
                figures = asyncio.run(suffer(server, required, outages))
                show(running.__name__, figures)
