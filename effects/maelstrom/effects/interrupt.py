"""What cuts a turn short from outside: the caller's signal, the deadline, the closing.

Theory of operation: everything that a turn awaits, but for its recording, runs in the
caller's own task, inside two of asyncio's cancel scopes. The outer one is the deadline,
set on the engine's clock. The inner one has no time of its own: firing it is how a
signal or the engine's closing cuts in. asyncio's own counting tells such a cut from a
cancel of the caller's task, which passes through untouched.

A cut that comes while nothing is awaited is noticed before the next wait and after it:
an answer that arrives together with a signal is not served.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Final, TypeVar

from returns.result import Failure, Result, Success

from maelstrom.core.errors import AbortCause, AbortedError
from maelstrom.effects.guard import Guard
from maelstrom.effects.ports import Clock, Signal
from maelstrom.effects.settled import settled

__all__ = ["Interrupt"]

_T = TypeVar("_T")

_WORDS: Final = MappingProxyType(
    {
        "signal": "the caller's signal was set",
        "deadline": "the turn's time was up",
        "shutdown": "the engine is closing",
    }
)


class Interrupt:
    """The ways in which one turn may be cut short.

    ``deadline`` is on the clock's monotonic scale, in seconds, None for none.
    """

    def __init__(
        self, clock: Clock, deadline: float | None, signal: Signal | None, guard: Guard
    ) -> None:
        self.deadline = deadline
        self._clock = clock
        self._signal = signal
        self._guard = guard
        self._cause: AbortCause | None = None
        self._scope: asyncio.Timeout | None = None

    def fire(self, cause: AbortCause) -> None:
        """Cut in, now or as soon as something is awaited; the first cause counts."""
        if self._cause is None:
            self._cause = cause
            if self._scope is not None:
                self._scope.reschedule(asyncio.get_running_loop().time())

    async def run(self, work: Callable[[], Awaitable[_T]]) -> Result[_T, AbortedError]:
        """Await ``work``, which raises nothing, unless the turn is cut short."""
        cause = self._pending()
        if cause is not None:
            return self._aborted(cause)
        try:
            async with self._clock.timeout(self._left()):
                value = await self._cuttable(work)
        except TimeoutError:
            return self._aborted(self._pending() or "deadline")
        cause = self._pending()
        return Success(value) if cause is None else self._aborted(cause)

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Watch the signal for the block."""
        if self._signal is None:
            yield
            return
        watcher = asyncio.create_task(self._watch(self._signal))
        try:
            yield
        finally:
            watcher.cancel()
            await settled(watcher)

    async def _cuttable(self, work: Callable[[], Awaitable[_T]]) -> _T:
        async with asyncio.timeout(None) as scope:
            self._scope = scope
            try:
                return await work()
            finally:
                self._scope = None

    async def _watch(self, signal: Signal) -> None:
        try:
            await signal.wait()
        except Exception as error:  # noqa: BLE001  a signal of the caller's own
            self._guard.failed("signal", error)
        else:
            self.fire("signal")

    def _pending(self) -> AbortCause | None:
        if self._cause is None and self._is_set():
            self._cause = "signal"
        if self._cause is None and self._left() == 0:
            self._cause = "deadline"
        return self._cause

    def _is_set(self) -> bool:
        try:
            return self._signal is not None and bool(self._signal.is_set())
        except Exception as error:  # noqa: BLE001  a signal of the caller's own
            self._guard.failed("signal", error)
            return False

    def _left(self) -> float | None:
        if self.deadline is None:
            return None
        return max(0.0, self.deadline - self._clock.monotonic())

    @staticmethod
    def _aborted(cause: AbortCause) -> Failure[AbortedError]:
        return Failure(AbortedError(cause, _WORDS[cause]))
