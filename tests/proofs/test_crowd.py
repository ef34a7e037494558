"""Many sessions at once in one process: none waits for another, none leaves a trace.

Each takes turns with a planner that takes 50 ms. Long form, which prints the overhead
of a turn beyond these: `python -m tests.proofs.test_crowd --long` (2,000 sessions of 5
turns).
"""

import asyncio
import gc
import sys
import time
from statistics import median, quantiles

from returns.result import Success

from maelstrom.effects.create import create_engine
from tests.proofs.turns import answering, message, show

MODEL_SECONDS = 0.05


async def crowd(sessions: int, turns: int) -> list[float]:
    """Seconds of each turn beyond the model's; all sessions meet in their first."""
    everyone = asyncio.Barrier(sessions)
    answer = answering(MODEL_SECONDS)
    met: set[str] = set()

    async def plan(given, context):
        if context.session_id not in met:
            met.add(context.session_id)
            await everyone.wait()  # never, if one of them had to wait
        return await answer(given, context)

    engine = create_engine(planner=plan)
    overheads: list[float] = []

    async def converse(session: str) -> None:
        for number in range(turns):
            sent = message(session, f"m{number}")
            began = time.perf_counter()
            result = await engine.handle(sent)
            if number:  # the first one waited for the crowd
                overheads.append(time.perf_counter() - began - MODEL_SECONDS)
            assert isinstance(result, Success), result

    async with asyncio.timeout(300):
        await asyncio.gather(*(converse(f"s{n}") for n in range(sessions)))
    assert len(engine._sessions.lock) == 0
    assert not engine._sessions._present
    assert asyncio.all_tasks() == {asyncio.current_task()}
    await engine.aclose()
    return overheads


def held() -> int:
    gc.collect()
    return len(gc.get_objects())


def test_crowd():
    """Sessions run side by side, and nothing of them is left when they ended."""
    asyncio.run(crowd(200, 2))
    before = held()
    asyncio.run(crowd(200, 2))
    assert held() - before < 200


def report(sessions: int, turns: int) -> None:
    before, began = held(), time.process_time()
    overheads = asyncio.run(crowd(sessions, turns))
    spent = (time.process_time() - began) / (sessions * turns)
    show(
        f"{sessions} sessions of {turns} turns: overhead of a turn"
        f" median {median(overheads) * 1e3:.1f} ms,"
        f" p99 {quantiles(overheads, n=100)[98] * 1e3:.1f} ms,"
        f" processor {spent * 1e3:.2f} ms; objects left {held() - before}"
    )


if __name__ == "__main__":
    asyncio.run(crowd(20, 2))
    report(1, 200)
    report(20, 20)
    report(2_000 if "--long" in sys.argv else 200, 5)
