"""The lock contract over the locks that processes share."""

import pytest

from maelstrom.adapters.lock_postgres import PostgresLock
from maelstrom.adapters.lock_redis import RedisLock
from maelstrom.adapters.testing.contracts_lock import SharedLockContract


class TestRedisLock(SharedLockContract):
    """Redis keeps the contract."""

    @pytest.fixture(autouse=True)
    def _server(self, redis_server):
        self.server = redis_server

    def make_lock(self):
        return RedisLock(self.server.url)


class TestPostgresLock(SharedLockContract):
    """PostgreSQL keeps the contract."""

    @pytest.fixture(autouse=True)
    def _server(self, postgres_server):
        self.server = postgres_server

    def make_lock(self):
        return PostgresLock(self.server.url)
