"""ManualClock: time moves by `advance`, and by nothing else."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from maelstrom.adapters.testing.clock import ManualClock


@given(st.lists(st.integers(0, 50), max_size=8))
def test_sleepers_wake_in_the_order_they_are_due(seconds: list[int]) -> None:
    """Whoever is due first wakes first; among equals, whoever slept first."""

    async def scenario() -> list[int]:
        clock, woken = ManualClock(), []

        async def sleeper(index: int, duration: int) -> None:
            await clock.sleep(duration + 1)
            woken.append(index)

        async with asyncio.TaskGroup() as group:
            for index, duration in enumerate(seconds):
                group.create_task(sleeper(index, duration))
            await clock.advance(60)
        assert clock.waiting == 0
        return woken

    expected = sorted(range(len(seconds)), key=lambda i: seconds[i])
    assert expected == asyncio.run(scenario())


def test_a_sleeper_sees_the_time_it_asked_for() -> None:
    """A long step stops at each timer on the way."""

    async def scenario() -> None:
        clock, seen = ManualClock(now=0), []

        async def sleeper() -> None:
            await clock.sleep(1.5)
            seen.append(clock.now())
            await clock.sleep(1)
            seen.append(clock.now())

        task = asyncio.create_task(sleeper())
        await clock.advance(10)
        await task
        assert seen == [1_500, 2_500]
        assert clock.monotonic() == 10.0

    asyncio.run(scenario())


def test_timeout_raises_once_the_time_has_passed() -> None:
    """A block that is still waiting then gets TimeoutError; one that is done does not."""

    async def scenario() -> None:
        clock, outcomes = ManualClock(), []

        async def worker(limit: float | None, work: float) -> None:
            try:
                async with clock.timeout(limit):
                    await clock.sleep(work)
                outcomes.append("done")
            except TimeoutError:
                outcomes.append("late")

        async with asyncio.TaskGroup() as group:
            for limit, work in ((1, 2), (3, 2), (None, 9), (0, 1)):
                group.create_task(worker(limit, work))
            await clock.advance(9)
        assert outcomes == ["late", "late", "done", "done"]
        assert clock.waiting == 0

    asyncio.run(scenario())


def test_cancelling_a_sleeper_leaves_no_timer() -> None:
    """A cancelled sleep is forgotten."""

    async def scenario() -> None:
        clock = ManualClock()
        task = asyncio.create_task(clock.sleep(5))
        await asyncio.sleep(0)
        assert clock.waiting == 1
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()
        assert clock.waiting == 0
        await clock.advance(9)

    asyncio.run(scenario())


def test_an_automatic_clock_moves_as_it_sleeps() -> None:
    """With `auto`, a sleep takes no time and moves the clock."""

    async def scenario() -> None:
        clock = ManualClock(now=0, auto=True)
        await clock.sleep(3)
        assert clock.now() == 3_000
        assert clock.slept == [3]

    asyncio.run(scenario())
