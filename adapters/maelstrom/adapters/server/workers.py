"""Several processes that serve one socket, and the one that looks after them.

A signal to the parent ends every worker as it would a single server: each drains. A
worker that dies is replaced; one that dies before it has lived a while would die again,
so it ends them all.
"""

import multiprocessing
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from typing import Final

__all__ = ["run_workers"]

_WHILE: Final = 5.0
"""Seconds after which a worker is taken to have started well."""

_SPAWN: Final = multiprocessing.get_context("spawn")


def run_workers(count: int, work: Callable[[], None]) -> None:
    """Run ``work`` in so many processes until a signal comes.

    Args:
        count: The number of processes.
        work: Serves until SIGTERM; it must survive pickling.

    Raises:
        ChildProcessError: A worker could not start.
    """
    asked: list[int] = []
    before = {
        each: signal.signal(each, lambda number, _: asked.append(number))
        for each in (signal.SIGINT, signal.SIGTERM)
    }
    workers: dict[SpawnProcess, float] = {}
    try:
        while not asked:
            while len(workers) < count:
                worker = _SPAWN.Process(target=work)
                worker.start()
                workers[worker] = time.monotonic()
            wait([each.sentinel for each in workers], timeout=0.2)
            for dead in [each for each in workers if not each.is_alive()]:
                lived = time.monotonic() - workers.pop(dead)
                if lived < _WHILE and not asked:
                    words = f"a worker ended at its start, with code {dead.exitcode}"
                    raise ChildProcessError(words)
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()
        for each, handler in before.items():
            signal.signal(each, handler)
