"""What PostgreSQL adds to the contract of locks: the connections that it takes."""

import asyncio
from contextlib import AsyncExitStack

from maelstrom.adapters.lock_postgres import PostgresLock

PATIENCE = 30.0
"""Seconds after which a lock that should be free is taken to be stuck."""

OURS = "SELECT pid FROM pg_stat_activity WHERE application_name = %s"


async def until(condition):
    """Ask again until it holds."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110  it is another process that changes
            await asyncio.sleep(0.01)


def backends(server, name, waiting=False):
    """The processes that serve us, or those of them that wait for a lock."""
    where = " AND wait_event_type = 'Lock'" if waiting else ""
    return {pid for (pid,) in server.execute(OURS + where, name)}


async def hold_after_waiting(server, name, lock, *sessions):
    """Hold all of these at once, when another process gave each of them back."""
    holder = PostgresLock(server.url)
    together = asyncio.Barrier(len(sessions))

    async def visit(session):
        async with lock.hold(session) as lease:
            await together.wait()
            assert not lease.lost()

    async with asyncio.timeout(PATIENCE), AsyncExitStack() as held:
        for session in sessions:
            await held.enter_async_context(holder.hold(session))
        visits = [asyncio.ensure_future(visit(session)) for session in sessions]
        wanted = len(sessions)
        await until(lambda: len(backends(server, name, waiting=True)) == wanted)
        await held.aclose()
        await asyncio.gather(*visits)
    await holder.aclose()


def lock_of(server, name):
    return PostgresLock(f"{server.url}?application_name={name}")


def test_two_connections_are_kept_for_the_next_wait(postgres_server):
    """After a crowd of waits the keeper and two others stay, until the lock is closed."""

    async def scenario():
        lock = lock_of(postgres_server, "kept")
        await hold_after_waiting(postgres_server, "kept", lock, *"abcde")
        await until(lambda: len(backends(postgres_server, "kept")) == 3)
        kept = backends(postgres_server, "kept")
        await hold_after_waiting(postgres_server, "kept", lock, "f", "g")
        assert backends(postgres_server, "kept") == kept
        await lock.aclose()
        await until(lambda: not backends(postgres_server, "kept"))

    asyncio.run(scenario())


def test_a_kept_connection_that_broke_is_replaced(postgres_server):
    """What the server ended while nobody used it stops no wait."""

    async def scenario():
        lock = lock_of(postgres_server, "broken")
        await hold_after_waiting(postgres_server, "broken", lock, "a", "b")
        postgres_server.execute(
            f"SELECT pg_terminate_backend(pid) FROM ({OURS}) ours", "broken"
        )
        await hold_after_waiting(postgres_server, "broken", lock, "a", "b", "c")
        await lock.aclose()

    asyncio.run(scenario())
