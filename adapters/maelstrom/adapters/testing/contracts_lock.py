"""What every `SessionLock` keeps: subclass, say how a lock is made, run with pytest.

    class TestMyLock(SharedLockContract):
        def make_lock(self):
            return MyLock(url)

`LockContract` is for one lock in one process; `SharedLockContract` adds what holds
between two locks over the same server, as two processes have them.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from maelstrom.adapters.testing.contracts_history import fresh_session
from maelstrom.effects.ports import SessionLock

__all__ = ["LockContract", "SharedLockContract"]

Scenario: TypeAlias = Callable[[SessionLock, str], Awaitable[None]]

_MANY = 1_000
"""Turns of one process that another one may at most be passed over by."""

_PATIENCE = 30.0
"""Seconds after which a lock that should be free is taken to be stuck."""


class LockContract(ABC):
    """The rules of one lock."""

    @abstractmethod
    def make_lock(self) -> SessionLock:
        """A lock; each call's excludes the others' where processes share it."""

    def run(self, scenario: Scenario) -> None:
        """Play a scenario with a new lock and a new session, and close the lock."""

        async def play() -> None:
            lock = self.make_lock()
            try:
                async with asyncio.timeout(_PATIENCE):
                    await scenario(lock, fresh_session())
            finally:
                await lock.aclose()

        asyncio.run(play())

    def test_one_at_a_time_in_order(self) -> None:
        """One holds the session at a time, first come first served."""

        async def scenario(lock: SessionLock, session: str) -> None:
            log: list[str] = []
            await asyncio.gather(*(_visit(lock, session, n, log) for n in range(8)))
            assert log == [step for n in range(8) for step in (f"+{n}", f"-{n}")]

        self.run(scenario)

    def test_sessions_do_not_wait_for_each_other(self) -> None:
        """Many sessions are held at once."""

        async def scenario(lock: SessionLock, session: str) -> None:
            everyone = asyncio.Barrier(20)

            async def hold(number: int) -> None:
                async with lock.hold(f"{session}{number}"):
                    await everyone.wait()  # never, if one of them had to wait

            await asyncio.gather(*map(hold, range(20)))

        self.run(scenario)

    def test_held_is_not_lost(self) -> None:
        """A lease that is held in peace is not lost, and can be had again."""

        async def scenario(lock: SessionLock, session: str) -> None:
            for _ in range(3):
                async with lock.hold(session) as lease:
                    assert not lease.lost()

        self.run(scenario)

    def test_error_in_the_block_releases(self) -> None:
        """An exception passes, and the session is free."""

        async def scenario(lock: SessionLock, session: str) -> None:
            try:
                async with lock.hold(session):
                    raise KeyError(session)  # noqa: TRY301  it has to be raised here
            except KeyError as error:
                assert error.args == (session,)  # noqa: PT017  the very exception
            async with lock.hold(session):
                pass

        self.run(scenario)

    def test_cancelled_wait_leaves_nothing_behind(self) -> None:
        """Who stops waiting loses its place, and nobody else theirs."""

        async def scenario(lock: SessionLock, session: str) -> None:
            log: list[str] = []
            async with lock.hold(session):
                visits = [
                    asyncio.ensure_future(_visit(lock, session, n, log))
                    for n in range(4)
                ]
                await asyncio.sleep(0)
                visits[0].cancel()
                visits[2].cancel()
                await asyncio.wait([visits[0], visits[2]])
                assert log == []
            await asyncio.wait(visits)
            assert log == ["+1", "-1", "+3", "-3"]

        self.run(scenario)

    def test_cut_anywhere_frees_the_session(self) -> None:
        """Wherever taking, holding or giving back is cut, the next one has it."""

        async def scenario(lock: SessionLock, session: str) -> None:
            for steps in (*range(12), *(n * n for n in range(4, 24))):
                task = asyncio.ensure_future(_visit(lock, session, steps, []))
                for _ in range(steps):
                    await asyncio.sleep(0)
                task.cancel()
                await asyncio.wait([task])
                async with lock.hold(session) as lease:
                    assert not lease.lost()

        self.run(scenario)

    def test_close_is_idempotent(self) -> None:
        """A lock can be closed unused, and twice."""

        async def scenario(lock: SessionLock, session: str) -> None:
            async with lock.hold(session):
                pass
            await lock.aclose()
            await lock.aclose()

        self.run(scenario)
        asyncio.run(self.make_lock().aclose())


class SharedLockContract(LockContract):
    """The rules between two locks over one server."""

    def test_locks_exclude_each_other(self) -> None:
        """Of two processes, one holds a session at a time."""

        async def scenario(lock: SessionLock, session: str) -> None:
            other = self.make_lock()
            log: list[str] = []
            visits = (_visit((lock, other)[n % 2], session, n, log) for n in range(12))
            await asyncio.gather(*visits)
            await other.aclose()
            entered = [step.strip("+") for step in log[::2]]
            assert sorted(entered, key=int) == [str(n) for n in range(12)]
            assert log[1::2] == [f"-{number}" for number in entered]

        self.run(scenario)

    def test_nobody_is_passed_over(self) -> None:
        """A process that holds a session again and again lets another one in between."""

        async def scenario(lock: SessionLock, session: str) -> None:
            other = self.make_lock()
            came = asyncio.Event()

            async def come() -> None:
                async with other.hold(session):
                    came.set()

            visit = asyncio.ensure_future(come())
            turns = 0
            while not came.is_set():
                async with lock.hold(session):
                    turns += 1
                    await asyncio.sleep(0.002)
            await visit
            await other.aclose()
            assert turns < _MANY

        self.run(scenario)

    def test_cancelled_wait_leaves_nothing_on_the_server(self) -> None:
        """Who stops waiting for another process blocks no one later."""

        async def scenario(lock: SessionLock, session: str) -> None:
            other = self.make_lock()
            for steps in (1, 4, 16, 64, 256, 1024):
                async with lock.hold(session):
                    task = asyncio.ensure_future(_visit(other, session, steps, []))
                    for _ in range(steps):
                        await asyncio.sleep(0)
                    task.cancel()
                    await asyncio.wait([task])
                async with lock.hold(session), lock.hold(f"{session}, another"):
                    pass
                async with other.hold(session):
                    pass
            await other.aclose()

        self.run(scenario)


async def _visit(lock: SessionLock, session: str, number: int, log: list[str]) -> None:
    """Hold the session for two steps of the event loop."""
    async with lock.hold(session) as lease:
        log.append(f"+{number}")
        await asyncio.sleep(0)
        assert not lease.lost()
        await asyncio.sleep(0)
        log.append(f"-{number}")
