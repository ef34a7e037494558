"""Four processes on the same sessions: numbers without gap, turns never interleaved.

Each takes its turns on three sessions, under a lock that they share. Long form:
`python -m tests.proofs.test_processes --long` (500 turns a process and session).
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from tests.proofs.processes import printed, start_worker
from tests.proofs.turns import check_sound, load_all, show
from tests.servers import postgres_running, redis_running

SESSIONS = ("s0", "s1", "s2")
PROCESSES = 4


def share_sessions(url: str, turns: int, folder: Path) -> dict[str, float]:
    """Let the processes take their turns; the figures."""
    trace = folder / "trace"
    began = time.monotonic()
    workers = [
        start_worker(
            history=url,
            lock=url,
            name=f"w{number}",
            turns=turns,
            sessions=SESSIONS,
            trace=str(trace),
            seconds=0.001,
        )
        for number in range(PROCESSES)
    ]
    outputs = [worker.communicate() for worker in workers]
    took = time.monotonic() - began
    complaints = b"".join(complaint for _, complaint in outputs)
    assert [worker.returncode for worker in workers] == [0] * PROCESSES, complaints
    steps = [line.split("\t") for line in trace.read_text().splitlines()]
    for session in SESSIONS:
        recorded = asyncio.run(load_all(url, session))
        assert len(recorded) == turns * PROCESSES
        check_sound(recorded, [i for out, _ in outputs for i in printed(out, session)])
        order = [(request, step) for name, request, step in steps if name == session]
        assert order == [(t.request_id, step) for t in recorded for step in "+-"]
    count = turns * PROCESSES * len(SESSIONS)
    refused = complaints.count(b"\n")
    return {"turns": count, "turns_per_second": count / took, "refused": refused}


def test_redis(tmp_path):
    """The lock in Redis orders four processes."""
    with redis_running() as server:
        assert share_sessions(server.url, 20, tmp_path)["refused"] == 0


def test_postgres(tmp_path):
    """The lock in PostgreSQL orders four processes."""
    with postgres_running() as server:
        assert share_sessions(server.url, 20, tmp_path)["refused"] == 0


if __name__ == "__main__":
    turns = 500 if "--long" in sys.argv else 20
    for running in (redis_running, postgres_running):
        with running() as server, tempfile.TemporaryDirectory() as folder:
            show(running.__name__, share_sessions(server.url, turns, Path(folder)))
