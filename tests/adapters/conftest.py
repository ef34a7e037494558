"""One Redis and one PostgreSQL server for all tests of adapters in a run."""

from tests.contract.conftest import postgres_server, redis_server

__all__ = ["postgres_server", "redis_server"]
