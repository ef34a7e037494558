"""One turn at a time per session, across processes, with PostgreSQL.

Theory: a session's lock is an advisory lock on a 64-bit hash of its id, which the
server gives back by itself when the connection that holds it ends. Locks that are free
when asked for, nearly all of them, are held by one connection, the keeper. Where
another process holds the session, a connection of its own waits in the server's queue,
which is in order of arrival, and holds the lock it was waiting for. It has to be its
own: a connection runs one statement at a time, and this one takes as long as the wait.
Two such connections are kept for the next waits, others closed. Connections that hold a
lock are asked for a sign of life once a `heartbeat`; a lock is lost when its connection
is. Within a process, only the first in line asks the server.

Warts: two sessions whose hashes collide wait for each other without need. A connection
pooler in transaction mode cannot hold such locks: connect to the server itself.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, LiteralString

from maelstrom.adapters.postgres_driver import check_conninfo, outcome
from maelstrom.adapters.postgres_keeper import ALIVE, UNLOCK, Keeper, PostgresLease
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.ports import Lease
from maelstrom.effects.sessions import InProcessLock
from maelstrom.effects.stored import check_seconds

if TYPE_CHECKING:
    from psycopg import AsyncConnection

__all__ = ["PostgresLock"]

_AWAY: Final = (0.05, 1.0)
"""Seconds between two tries while the server is away: the first, and the longest."""

_SPARE: Final = 2
"""Connections kept for the next wait: opening one takes the server a process, and both
sides a handshake; keeping many would take places on the server."""

_FEWEST: Final = 2
"""Connections that it takes: the keeper, and one to wait with."""

_WAIT: Final = "SELECT pg_advisory_lock(%s)"
_WATCHFUL: Final = (
    # The server notices within half a minute that this machine vanished, not in hours.
    "SELECT set_config('tcp_keepalives_idle', '10', false),"
    " set_config('tcp_keepalives_interval', '5', false),"
    " set_config('tcp_keepalives_count', '3', false)"
)


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
    async def hold(self, session_id: str) -> AsyncIterator[Lease]:
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
                async with self._lines.hold(key) as lease:
                    yield lease

    async def aclose(self) -> None:
        """Close the connections; calling it again does nothing."""
        self._bind()
        await self._keeper.aclose()
        await self._lines.aclose()

    def _bind(self) -> None:
        """Connections belong to the event loop that opened them."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop = loop
            bounds = (self._timeout, self._heartbeat)
            self._lines = _Lines(self._connect, self._max_lines, *bounds)
            self._keeper = Keeper(self._connect, *bounds)

    async def _connect(self) -> "AsyncConnection[Any]":
        from psycopg import AsyncConnection

        db = await AsyncConnection.connect(**self._settings, autocommit=True)
        return await _said(db, _WATCHFUL)


class _Lines:
    """Connections that wait in the server's queue, and hold what they waited for."""

    def __init__(
        self,
        connect: Callable[[], Awaitable["AsyncConnection[Any]"]],
        most: int,
        timeout: float,
        heartbeat: float,
    ) -> None:
        self._connect = connect
        self._places = asyncio.Semaphore(most)
        self._timeout = timeout
        self._heartbeat = heartbeat
        self._spare: list[AsyncConnection[Any]] = []
        self._spares = _SPARE

    @asynccontextmanager
    async def hold(self, key: int) -> AsyncIterator[PostgresLease]:
        async with self._places:
            db = await _patiently(lambda: self._wait(key))
            lease = PostgresLease()
            watching = asyncio.create_task(self._watch(db, lease))
            try:
                yield lease
            finally:
                await self._leave(db, key, watching)

    async def aclose(self) -> None:
        self._spares = 0
        while self._spare:
            await self._spare.pop().close()

    async def _wait(self, key: int) -> "AsyncConnection[Any]":
        db = self._spare.pop() if self._spare else await self._connect()
        return await _said(db, _WAIT, key)

    async def _leave(
        self, db: "AsyncConnection[Any]", key: int, watching: "asyncio.Task[None]"
    ) -> None:
        """Give the lock back; the connection is closed where that is not certain."""
        watching.cancel()
        kept = False
        try:
            await asyncio.wait([watching])
            free = await self._unlocked(db, key)
            kept = free and len(self._spare) < self._spares
        finally:
            if kept:
                self._spare.append(db)
            else:
                await db.close()

    async def _unlocked(self, db: "AsyncConnection[Any]", key: int) -> bool:
        if db.info.transaction_status:  # not idle: a sign of life was cut
            return False
        try:
            async with asyncio.timeout(self._timeout):
                row = await (await db.execute(UNLOCK, (key,))).fetchone()
        except Exception as error:
            if outcome(error) is None:
                raise
            return False
        return row is not None and row[0] is True

    async def _watch(self, db: "AsyncConnection[Any]", lease: PostgresLease) -> None:
        try:
            while True:
                await asyncio.sleep(self._heartbeat)
                async with asyncio.timeout(self._timeout):
                    await db.execute(ALIVE)
        except Exception as error:
            lease.end()
            if outcome(error) is None:
                raise


async def _said(
    db: "AsyncConnection[Any]", statement: LiteralString, *values: int
) -> "AsyncConnection[Any]":
    """The connection, once the statement is done; closed where it was cut or failed."""
    try:
        await db.execute(statement, values)
    except BaseException:
        await db.close()
        raise
    return db


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
