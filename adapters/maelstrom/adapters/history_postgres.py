"""Turns in PostgreSQL, for engines in several processes.

Theory: each operation is a statement or two of `postgres_statements`, on a connection
of a pool. What they say is atomic and may be said twice, so where a connection turns
out to be broken, as all are after a restart of the server, the operation is performed
once more on one that works.

Warts: behind PgBouncer in transaction mode, say `prepare=False`.

To keep in step: a database with more migrations than this release knows is refused by
name.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from returns.result import Failure, Result, Success

from maelstrom.adapters.postgres_driver import check_conninfo, outcome, said
from maelstrom.adapters.postgres_statements import (
    DELETE,
    EMPTY_EXPIRED,
    FIND,
    FOUND,
    LOAD,
    MIGRATING,
    MIGRATIONS,
    RECORD_FIRST,
    RECORD_NEXT,
    TOUCH,
    VERSION,
    VERSION_TABLE,
)
from maelstrom.core.errors import HistoryError
from maelstrom.core.history import Loaded, Turn
from maelstrom.core.wire import turn_to_text
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.stored import (
    check_retention,
    check_seconds,
    check_ttl,
    conflict,
    read_found,
    read_loaded,
)

if TYPE_CHECKING:
    from psycopg_pool import AsyncConnectionPool

__all__ = ["PostgresHistory"]

_T = TypeVar("_T")
_Answer = Result[_T, HistoryError]


class PostgresHistory:
    """A `HistoryStore` in PostgreSQL 12 or newer, over a pool of connections.

    Args:
        conninfo: A `postgresql://` URL or libpq's `key=value` form. The tables are made
            in the first schema of its search path, on first use.
        retention: Turns kept per session; None for all of them.
        ttl: Seconds that a session's turns are kept after its last load or append;
            None for ever. The sequence number is kept in any case.
        timeout: Seconds that having a connection, or one operation, may take.
        max_connections: Connections open at a time; operations past it wait in line.
        prepare: Whether statements are prepared on the server.

    Raises:
        ConfigError: An argument is not what it should be; the message names it.
        ImportError: The extra is not installed.
    """

    def __init__(
        self,
        conninfo: str,
        *,
        retention: int | None = None,
        ttl: float | None = None,
        timeout: float = 5.0,
        max_connections: int = 10,
        prepare: bool = True,
    ) -> None:
        self._timeout = check_seconds("timeout", timeout)
        self._settings = check_conninfo(conninfo, timeout)
        self._retention = check_retention(retention)
        self._ttl = check_ttl(ttl)
        if max_connections.__class__ is not int or max_connections < 1:
            raise ConfigError(
                "max_connections", f"{max_connections!r} is not 1 or more"
            )
        if prepare.__class__ is not bool:
            raise ConfigError("prepare", f"{prepare!r} is not True or False")
        self._max_connections = max_connections
        self._prepare = prepare
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pool: AsyncConnectionPool[Any] | None = None
        self._opening = asyncio.Lock()
        self._migrated = False

    async def load(self, session_id: str, limit: int) -> _Answer[Loaded]:
        """The newest `limit` turns, oldest first, and the last sequence number."""
        values = {"session": session_id, "limit": max(limit, 0), "ttl": self._ttl}

        async def load(db: Any) -> _Answer[Loaded]:
            if self._ttl is not None:
                await db.execute(TOUCH, values)
            rows = await (await db.execute(LOAD, values)).fetchall()
            texts = tuple(body.encode() for _, body in rows if body is not None)
            return read_loaded(texts, rows[0][0] if rows else 0)

        return await self._run("load", load)

    async def find(self, session_id: str, request_id: str) -> _Answer[Turn | None]:
        """The turn that answered this message, if it is still held."""
        values = {"session": session_id, "request": request_id}

        async def find(db: Any) -> _Answer[Turn | None]:
            row = await (await db.execute(FIND, values)).fetchone()
            return read_found(row[0].encode() if row else None, request_id)

        return await self._run("find", find)

    async def append(
        self, session_id: str, turn: Turn, expected_seq: int
    ) -> _Answer[None]:
        """Record, if the session's sequence number is still `expected_seq`."""
        values = {
            "session": session_id,
            "expected": expected_seq,
            "seq": expected_seq + 1,
            "request": turn.request_id,
            "body": turn_to_text(turn),
            "ttl": self._ttl,
            "retention": self._retention,
        }

        return await self._run("append", lambda db: _append(db, values))

    async def delete(self, session_id: str) -> _Answer[None]:
        """Forget the session, its sequence number included."""

        async def delete(db: Any) -> _Answer[None]:
            async with db.transaction():
                for statement in DELETE:
                    await db.execute(statement, {"session": session_id})
            return Success(None)

        return await self._run("delete", delete)

    async def aclose(self) -> None:
        """Close the connections; calling it again does nothing."""
        self._closed = True
        pool, self._pool = self._pool, None
        if pool is not None and self._loop is asyncio.get_running_loop():
            await pool.close()

    async def _run(
        self, operation: str, perform: Callable[[Any], Awaitable[_Answer[_T]]]
    ) -> _Answer[_T]:
        if self._closed:
            error = HistoryError("unavailable", operation, "the history is closed")
            return Failure(error)
        try:
            async with asyncio.timeout(self._timeout * 2):
                return await _performed(await self._opened(), perform)
        except _NewerSchema as newer:
            return Failure(HistoryError("newer_version", operation, str(newer)))
        except Exception as error:
            kind = outcome(error)
            if kind is None:
                raise
            return Failure(HistoryError(kind, operation, said(error)))

    async def _opened(self) -> "AsyncConnectionPool[Any]":
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._pool, self._opening = loop, None, asyncio.Lock()
        async with self._opening:
            if self._pool is None:
                pool = self._connect()
                await pool.open()
                self._pool = pool
            if not self._migrated:
                async with self._pool.connection() as db, db.transaction():
                    await _migrate(db)
                self._migrated = True
            return self._pool

    def _connect(self) -> "AsyncConnectionPool[Any]":
        from psycopg_pool import AsyncConnectionPool

        options = {} if self._prepare else {"prepare_threshold": None}
        return AsyncConnectionPool(
            kwargs={**self._settings, **options, "autocommit": True},
            min_size=1,
            max_size=self._max_connections,
            open=False,
            configure=_configure,
            timeout=self._timeout,
            # Short, so that a server that is back is found again with the next turn.
            reconnect_timeout=1.0,
        )


async def _performed(
    pool: "AsyncConnectionPool[Any]", perform: Callable[[Any], Awaitable[_Answer[_T]]]
) -> _Answer[_T]:
    """Perform on a connection that works; every operation may run twice.

    That a connection broke while nobody used it, as after a restart of the server, is
    found out by using it: asking first would be a round trip each time.
    """
    db = None
    try:
        async with pool.connection() as db:
            return await perform(db)
    except Exception:
        if db is None or not db.broken:
            raise
    await pool.check()
    async with pool.connection() as db:
        return await perform(db)


async def _append(db: Any, values: dict[str, Any]) -> _Answer[None]:
    record = RECORD_NEXT if values["expected"] else RECORD_FIRST
    recorded = await db.execute(record, values)
    if recorded.rowcount == 0:  # perhaps for its turns that expired: they go first
        await db.execute(EMPTY_EXPIRED, values)
        recorded = await db.execute(record, values)
    if recorded.rowcount:
        return Success(None)
    row = await (await db.execute(FOUND, values)).fetchone()
    if row is not None and row[1] == values["body"]:
        return Success(None)
    return Failure(conflict(values["expected"], row[0] if row else 0))


class _NewerSchema(Exception):  # noqa: N818  says what the database is
    """The database was migrated by a newer release."""


async def _configure(db: Any) -> None:
    """A conditional append relies on seeing what was committed before each statement."""
    from psycopg import IsolationLevel

    await db.set_isolation_level(IsolationLevel.READ_COMMITTED)


async def _migrate(db: Any) -> None:
    """Bring the database to this release's shape, in the transaction that is open."""
    await db.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATING,))
    await db.execute(VERSION_TABLE)
    row = await (await db.execute(VERSION)).fetchone()
    version = row[0]
    if version > len(MIGRATIONS):
        raise _NewerSchema(
            f"the database is of version {version}, this release reads up to"
            f" {len(MIGRATIONS)}"
        )
    for number, script in enumerate(MIGRATIONS[version:], version + 1):
        await db.execute(script)
        await db.execute("INSERT INTO maelstrom_schema VALUES (%s)", (number,))
