"""What Redis adds to the contract: scripts, restarts, expiry, secrets."""

import asyncio

import pytest

from maelstrom.adapters.history_redis import RedisHistory
from maelstrom.adapters.lock_redis import RedisLock
from maelstrom.adapters.testing.contracts_history import record, refused, sample_turn
from maelstrom.effects.config_error import ConfigError
from tests.adapters.missing import hide_packages
from tests.servers import redis_running


def test_settings_are_strict():
    """A setting that is not what it should be is named, without the URL's secrets."""
    good = "redis://:hunter2@127.0.0.1:1/0"
    for field, url, settings in (
        ("url", "http://:hunter2@127.0.0.1", {}),
        ("url", "redis://:hunter2@127.0.0.1:many/0", {}),
        ("url", 7, {}),
        ("prefix", good, {"prefix": "a{b"}),
        ("prefix", good, {"prefix": None}),
        ("timeout", good, {"timeout": 0}),
        ("max_connections", good, {"max_connections": 0}),
    ):
        for make in (RedisHistory, RedisLock):
            with pytest.raises(ConfigError) as caught:
                make(url, **settings)
            assert caught.value.field == field
            assert "hunter2" not in f"{caught.value!r}{caught.value.__cause__!r}"
    for settings in ({"retention": -1}, {"ttl": -1}):
        with pytest.raises(ConfigError, match=next(iter(settings))):
            RedisHistory(good, **settings)
    with pytest.raises(ConfigError, match="lease"):
        RedisLock(good, lease=0)


def test_missing_extra_names_the_command(monkeypatch):
    """Without the driver, making a store says what to install."""
    hide_packages(monkeypatch, "redis")
    for make in (RedisHistory, RedisLock):
        with pytest.raises(
            ImportError, match=r"pip install 'maelstrom-engine\[redis\]'"
        ):
            make("redis://127.0.0.1")


def test_away_is_unavailable_and_keeps_secrets():
    """A server that is not there is an answer that can be tried again."""

    async def scenario():
        store = RedisHistory("redis://user:hunter2@127.0.0.1:1/0")
        for result in (
            await store.load("s", 1),
            await store.find("s", "m"),
            await store.append("s", sample_turn(1), 0),
            await store.delete("s"),
        ):
            error = refused(result, "unavailable")
            assert error.retryable
            assert "hunter2" not in str(error)
        await store.aclose()

    asyncio.run(scenario())


def test_wrong_password_is_unavailable_and_kept_secret(redis_server):
    """A server that refuses us is an answer without the password."""
    url = redis_server.url.replace(redis_server.password, "hunter2")

    async def scenario():
        store = RedisHistory(url)
        error = refused(await store.load("s", 1), "unavailable")
        assert "hunter2" not in str(error)
        await store.aclose()

    asyncio.run(scenario())


def test_scripts_survive_a_flush(redis_server):
    """A server that forgot the scripts is sent them again."""

    async def scenario():
        store = RedisHistory(redis_server.url)
        for seq in range(1, 4):
            redis_server.execute("SCRIPT", "FLUSH")
            await record(store, "flushed", sample_turn(seq))
        await store.delete("flushed")
        await store.aclose()

    asyncio.run(scenario())


def test_restart_is_survived():
    """After a crash of the server the same store goes on where it was."""
    with redis_running() as server:

        async def scenario():
            store = RedisHistory(server.url)
            await record(store, "s", sample_turn(1))
            server.kill()
            refused(await store.append("s", sample_turn(2), 1), "unavailable")
            server.start()
            await record(store, "s", sample_turn(2))
            assert (await store.load("s", 9)).unwrap().seq == 2
            await store.aclose()

        asyncio.run(scenario())


def test_cancelled_operations_leave_connections_usable(redis_server):
    """A crowd of operations, half of them cut, mixes up no answers."""

    async def scenario():
        store = RedisHistory(redis_server.url, max_connections=3)
        names = [f"crowd {n}" for n in range(40)]
        for name in names:
            await record(store, name, sample_turn(1, name))
        for steps in range(30):
            tasks = [asyncio.ensure_future(store.find(name, name)) for name in names]
            for _ in range(steps):
                await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
            await asyncio.wait(tasks)
            for name, task in zip(names[1::2], tasks[1::2], strict=True):
                assert task.result().unwrap().request_id == name
        await store.aclose()

    asyncio.run(scenario())
