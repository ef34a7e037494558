"""The one connection that holds all locks which were free when they were asked for.

Theory: a task of its own talks to it, one statement after the other and in the order
asked, so that no cancelled turn can cut a statement: a turn that is cancelled while it
asks for a lock has it given back behind its question. What the connection holds is lost
with it, and every lease then says so.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from maelstrom.adapters.postgres_driver import outcome

if TYPE_CHECKING:
    from psycopg import AsyncConnection

__all__ = ["ALIVE", "TRY", "UNLOCK", "Keeper", "PostgresLease"]

TRY: Final = "SELECT pg_try_advisory_lock(%s)"
UNLOCK: Final = "SELECT pg_advisory_unlock(%s)"
ALIVE: Final = "SELECT 1"


class PostgresLease:
    """A lock while it is held."""

    def __init__(self) -> None:
        self._lost = False

    def lost(self) -> bool:
        """Whether another process may hold the session by now."""
        return self._lost

    def end(self) -> None:
        """The connection that held the lock is gone."""
        self._lost = True


class _Ask:
    """A statement for the keeper, and the future that takes its answer."""

    def __init__(self, statement: str, key: int, lease: PostgresLease) -> None:
        self.statement = statement
        self.key = key
        self.lease = lease
        self.answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()


class Keeper:
    """Takes and gives back locks, for one event loop."""

    def __init__(
        self,
        connect: Callable[[], Awaitable["AsyncConnection[Any]"]],
        timeout: float,
        heartbeat: float,
    ) -> None:
        self._connect = connect
        self._timeout = timeout
        self._heartbeat = heartbeat
        self._asked: asyncio.Queue[_Ask] = asyncio.Queue()
        self._working: asyncio.Task[None] | None = None
        self._db: AsyncConnection[Any] | None = None
        self._held: set[PostgresLease] = set()

    async def take(self, key: int) -> PostgresLease | None:
        """The lock, or None where another process has it. Raises what the driver does."""
        lease = PostgresLease()
        try:
            return lease if await self._ask(TRY, key, lease).answer else None
        except asyncio.CancelledError:
            self._ask(UNLOCK, key, lease)  # it may be granted, or about to be
            raise

    async def give_back(self, key: int, lease: PostgresLease) -> None:
        """Unlock; where the connection is gone, so is the lock."""
        try:
            await self._ask(UNLOCK, key, lease).answer
        except Exception as error:
            if outcome(error) is None:
                raise

    async def aclose(self) -> None:
        """Close the connection; calling it again does nothing."""
        working, self._working = self._working, None
        if working is not None:
            working.cancel()
            await asyncio.wait([working])
        while not self._asked.empty():
            self._asked.get_nowait().answer.cancel()
        await self._drop()

    def _ask(self, statement: str, key: int, lease: PostgresLease) -> _Ask:
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        ask = _Ask(statement, key, lease)
        self._asked.put_nowait(ask)
        return ask

    async def _work(self) -> None:
        while True:
            ask = None
            with suppress(TimeoutError):
                async with asyncio.timeout(self._heartbeat):
                    ask = await self._asked.get()
            try:
                async with asyncio.timeout(self._timeout):
                    await self._perform(ask)
            except asyncio.CancelledError:
                if ask is not None:
                    ask.answer.cancel()
                raise
            except Exception as error:
                await self._drop()
                if ask is not None and not ask.answer.done():
                    ask.answer.set_exception(error)
                elif outcome(error) is None:
                    raise

    async def _perform(self, ask: _Ask | None) -> None:
        if ask is None:
            if self._db is not None:
                await self._db.execute(ALIVE)
            return
        answer = True
        if ask.statement == TRY:
            self._db = self._db or await self._connect()
            row = await (await self._db.execute(TRY, (ask.key,))).fetchone()
            answer = row is not None and row[0] is True
            if answer:
                self._held.add(ask.lease)
        elif ask.lease in self._held and self._db is not None:
            self._held.remove(ask.lease)
            await self._db.execute(UNLOCK, (ask.key,))
        if not ask.answer.done():
            ask.answer.set_result(answer)

    async def _drop(self) -> None:
        """End the connection, and with it every lock that it held."""
        for lease in self._held:
            lease.end()
        self._held.clear()
        db, self._db = self._db, None
        if db is not None:
            await db.close()
