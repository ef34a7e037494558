"""A clock whose time the test moves.

Theory of operation: sleepers and timeouts wait on a heap of timers, ordered by the time
they are due and then by the order in which they were set. `advance` goes from one due
timer to the next, and after each lets the event loop run until the tasks it woke have
had their say. A timeout is asyncio's own, fired by hand: who cancelled whom is decided
exactly as it is with the system clock.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from heapq import heappop, heappush
from itertools import count
from typing import Final

__all__ = ["ManualClock"]

_SETTLE: Final = 100
"""Rounds of the event loop after each step: more than any chain of ours takes."""


class _Timer:
    """Something due at a time; a stopped one is passed over."""

    __slots__ = ("due", "fire", "number")

    def __init__(self, due: float, number: int, fire: Callable[[], object]) -> None:
        self.due = due
        self.number = number
        self.fire: Callable[[], object] | None = fire

    def __lt__(self, other: "_Timer") -> bool:
        return (self.due, self.number) < (other.due, other.number)


class ManualClock:
    """A `Clock` that stands still until it is told to move.

    Args:
        now: Milliseconds since the Unix epoch at the start.
        auto: Whether a sleep moves the clock itself, at once, instead of waiting for
            `advance`. The pauses of a retry then take no time at all.

    >>> async def scenario() -> int:
    ...     clock = ManualClock(now=1_000)
    ...     sleeper = asyncio.create_task(clock.sleep(2))
    ...     await clock.advance(5)
    ...     assert sleeper.done()
    ...     return clock.now()
    >>> asyncio.run(scenario())
    6000
    """

    def __init__(self, now: int = 1_767_225_600_000, *, auto: bool = False) -> None:
        self.slept: list[float] = []
        """The seconds of each sleep that was asked for, in order."""
        self._epoch = now
        self._passed = 0.0
        self._auto = auto
        self._timers: list[_Timer] = []
        self._numbers = count()

    def now(self) -> int:
        """Milliseconds since the Unix epoch."""
        return self._epoch + round(self._passed * 1_000)

    def monotonic(self) -> float:
        """Seconds that the clock was moved so far."""
        return self._passed

    @property
    def waiting(self) -> int:
        """How many sleeps and timeouts are running."""
        return sum(timer.fire is not None for timer in self._timers)

    async def sleep(self, seconds: float) -> None:
        """Wait until the clock was moved that far."""
        self.slept.append(seconds)
        if self._auto:
            await self.advance(seconds)
            return
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def wake() -> None:
            if not woken.done():
                woken.set_result(None)

        timer = self._set(seconds, wake)
        try:
            await woken
        finally:
            timer.fire = None

    def timeout(self, seconds: float | None) -> AbstractAsyncContextManager[object]:
        """Raise TimeoutError out of the block once the clock was moved that far."""
        return self._timeout(seconds)

    @asynccontextmanager
    async def _timeout(self, seconds: float | None) -> AsyncIterator[object]:
        async with asyncio.timeout(None) as scope:
            if seconds is None:
                yield scope
                return
            timer = self._set(seconds, lambda: scope.reschedule(0))
            if seconds <= 0:
                self._fire(timer)
            try:
                yield scope
            finally:
                timer.fire = None

    async def advance(self, seconds: float) -> None:
        """Move the clock, waking what falls due on the way, in order."""
        end = self._passed + seconds
        await self._settle()
        while self._timers and self._timers[0].due <= end:
            timer = heappop(self._timers)
            if timer.fire is not None:
                self._passed = max(self._passed, timer.due)
                self._fire(timer)
                await self._settle()
        self._passed = max(self._passed, end)
        await self._settle()

    def _set(self, seconds: float, fire: Callable[[], object]) -> _Timer:
        timer = _Timer(self._passed + seconds, next(self._numbers), fire)
        heappush(self._timers, timer)
        return timer

    @staticmethod
    def _fire(timer: _Timer) -> None:
        fire, timer.fire = timer.fire, None
        if fire is not None:
            fire()

    @staticmethod
    async def _settle() -> None:
        for _ in range(_SETTLE):
            await asyncio.sleep(0)
