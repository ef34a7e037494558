"""What PostgreSQL adds to the contract: migrations, restarts, secrets."""

import asyncio

import pytest
from returns.pipeline import is_successful

from maelstrom.adapters.history_postgres import PostgresHistory
from maelstrom.adapters.lock_postgres import PostgresLock
from maelstrom.adapters.postgres_statements import MIGRATIONS, RECORD_FIRST, RECORD_NEXT
from maelstrom.adapters.testing.contracts_history import record, refused, sample_turn
from maelstrom.effects.config_error import ConfigError
from tests.adapters.missing import hide_packages
from tests.servers import postgres_running


def test_settings_are_strict():
    """A setting that is not what it should be is named, without the URL's secrets."""
    good = "postgresql://app:hunter2@127.0.0.1:1/app"
    for field, conninfo, settings in (
        ("conninfo", "password=hunter2 =", {}),
        ("conninfo", "nonsense hunter2", {}),
        ("conninfo", 7, {}),
        ("timeout", good, {"timeout": 0}),
        ("max_connections", good, {"max_connections": 0}),
    ):
        for make in (PostgresHistory, PostgresLock):
            with pytest.raises(ConfigError) as caught:
                make(conninfo, **settings)
            assert caught.value.field == field
            assert "hunter2" not in f"{caught.value!r}{caught.value.__cause__!r}"
    for settings in ({"retention": -1}, {"ttl": -1}, {"prepare": 1}):
        with pytest.raises(ConfigError, match=next(iter(settings))):
            PostgresHistory(good, **settings)
    with pytest.raises(ConfigError, match="heartbeat"):
        PostgresLock(good, heartbeat=0)


def test_missing_extra_names_the_command(monkeypatch):
    """Without the driver, making a store says what to install."""
    hide_packages(monkeypatch, "psycopg")
    for make in (PostgresHistory, PostgresLock):
        with pytest.raises(
            ImportError, match=r"install 'maelstrom-engine\[postgres\]'"
        ):
            make("postgresql://127.0.0.1")


def test_away_is_unavailable_and_keeps_secrets():
    """A server that is not there is an answer that can be tried again."""

    async def scenario():
        url = "postgresql://app:hunter2@127.0.0.1:1/app"
        store = PostgresHistory(url, timeout=0.2)
        for result in (
            await store.load("s", 1),
            await store.append("s", sample_turn(1), 0),
        ):
            error = refused(result, "unavailable")
            assert error.retryable
            assert "hunter2" not in str(error)
        await store.aclose()

    asyncio.run(scenario())


def test_newer_database_is_refused_by_name(postgres_server):
    """A database that a newer release migrated is left alone, its version named."""
    postgres_server.execute("CREATE SCHEMA newer")
    url = f"{postgres_server.url}?options=-csearch_path%3Dnewer"

    async def scenario():
        store = PostgresHistory(url)
        await record(store, "s", sample_turn(1))
        await store.aclose()
        postgres_server.execute("INSERT INTO newer.maelstrom_schema VALUES (977)")
        store = PostgresHistory(url)
        error = refused(await store.load("s", 1), "newer_version")
        assert "977" in error.message
        await store.aclose()

    asyncio.run(scenario())


def test_stores_that_open_at_once_migrate_once(postgres_server):
    """Stores that meet an empty database agree on who makes the tables."""
    postgres_server.execute("CREATE SCHEMA crowded")
    url = f"{postgres_server.url}?options=-csearch_path%3Dcrowded"

    async def scenario():
        stores = [PostgresHistory(url) for _ in range(4)]
        results = await asyncio.gather(
            *(store.append("s", sample_turn(1), 0) for store in stores)
        )
        assert [result.unwrap() for result in results] == [None] * 4
        for store in stores:
            await store.aclose()

    asyncio.run(scenario())
    versions = postgres_server.execute("SELECT version FROM crowded.maelstrom_schema")
    assert versions == [(n,) for n in range(1, len(MIGRATIONS) + 1)]


def test_commits_are_durable_whatever_the_default(postgres_server):
    """Where the server does not wait for its disk, each append makes it wait."""
    url = f"{postgres_server.url}?options=-csynchronous_commit%3Doff"
    store = PostgresHistory(url)
    row = {"session": "durable", "body": "b", "ttl": None, "retention": None}

    async def committed_under(statement, seq):
        values = {**row, "request": f"r{seq}", "seq": seq, "expected": seq - 1}
        async with store._pool.connection() as db, db.transaction():
            assert (await db.execute(statement, values)).rowcount == 1
            return await (await db.execute("SHOW synchronous_commit")).fetchone()

    async def scenario():
        await store.load("durable", 1)
        seen = [
            await committed_under(RECORD_FIRST, 1),
            await committed_under(RECORD_NEXT, 2),
        ]
        await store.delete("durable")
        await store.aclose()
        return seen

    assert asyncio.run(scenario()) == [("on",), ("on",)]


def test_connections_that_broke_unused_are_replaced(postgres_server):
    """What the server ended while nobody used it is no error of the next operation."""
    url = f"{postgres_server.url}?application_name=idle"

    async def scenario():
        store = PostgresHistory(url, max_connections=3)
        await asyncio.gather(
            *(record(store, f"i{n}", sample_turn(1)) for n in range(3))
        )
        postgres_server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'idle'"
        )
        await asyncio.gather(
            *(record(store, f"i{n}", sample_turn(2)) for n in range(3))
        )
        for number in range(3):
            assert (await store.load(f"i{number}", 9)).unwrap().seq == 2
            await store.delete(f"i{number}")
        await store.aclose()

    asyncio.run(scenario())


def test_restart_is_survived():
    """After a crash of the server the same store goes on where it was."""
    with postgres_running() as server:

        async def scenario():
            store = PostgresHistory(server.url, timeout=0.5)
            await record(store, "s", sample_turn(1))
            server.kill()
            refused(await store.append("s", sample_turn(2), 1), "unavailable")
            server.start()
            await eventually(lambda: store.append("s", sample_turn(2), 1))
            assert (await store.load("s", 9)).unwrap().seq == 2
            await store.aclose()

        asyncio.run(scenario())


def test_cancelled_operations_leave_connections_usable(postgres_server):
    """A crowd of operations, half of them cut, mixes up no answers."""

    async def scenario():
        store = PostgresHistory(postgres_server.url, max_connections=3)
        names = [f"crowd {n}" for n in range(20)]
        for name in names:
            await record(store, name, sample_turn(1, name))
        for steps in range(20):
            tasks = [asyncio.ensure_future(store.find(name, name)) for name in names]
            for _ in range(steps * 3):
                await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
            await asyncio.wait(tasks)
            for name, task in zip(names[1::2], tasks[1::2], strict=True):
                assert task.result().unwrap().request_id == name
        await store.aclose()

    asyncio.run(scenario())


async def eventually(attempt):
    """Try as an application would: a store that recovers does so within a few tries."""
    for _ in range(20):
        result = await attempt()
        if is_successful(result):
            return
    raise AssertionError("the store did not recover")
