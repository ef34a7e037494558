"""The drivers beneath the stores, saying by hand what the stores say: `benchmarks.stores`."""

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import psycopg
import redis.asyncio

from maelstrom.adapters.history_redis import APPEND
from maelstrom.adapters.postgres_statements import RECORD_FIRST, RECORD_NEXT

__all__ = ["BarePostgres", "BareRedis", "BareSqlite"]


class BareSqlite:
    """The standard library's driver in a thread, as an async program has to use it."""

    def __init__(self, path):
        self._path = path
        self._db = None
        self._thread = ThreadPoolExecutor(1)

    async def write(self, *row):
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._write, *row)

    def _write(self, session, seq, request, text):
        if self._db is None:
            self._db = sqlite3.connect(self._path, isolation_level=None)
            self._db.execute("PRAGMA synchronous = FULL")
        execute = self._db.execute
        execute("BEGIN IMMEDIATE")
        head = "SELECT seq FROM sessions WHERE session_id = ?"
        found = execute(head, (session,)).fetchone() or (0,)
        assert found[0] == seq - 1
        execute("INSERT INTO turns VALUES (?, ?, ?, ?)", (session, seq, request, text))
        execute(
            "INSERT INTO sessions VALUES (?, ?, NULL) ON CONFLICT (session_id)"
            " DO UPDATE SET seq = excluded.seq",
            (session, seq),
        )
        execute("COMMIT")

    async def aclose(self):
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._db.close)
        self._thread.shutdown()


class BareRedis:
    """redis-py with the store's own script."""

    def __init__(self, url, connections):
        pool = redis.asyncio.BlockingConnectionPool.from_url(
            url, max_connections=connections
        )
        self._client = redis.asyncio.Redis.from_pool(pool)
        self._digest = None

    async def write(self, session, seq, request, text):
        if self._digest is None:
            self._digest = await self._client.script_load(APPEND)
        keys = (f"bare:{{{session}}}:seq", f"bare:{{{session}}}:turns")
        values = (seq - 1, request, text, "", "")
        done, _ = await self._client.evalsha(self._digest, 2, *keys, *values)
        assert done

    async def aclose(self):
        await self._client.aclose()


class BarePostgres:
    """psycopg with the store's own statement."""

    def __init__(self, url, connections):
        self._url = url
        self._left = connections
        self._free = asyncio.LifoQueue()

    async def write(self, session, seq, request, text):
        db = await self._connection()
        values = {
            "session": session,
            "expected": seq - 1,
            "seq": seq,
            "request": request,
            "body": text,
            "ttl": None,
            "retention": None,
        }
        record = RECORD_FIRST if seq == 1 else RECORD_NEXT
        assert (await db.execute(record, values)).rowcount == 1
        self._free.put_nowait(db)

    async def _connection(self):
        if self._left and self._free.empty():
            self._left -= 1
            return await psycopg.AsyncConnection.connect(self._url, autocommit=True)
        return await self._free.get()

    async def aclose(self):
        while not self._free.empty():
            await self._free.get_nowait().close()
