"""Several processes that serve one socket, and the one that looks after them.

A signal to the parent ends every worker as it would a single server: each drains. A
worker that dies is replaced; one that dies before it was ready would die again, so it
ends them all.
"""

import multiprocessing
import signal
from collections.abc import Callable
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from multiprocessing.synchronize import Event
from typing import Final, TypeAlias

__all__ = ["Ready", "run_workers"]

_SPAWN: Final = multiprocessing.get_context("spawn")


Ready: TypeAlias = Callable[[], object]
Work: TypeAlias = Callable[[Ready], None]


def run_workers(count: int, work: Work, ready: Ready) -> None:
    """Run ``work`` in so many processes until a signal comes.

    Args:
        count: The number of processes.
        work: Serves until SIGTERM, and calls its argument once it is ready; it must
            survive pickling.
        ready: Called once, when every worker was ready.

    Raises:
        ChildProcessError: A worker could not start.
    """
    asked: list[int] = []
    before = {
        each: signal.signal(each, lambda number, _: asked.append(number))
        for each in (signal.SIGINT, signal.SIGTERM)
    }
    workers: dict[SpawnProcess, Event] = {}
    told = False
    try:
        while not asked:
            while len(workers) < count:
                event = _SPAWN.Event()
                worker = _SPAWN.Process(target=work, args=(event.set,))
                worker.start()
                workers[worker] = event
            wait([each.sentinel for each in workers], timeout=0.2)
            for dead in [each for each in workers if not each.is_alive()]:
                if not workers.pop(dead).is_set() and not asked:
                    words = f"a worker ended at its start, with code {dead.exitcode}"
                    raise ChildProcessError(words)
            if not told and all(event.is_set() for event in workers.values()):
                told = True
                ready()
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()
        for each, handler in before.items():
            signal.signal(each, handler)
