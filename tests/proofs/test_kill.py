"""Killing the writer: no turn whose output was returned is missing, double or torn.

A process takes turns on three sessions and is killed with SIGKILL at a random moment,
again and again, over one storage. Long form: `python -m tests.proofs.test_kill --long`.
"""

import asyncio
import random
import sys
import tempfile
import time

from tests.proofs.processes import printed, start_worker
from tests.proofs.turns import check_sound, load_all, show
from tests.servers import postgres_running, redis_running

SESSIONS = ("s0", "s1", "s2")


def kill_writers(url: str, times: int) -> dict[str, int]:
    """Kill so many writers; the figures of what they left behind."""
    chance = random.Random(times)
    returned: dict[str, list[str]] = {session: [] for session in SESSIONS}
    for kill in range(times):
        worker = start_worker(
            history=url, name=f"w{kill}", turns=1_000_000, sessions=SESSIONS
        )
        first = worker.stdout.readline()  # it is at work now
        time.sleep(chance.uniform(0, 0.15))
        worker.kill()
        output, complaints = worker.communicate()
        assert b"Traceback" not in complaints, complaints
        for session in SESSIONS:
            returned[session] += printed(first + output, session)
    recorded = 0
    for session in SESSIONS:
        turns = asyncio.run(load_all(url, session))
        check_sound(turns, returned[session])
        recorded += len(turns)
    count = sum(map(len, returned.values()))
    return {"kills": times, "returned": count, "recorded": recorded}


def test_sqlite(tmp_path):
    """SQLite loses nothing that was returned."""
    assert kill_writers(str(tmp_path / "history.db"), 10)["returned"] > 0


def test_redis():
    """Redis, appendfsync always, loses nothing that was returned."""
    with redis_running() as server:
        assert kill_writers(server.url, 10)["returned"] > 0


def test_postgres():
    """PostgreSQL loses nothing that was returned."""
    with postgres_running() as server:
        assert kill_writers(server.url, 10)["returned"] > 0


if __name__ == "__main__":
    times = 200 if "--long" in sys.argv else 10
    with tempfile.TemporaryDirectory() as folder:
        show("sqlite", kill_writers(f"{folder}/history.db", times))
    with redis_running() as server:
        show("redis", kill_writers(server.url, times))
    with postgres_running() as server:
        show("postgres", kill_writers(server.url, times))
