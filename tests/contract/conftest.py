"""One Redis and one PostgreSQL server for all contract tests of a run."""

from collections.abc import Iterator

import pytest

from tests.servers import PostgresServer, RedisServer, postgres_running, redis_running


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    with redis_running() as server:
        yield server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    with postgres_running() as server:
        yield server
