"""Turns in a SQLite file: the embedded store, safe across processes of one machine.

Theory: one thread owns the one connection, so operations run one after the other and
never block the event loop. The file is in WAL mode with `synchronous=FULL`: a commit
that returned is on the disk. Every write is one `BEGIN IMMEDIATE` transaction, which
other processes wait for up to `busy_timeout`. An operation whose task is cancelled
either never began or is finished by the thread, so it is there whole or not at all.

Warts: WAL needs a file system with shared memory, so no network drives. After an error
of the file itself the connection is closed and opened again by the next operation,
which is how a disk that was full for a while is survived.

To keep in step: `MIGRATIONS` only ever grows; `PRAGMA user_version` counts those done,
and a file with more of them than this release knows is refused by name.
"""

import asyncio
import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Final, TypeVar

from returns.result import Failure, Result, Success

from maelstrom.core.errors import HistoryError, HistoryErrorKind
from maelstrom.core.history import Loaded, Turn
from maelstrom.core.wire import turn_to_text
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.ports import Clock
from maelstrom.effects.stored import (
    check_retention,
    check_seconds,
    check_ttl,
    conflict,
    read_found,
    read_loaded,
)

__all__ = ["MIGRATIONS", "SqliteHistory"]

_T = TypeVar("_T")
_Answer = Result[_T, HistoryError]

OUTCOMES: Final = MappingProxyType[int, HistoryErrorKind](
    {
        # primary result code: kind; every other one is "unavailable"
        sqlite3.SQLITE_CONSTRAINT: "conflict",  # the message was recorded meanwhile
        sqlite3.SQLITE_CORRUPT: "corrupt",
        sqlite3.SQLITE_NOTADB: "corrupt",
    }
)
_HINTS: Final = MappingProxyType(
    {
        # primary result code: what to look at; paths are nothing for a client to read
        sqlite3.SQLITE_CANTOPEN: "is the file's folder there, and may it be written to?",
        sqlite3.SQLITE_READONLY: "may the file and its folder be written to?",
        sqlite3.SQLITE_FULL: "the disk is full",
        sqlite3.SQLITE_BUSY: "another connection held the file for too long",
        sqlite3.SQLITE_NOTADB: "the file is no database",
    }
)
_PRIMARY: Final = 0xFF
"""The bits of an extended result code that hold the primary one."""

MIGRATIONS: Final = (
    (
        """CREATE TABLE sessions (
            session_id TEXT PRIMARY KEY, seq INTEGER NOT NULL, expires_at INTEGER
        ) WITHOUT ROWID""",
        """CREATE INDEX sessions_expires_at ON sessions (expires_at)
            WHERE expires_at IS NOT NULL""",
        """CREATE TABLE turns (
            session_id TEXT NOT NULL, seq INTEGER NOT NULL, request_id TEXT NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (session_id, seq), UNIQUE (session_id, request_id))""",
    ),
)

_TOUCH: Final = (
    "UPDATE sessions SET expires_at = :now + :ttl"
    " WHERE session_id = :session AND expires_at > :now"
)
# CAST: a text that is no UTF-8 is for us to report, not for the driver to choke on.
_LOAD: Final = (
    "SELECT s.seq, CAST(t.body AS BLOB) FROM sessions s LEFT JOIN turns t"
    " ON t.session_id = s.session_id AND t.seq > s.seq - :limit"
    " AND (s.expires_at IS NULL OR s.expires_at > :now)"
    " WHERE s.session_id = :session ORDER BY t.seq"
)
_FIND: Final = (
    "SELECT CAST(t.body AS BLOB) FROM turns t JOIN sessions s USING (session_id)"
    " WHERE t.session_id = :session AND t.request_id = :request"
    " AND (s.expires_at IS NULL OR s.expires_at > :now)"
)
_HEAD: Final = "SELECT seq, expires_at FROM sessions WHERE session_id = ?"
_AT: Final = "SELECT CAST(body AS BLOB) FROM turns WHERE session_id = ? AND seq = ?"
_INSERT: Final = "INSERT INTO turns VALUES (?, ?, ?, ?)"
_ADVANCE: Final = (
    "INSERT INTO sessions VALUES (?, ?, ?) ON CONFLICT (session_id)"
    " DO UPDATE SET seq = excluded.seq, expires_at = excluded.expires_at"
)
_TRIM: Final = "DELETE FROM turns WHERE session_id = ? AND seq <= ?"
_EXPIRED: Final = "SELECT session_id FROM sessions WHERE expires_at <= ? LIMIT 16"
"""Each append also sweeps a few sessions that expired, so that the file stays small."""
_EMPTY: Final = "DELETE FROM turns WHERE session_id = ?"
_SWEPT: Final = "UPDATE sessions SET expires_at = NULL WHERE session_id = ?"
_DELETE: Final = "DELETE FROM sessions WHERE session_id = ?"


class SqliteHistory:
    """A `HistoryStore` in one file.

    Args:
        path: The file; created where there is none, but not its folder.
        retention: Turns kept per session; None for all of them.
        ttl: Seconds that a session's turns are kept after its last load or append;
            None for ever. The sequence number is kept in any case.
        busy_timeout: Seconds to wait for another process that is writing.
        clock: Where "now" comes from; the system's by default.

    Raises:
        ConfigError: An argument is not what it should be; the message names it.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        retention: int | None = None,
        ttl: float | None = None,
        busy_timeout: float = 5.0,
        clock: Clock | None = None,
    ) -> None:
        self._database = _Database(
            _check_path(path),
            check_retention(retention),
            check_ttl(ttl),
            check_seconds("busy_timeout", busy_timeout),
            _wall_clock if clock is None else clock.now,
        )
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="maelstrom-sqlite")
        self._closed = False

    async def load(self, session_id: str, limit: int) -> _Answer[Loaded]:
        """The newest `limit` turns, oldest first, and the last sequence number."""
        return await self._run("load", self._database.load, session_id, limit)

    async def find(self, session_id: str, request_id: str) -> _Answer[Turn | None]:
        """The turn that answered this message, if it is still held."""
        return await self._run("find", self._database.find, session_id, request_id)

    async def append(
        self, session_id: str, turn: Turn, expected_seq: int
    ) -> _Answer[None]:
        """Record, if the session's sequence number is still `expected_seq`."""
        # Written here, the thread has the disk to wait for meanwhile.
        row = (session_id, turn.request_id, turn_to_text(turn))
        return await self._run("append", self._database.append, row, expected_seq)

    async def delete(self, session_id: str) -> _Answer[None]:
        """Forget the session, its sequence number included."""
        return await self._run("delete", self._database.delete, session_id)

    async def aclose(self) -> None:
        """Close the file; calling it again does nothing."""
        if self._closed:
            return
        self._closed = True
        closing = self._thread.submit(self._database.close)
        self._thread.shutdown(wait=False)
        await asyncio.wrap_future(closing)

    async def _run(
        self, operation: str, function: Callable[..., _Answer[_T]], *args: object
    ) -> _Answer[_T]:
        if self._closed:
            error = HistoryError("unavailable", operation, "the history is closed")
            return Failure(error)
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, function, *args)
        except _NewerFile as newer:
            return Failure(HistoryError("newer_version", operation, str(newer)))
        except (sqlite3.Error, UnicodeEncodeError) as error:
            return Failure(_translate(operation, error))


class _NewerFile(Exception):  # noqa: N818  says what the file is
    """The file was written by a newer release."""


class _Database:
    """The file and its connection, used by one thread alone."""

    def __init__(
        self,
        path: str,
        retention: int | None,
        ttl: int | None,
        busy_timeout: float,
        now: Callable[[], int],
    ) -> None:
        self._path = path
        self._retention = retention
        self._ttl = ttl
        self._busy_timeout = busy_timeout
        self._now = now
        self._connection: sqlite3.Connection | None = None

    def load(self, session_id: str, limit: int) -> _Answer[Loaded]:
        named = {"session": session_id, "limit": max(limit, 0), "now": self._now()}
        with self._session(write=self._ttl is not None) as db:
            if self._ttl is not None:
                db.execute(_TOUCH, {**named, "ttl": self._ttl})
            rows = db.execute(_LOAD, named).fetchall()
        texts = tuple(body for _, body in rows if body is not None)
        return read_loaded(texts, rows[0][0] if rows else 0)

    def find(self, session_id: str, request_id: str) -> _Answer[Turn | None]:
        named = {"session": session_id, "request": request_id, "now": self._now()}
        with self._session(write=False) as db:
            row = db.execute(_FIND, named).fetchone()
        return read_found(row[0] if row else None, request_id)

    def append(self, row: tuple[str, str, str], expected_seq: int) -> _Answer[None]:
        session_id, request_id, text = row
        seq = expected_seq + 1
        now = self._now()
        with self._session(write=True) as db:
            head = db.execute(_HEAD, (session_id,)).fetchone() or (0, None)
            if head[0] != expected_seq:
                found = db.execute(_AT, (session_id, seq)).fetchone()
                same = found is not None and found[0] == text.encode()
                return (
                    Success(None) if same else Failure(conflict(expected_seq, head[0]))
                )
            for (expired,) in db.execute(_EXPIRED, (now,)).fetchall():
                db.execute(_EMPTY, (expired,))
                db.execute(_SWEPT, (expired,))
            if head[1] is not None and head[1] <= now:
                db.execute(_EMPTY, (session_id,))
            db.execute(_INSERT, (session_id, seq, request_id, text))
            expires_at = None if self._ttl is None else now + self._ttl
            db.execute(_ADVANCE, (session_id, seq, expires_at))
            if self._retention is not None:
                db.execute(_TRIM, (session_id, seq - self._retention))
        return Success(None)

    def delete(self, session_id: str) -> _Answer[None]:
        with self._session(write=True) as db:
            db.execute(_EMPTY, (session_id,))
            db.execute(_DELETE, (session_id,))
        return Success(None)

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    @contextlib.contextmanager
    def _session(self, *, write: bool) -> Iterator[sqlite3.Connection]:
        """The connection, within one transaction that ends with the block."""
        try:
            db = self._connection = self._connection or self._open()
            db.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            yield db
            db.execute("COMMIT")
        except BaseException:
            # Closing rolls back, whatever state the connection is in.
            with contextlib.suppress(sqlite3.Error):
                self.close()
            raise

    def _open(self) -> sqlite3.Connection:
        """Open, trying while others hold the file: some locks ignore its timeout."""
        patience = time.monotonic() + self._busy_timeout
        while True:
            db = sqlite3.connect(
                self._path, timeout=self._busy_timeout, isolation_level=None
            )
            try:
                _prepare(db)
            except BaseException as error:
                db.close()
                busy = _code(error) == sqlite3.SQLITE_BUSY
                if not busy or time.monotonic() > patience:
                    raise
                time.sleep(0.01)  # ours is a thread of its own
            else:
                return db


def _check_path(path: object) -> str:
    if not isinstance(path, str | os.PathLike) or not os.fspath(path):
        raise ConfigError("path", f"{path!r} names no file")
    if os.fspath(path) == ":memory:":
        raise ConfigError("path", "':memory:' is no file; use the in-memory history")
    return os.fsdecode(path)


def _prepare(db: sqlite3.Connection) -> None:
    """Bring the file to this release's shape, and the connection to its settings."""
    _refuse_newer(db)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    if _version(db) == len(MIGRATIONS):
        return
    db.execute("BEGIN IMMEDIATE")
    _refuse_newer(db)  # another process may have been first
    for statements in MIGRATIONS[_version(db) :]:
        for statement in statements:
            db.execute(statement)
    db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    db.execute("COMMIT")


def _version(db: sqlite3.Connection) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version


def _refuse_newer(db: sqlite3.Connection) -> None:
    if _version(db) > len(MIGRATIONS):
        raise _NewerFile(
            f"the file is of version {_version(db)}, this release reads up to"
            f" {len(MIGRATIONS)}"
        )


def _code(error: BaseException) -> int:
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY


def _translate(operation: str, error: Exception) -> HistoryError:
    if isinstance(error, UnicodeEncodeError):
        return HistoryError("corrupt", operation, "an id that no text can hold")
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    kind = OUTCOMES.get(_code(error), "unavailable")
    hint = _HINTS.get(_code(error))
    words = f"SQLite said {name}" if hint is None else f"SQLite said {name}: {hint}"
    return HistoryError(kind, operation, words)


def _wall_clock() -> int:
    return time.time_ns() // 1_000_000
