"""Losing a lock: it is noticed, and two turns never follow the same turn.

Long form: `python -m tests.proofs.test_lock_loss --long` (200 turns of two engines
that each believe to hold the session).
"""

import asyncio
import logging
import sys
import tempfile
import time
from collections import Counter

from returns.pipeline import is_successful

from maelstrom.adapters.lock_postgres import PostgresLock
from maelstrom.adapters.lock_redis import RedisLock
from maelstrom.effects.create import create_engine
from tests.proofs.turns import answering, check_sound, history, load_all, message, show
from tests.servers import postgres_running, redis_running


async def until(condition) -> None:
    """Wait for what has to come."""
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110  a server tells nobody
            await asyncio.sleep(0.01)


def test_stall_loses_the_lease():
    """A process that stalls past its lease knows, and harms no later holder."""

    async def scenario(url):
        stalled, other = RedisLock(url, lease=0.3), RedisLock(url, lease=5)
        async with stalled.hold("s") as first:
            assert not first.lost()
            time.sleep(0.5)  # noqa: ASYNC251  the whole process stalls, its renewal too
            assert first.lost()
            async with asyncio.timeout(10), other.hold("s") as second:
                renewing = stalled._scripts.key("s", "lock")
                assert await other._scripts.run(
                    "return redis.call('PTTL', KEYS[1])", (renewing,)
                )
                assert first.lost()
                assert not second.lost()
            assert first.lost()
        await stalled.aclose()
        await other.aclose()

    with redis_running() as server:
        asyncio.run(scenario(server.url))


def test_release_of_a_lost_lease_frees_nobody_else():
    """Who gives back what it lost leaves the present holder alone."""

    async def scenario(url):
        late, holder, third = (RedisLock(url, lease=s) for s in (0.3, 5, 5))
        lost = late.hold("s")
        await lost.__aenter__()
        time.sleep(0.5)  # noqa: ASYNC251  the whole process stalls
        async with holder.hold("s"):
            await lost.__aexit__(None, None, None)
            waiting = asyncio.ensure_future(third.hold("s").__aenter__())
            await asyncio.wait([waiting], timeout=0.5)
            assert not waiting.done()
            waiting.cancel()
            await asyncio.wait([waiting])
        for lock in (late, holder, third):
            await lock.aclose()

    with redis_running() as server:
        asyncio.run(scenario(server.url))


def test_renewal_outlasts_the_lease():
    """A lock that is held for several leases is neither lost nor given away."""

    async def scenario(url):
        lock, other = RedisLock(url, lease=0.6), RedisLock(url)
        async with lock.hold("s") as lease:
            waiting = asyncio.ensure_future(other.hold("s").__aenter__())
            await asyncio.wait([waiting], timeout=1.5)
            assert not waiting.done()
            assert not lease.lost()
            waiting.cancel()
            await asyncio.wait([waiting])
        await lock.aclose()
        await other.aclose()

    with redis_running() as server:
        asyncio.run(scenario(server.url))


def test_killed_redis_loses_the_lease_and_serves_again():
    """A server that went is noticed within the lease; waiting goes on until it is back."""

    async def scenario(server):
        lock = RedisLock(server.url, lease=0.5)
        async with lock.hold("s") as lease:
            server.kill()
            await until(lease.lost)
        waiting = asyncio.ensure_future(lock.hold("t").__aenter__())
        await asyncio.sleep(0.2)
        assert not waiting.done()
        await asyncio.to_thread(server.start)
        assert not (await asyncio.wait_for(waiting, 20)).lost()
        await lock.aclose()

    with redis_running() as server:
        asyncio.run(scenario(server))


def test_cut_connections_do_not_lose_a_redis_lease():
    """A connection that drops is opened again, and the lease renewed over it."""

    async def scenario(server):
        lock = RedisLock(server.url, lease=1)
        async with lock.hold("s") as lease:
            for _ in range(4):
                server.execute("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
                await asyncio.sleep(0.4)
            assert not lease.lost()
        await lock.aclose()

    with redis_running() as server:
        asyncio.run(scenario(server))


def test_cut_connection_loses_a_postgres_lease():
    """An advisory lock goes with its connection, and its holder is told."""

    async def scenario(server):
        lock = PostgresLock(server.url, heartbeat=0.1)
        other = PostgresLock(server.url, heartbeat=0.1)
        cut = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'maelstrom'"
        )
        async with lock.hold("s") as lease:
            await asyncio.to_thread(server.execute, cut)
            await until(lease.lost)
        async with lock.hold("s") as lease:
            waiting = asyncio.ensure_future(other.hold("s").__aenter__())
            await asyncio.sleep(0.3)
            assert not lease.lost()
            assert not waiting.done()
        assert not (await asyncio.wait_for(waiting, 20)).lost()
        server.kill()
        await asyncio.to_thread(server.start)
        async with asyncio.timeout(20), lock.hold("s") as lease:
            assert not lease.lost()
        await lock.aclose()
        await other.aclose()

    with postgres_running() as server:
        asyncio.run(scenario(server))


async def disagree(url: str, rounds: int) -> dict[str, object]:
    """Two engines, each with a lock of its own, on one session; the figures."""
    engines = [
        create_engine(
            planner=answering(0.001), history=history(url), history_required=True
        )
        for _ in range(2)
    ]
    refused: Counter[str] = Counter()
    returned: list[str] = []

    async def converse(number: int) -> None:
        for turn in range(rounds):
            request = f"{number}-{turn}"
            result = await engines[number].handle(message("s", request))
            while not is_successful(result):
                refused[result.failure().kind] += 1
                await asyncio.sleep(0)
                result = await engines[number].handle(message("s", request))
            returned.append(request)

    await asyncio.gather(converse(0), converse(1))
    for engine in engines:
        await engine.aclose()
    turns = await load_all(url, "s")
    check_sound(turns, returned)
    assert len(turns) == len(returned) == rounds * 2
    assert set(refused) <= {"conflict"}
    return {"turns": len(turns), "conflicts": refused["conflict"]}


def test_two_engines_that_disagree(tmp_path):
    """Where locks do not exclude, the append does: one of two turns is refused."""
    conflicts = asyncio.run(disagree(str(tmp_path / "history.db"), 20))["conflicts"]
    with redis_running() as server:
        conflicts += asyncio.run(disagree(server.url, 20))["conflicts"]
    with postgres_running() as server:
        conflicts += asyncio.run(disagree(server.url, 20))["conflicts"]
    assert conflicts > 0


if __name__ == "__main__":
    logging.disable()
    rounds = 200 if "--long" in sys.argv else 20
    with tempfile.TemporaryDirectory() as folder:
        show("sqlite", asyncio.run(disagree(f"{folder}/history.db", rounds)))
    for running in (redis_running, postgres_running):
        with running() as server:
            show(running.__name__, asyncio.run(disagree(server.url, rounds)))
