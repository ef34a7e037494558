"""One turn at a time per session, and how many may wait.

Theory of operation: whoever wants a session first counts itself in (`max_waiting`),
then waits for the lock (`lock_timeout`), then for one of the engine's places
(`max_concurrent_turns`). Places are taken after the lock, so that turns which queue for
one busy session take none from the others. All three are first come first served.

What is had is put on the caller's exit stack as soon as it is had: wherever a cut
falls, the stack gives back exactly that.

Wart: the count is this process's. With a lock that spans processes, turns elsewhere
are not in it; the wait's bound holds for all.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from types import TracebackType
from typing import Final

from attrs import define, field, frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.core.errors import SessionBusyError
from maelstrom.effects.guard import Guard
from maelstrom.effects.ports import Clock, Lease, SessionLock
from maelstrom.effects.within import within

__all__ = ["InProcessLock", "Sessions"]

_RETRY_AFTER_MS: Final = 1_000
"""The hint of SessionBusyError: a turn takes seconds, so asking sooner is in vain."""


@frozen
class _Kept:
    """The lease of a lock that nothing but its own process can lose."""

    def lost(self) -> bool:
        return False


@define
class _Entry:
    lock: asyncio.Lock = field(factory=asyncio.Lock)
    users: int = 0


class InProcessLock:
    """An asyncio lock per session, forgotten when nobody holds or awaits it."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}

    def __len__(self) -> int:
        """How many sessions are held or awaited."""
        return len(self._entries)

    @asynccontextmanager
    async def hold(self, session_id: str) -> AsyncIterator[Lease]:
        """Wait until the session is free, hold it for the block."""
        entry = self._entries.setdefault(session_id, _Entry())
        entry.users += 1
        try:
            async with entry.lock:
                yield _Kept()
        finally:
            entry.users -= 1
            if not entry.users:
                del self._entries[session_id]

    async def aclose(self) -> None:
        """Nothing is open."""


class Sessions:
    """Who holds which session, shared by an engine and its copies."""

    def __init__(
        self, lock: SessionLock, max_waiting: int, max_concurrent: int | None
    ) -> None:
        self.lock = lock
        self._max_waiting = max_waiting
        self._max_concurrent = max_concurrent
        self._present: dict[str, int] = {}
        self._places = asyncio.Semaphore(max_concurrent) if max_concurrent else None
        self._loop: asyncio.AbstractEventLoop | None = None

    def with_lock(self, lock: SessionLock) -> "Sessions":
        """The same bounds under another lock, for a copy that is to share nothing."""
        return Sessions(lock, self._max_waiting, self._max_concurrent)

    def at_home(self) -> bool:
        """Whether this is the event loop that first ran here: locks belong to it."""
        running = asyncio.get_running_loop()
        if self._loop is None:
            self._loop = running
        return self._loop is running

    async def hold(
        self,
        session_id: str,
        held: AsyncExitStack,
        clock: Clock,
        seconds: float,
        guard: Guard,
    ) -> Result[Lease, SessionBusyError]:
        """Wait for a session and hold it until ``held`` is left.

        ``seconds`` bound the wait for the lock. A lock that fails as it is given back
        is reported to ``guard``, and fails nothing.
        """
        present = self._present.get(session_id, 0)
        if present > self._max_waiting:
            words = f"a turn of the session runs, and {present - 1} wait: no more may"
            return Failure(SessionBusyError(_RETRY_AFTER_MS, words))
        self._present[session_id] = present + 1
        held.callback(self._leave, session_id)

        async def enter() -> Lease:
            return await self._enter(session_id, held, guard)

        lease = await within(clock, seconds, enter)
        if not is_successful(lease):
            words = f"the session was not free within {seconds} s"
            return Failure(SessionBusyError(_RETRY_AFTER_MS, words))
        if self._places is not None:
            await self._places.acquire()
            held.callback(self._places.release)
        return Success(lease.unwrap())

    async def _enter(
        self, session_id: str, held: AsyncExitStack, guard: Guard
    ) -> Lease:
        manager = self.lock.hold(session_id)
        lease = await manager.__aenter__()

        async def give_back(
            kind: type[BaseException] | None,
            error: BaseException | None,
            trace: TracebackType | None,
        ) -> None:
            try:
                await manager.__aexit__(kind, error, trace)
            except Exception as failure:  # noqa: BLE001  a lock of the app's own
                guard.failed("lock", failure)

        held.push_async_exit(give_back)
        return lease

    def _leave(self, session_id: str) -> None:
        self._present[session_id] -= 1
        if not self._present[session_id]:
            del self._present[session_id]
