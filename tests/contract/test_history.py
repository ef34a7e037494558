"""The history contract over the stores that are shared between processes."""

import sqlite3
from collections.abc import Callable
from urllib.parse import quote

import pytest

from maelstrom.adapters.history_postgres import PostgresHistory
from maelstrom.adapters.history_redis import RedisHistory
from maelstrom.adapters.history_sqlite import SqliteHistory
from maelstrom.adapters.testing.contracts_history import SharedHistoryContract
from maelstrom.adapters.testing.contracts_history_model import check_against_model


class StoreContract(SharedHistoryContract):
    """The contract, and the model as well."""

    def test_like_the_model(self):
        """Whatever is asked in whatever order, the store is like the model of it."""
        check_against_model(
            lambda retention, ttl: self.make_store(retention=retention, ttl=ttl),
            self.pass_time_for_all,
            stateful_step_count=20,
        )

    async def pass_time_for_all(self, session_ids, seconds):
        for session_id in session_ids:
            await self.pass_time(session_id, seconds)


class TestSqliteHistory(StoreContract):
    """SQLite keeps the contract."""

    @pytest.fixture(autouse=True)
    def _file(self, tmp_path):
        self.path = tmp_path / "history.db"
        self.elapsed = 0

    def now(self):
        return 1_700_000_000_000 + self.elapsed

    def make_store(self, *, retention=None, ttl=None):
        return SqliteHistory(self.path, retention=retention, ttl=ttl, clock=self)

    async def pass_time(self, session_id, seconds):
        self.elapsed += round(seconds * 1000)

    async def pass_time_for_all(self, session_ids, seconds):
        await self.pass_time("", seconds)

    def tamper(self, session_id, seq, change: Callable[[str], str]):
        db = sqlite3.connect(self.path)
        place = "WHERE session_id = ? AND seq = ?"
        (text,) = db.execute(
            f"SELECT body FROM turns {place}", (session_id, seq)
        ).fetchone()
        with db:
            db.execute(
                f"UPDATE turns SET body = ? {place}", (change(text), session_id, seq)
            )
        db.close()


class TestRedisHistory(StoreContract):
    """Redis keeps the contract."""

    @pytest.fixture(autouse=True)
    def _server(self, redis_server):
        self.server = redis_server

    def make_store(self, *, retention=None, ttl=None):
        return RedisHistory(self.server.url, retention=retention, ttl=ttl)

    def key(self, session_id):
        return f"maelstrom:{{{quote(session_id, safe='')}}}:turns"

    async def pass_time(self, session_id, seconds):
        key = self.key(session_id)
        left = self.server.execute("PTTL", key)
        if left > 0:
            self.server.execute("PEXPIRE", key, left - round(seconds * 1000))

    def tamper(self, session_id, seq, change: Callable[[str], str]):
        where = (self.key(session_id), f"t:{seq}")
        text = self.server.execute("HGET", *where).decode()
        self.server.execute("HSET", *where, change(text))


class TestPostgresHistory(StoreContract):
    """PostgreSQL keeps the contract."""

    @pytest.fixture(autouse=True)
    def _server(self, postgres_server):
        self.server = postgres_server

    def make_store(self, *, retention=None, ttl=None):
        return PostgresHistory(self.server.url, retention=retention, ttl=ttl)

    async def pass_time(self, session_id, seconds):
        self.server.execute(
            "UPDATE maelstrom_sessions SET expires_at = expires_at"
            " - %s * interval '1 second' WHERE session_id = %s",
            seconds,
            session_id,
        )

    def tamper(self, session_id, seq, change: Callable[[str], str]):
        where = (session_id, seq)
        place = "WHERE session_id = %s AND seq = %s"
        [(text,)] = self.server.execute(
            f"SELECT body FROM maelstrom_turns {place}", *where
        )
        self.server.execute(
            f"UPDATE maelstrom_turns SET body = %s {place}", change(text), *where
        )
