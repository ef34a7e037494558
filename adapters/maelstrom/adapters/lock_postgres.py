"""One turn at a time per session, across processes, with PostgreSQL.

Theory: a session's lock is an advisory lock on a 64-bit hash of its id, which the
server gives back by itself when the connection that holds it ends. Locks that are free
when asked for, nearly all of them, are held by one connection, the keeper. Where
another process holds the session, a connection of its own waits in the server's queue,
which is in order of arrival, and holds the lock it was waiting for. Connections are
asked for a sign of life once a `heartbeat`; a lock is lost when its connection is.
Within a process, only the first in line asks the server.

Warts: two sessions whose hashes collide wait for each other without need. A connection
pooler in transaction mode cannot hold such locks: connect to the server itself.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from maelstrom.adapters.postgres_driver import check_conninfo, outcome
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.sessions import InProcessLock
from maelstrom.effects.stored import check_seconds

if TYPE_CHECKING:
    from psycopg import AsyncConnection

__all__ = ["PostgresLock"]

_AWAY: Final = (0.05, 1.0)
"""Seconds between two tries while the server is away: the first, and the longest."""

_FEWEST: Final = 2
"""Connections that it takes: the keeper, and one to wait with."""

_TRY: Final = "SELECT pg_try_advisory_lock(%s)"
_WAIT: Final = "SELECT pg_advisory_lock(%s)"
_UNLOCK: Final = "SELECT pg_advisory_unlock(%s)"
_ALIVE: Final = "SELECT 1"
_WATCHFUL: Final = (
    # The server notices within half a minute that this machine vanished, not in hours.
    "SELECT set_config('tcp_keepalives_idle', '10', false),"
    " set_config('tcp_keepalives_interval', '5', false),"
    " set_config('tcp_keepalives_count', '3', false)"
)


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


class PostgresLock:
    """A `SessionLock` for engines in several processes.

    Args:
        conninfo: A `postgresql://` URL or libpq's `key=value` form.
        timeout: Seconds that connecting, or a sign of life, may take.
        heartbeat: Seconds between two signs of life.
        max_connections: Connections open at a time, one of them the keeper: so many
            sessions but one can be waited for that other processes hold.

    Raises:
        ConfigError: An argument is not what it should be; the message names it.
        ImportError: The extra is not installed.
    """

    def __init__(
        self,
        conninfo: str,
        *,
        timeout: float = 5.0,
        heartbeat: float = 1.0,
        max_connections: int = 16,
    ) -> None:
        self._timeout = check_seconds("timeout", timeout)
        self._heartbeat = check_seconds("heartbeat", heartbeat)
        if max_connections.__class__ is not int or max_connections < _FEWEST:
            raise ConfigError(
                "max_connections", f"{max_connections!r} is not 2 or more"
            )
        self._settings = check_conninfo(conninfo, timeout)
        self._max_lines = max_connections - 1
        self._queue = InProcessLock()
        self._loop: asyncio.AbstractEventLoop | None = None

    @asynccontextmanager
    async def hold(self, session_id: str) -> AsyncIterator[PostgresLease]:
        """Wait until the session is free, hold it for the block."""
        self._bind()
        key = _key(session_id)
        async with self._queue.hold(session_id):
            lease = await _patiently(lambda: self._keeper.take(key))
            if lease is not None:
                try:
                    yield lease
                finally:
                    await self._keeper.give_back(key, lease)
            else:
                async with self._lines:
                    line = await _patiently(lambda: self._wait_in_line(key))
                    try:
                        yield line.lease
                    finally:
                        await line.aclose()

    async def aclose(self) -> None:
        """Close the connections; calling it again does nothing."""
        self._bind()
        await self._keeper.aclose()

    def _bind(self) -> None:
        """Connections belong to the event loop that opened them."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop = loop
            self._lines = asyncio.Semaphore(self._max_lines)
            self._keeper = _Keeper(self._connect, self._timeout, self._heartbeat)

    async def _connect(self) -> "AsyncConnection[Any]":
        from psycopg import AsyncConnection

        db = await AsyncConnection.connect(**self._settings, autocommit=True)
        await db.execute(_WATCHFUL)
        return db

    async def _wait_in_line(self, key: int) -> "_Line":
        db = await self._connect()
        try:
            await db.execute(_WAIT, (key,))
        except BaseException:
            await db.close()
            raise
        return _Line(db, self._timeout, self._heartbeat)


class _Line:
    """A connection that holds one lock, and is closed to give it back."""

    def __init__(
        self, db: "AsyncConnection[Any]", timeout: float, heartbeat: float
    ) -> None:
        self.lease = PostgresLease()
        self._db = db
        self._timeout = timeout
        self._heartbeat = heartbeat
        self._watching = asyncio.create_task(self._watch())

    async def aclose(self) -> None:
        self._watching.cancel()
        try:
            await asyncio.wait([self._watching])
        finally:
            await self._db.close()

    async def _watch(self) -> None:
        try:
            while True:
                await asyncio.sleep(self._heartbeat)
                async with asyncio.timeout(self._timeout):
                    await self._db.execute(_ALIVE)
        except Exception as error:
            self.lease.end()
            if outcome(error) is None:
                raise


class _Ask:
    """A statement for the keeper, and the future that takes its answer."""

    def __init__(self, statement: str, key: int, lease: PostgresLease) -> None:
        self.statement = statement
        self.key = key
        self.lease = lease
        self.answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()


class _Keeper:
    """The one connection for all locks that are free when they are asked for.

    A task of its own talks to it, one statement after the other and in the order asked,
    so that no cancelled turn can cut a statement: a turn that is cancelled while it asks
    for a lock has it given back behind its question.
    """

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
            return lease if await self._ask(_TRY, key, lease).answer else None
        except asyncio.CancelledError:
            self._ask(_UNLOCK, key, lease)  # it may be granted, or about to be
            raise

    async def give_back(self, key: int, lease: PostgresLease) -> None:
        """Unlock; where the connection is gone, so is the lock."""
        try:
            await self._ask(_UNLOCK, key, lease).answer
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
                await self._db.execute(_ALIVE)
            return
        answer = True
        if ask.statement == _TRY:
            self._db = self._db or await self._connect()
            row = await (await self._db.execute(_TRY, (ask.key,))).fetchone()
            answer = row is not None and row[0] is True
            if answer:
                self._held.add(ask.lease)
        elif ask.lease in self._held and self._db is not None:
            self._held.remove(ask.lease)
            await self._db.execute(_UNLOCK, (ask.key,))
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


async def _patiently(attempt: Callable[[], Awaitable[Any]]) -> Any:
    """Try until the server answers, or the task is cancelled."""
    first, last = _AWAY
    pause = 0.0
    while True:
        try:
            return await attempt()
        except Exception as error:
            if outcome(error) != "unavailable":
                raise
        pause = min(last, max(first, pause * 2))
        await asyncio.sleep(pause)


def _key(session_id: str) -> int:
    digest = hashlib.sha256(b"maelstrom:" + session_id.encode(errors="surrogatepass"))
    return int.from_bytes(digest.digest()[:8], signed=True)
