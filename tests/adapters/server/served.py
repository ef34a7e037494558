"""A server in a process of its own: `python -m tests.adapters.server.served OPTIONS`.

Its planner does what the intent says: "wait" is never answered, "slow" after a second,
all else at once; "who" tells the process. Lines on stdout tell the address, then what
turns go through.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from maelstrom.adapters.cli.stores import open_history, open_lock
from maelstrom.adapters.history_memory import MemoryHistory
from maelstrom.adapters.server import serve
from maelstrom.effects.create import create_engine
from maelstrom.effects.offline import reflow_planner

ROOT = Path(__file__).parents[3]
PATHS = [str(ROOT / name) for name in ("core", "effects", "adapters", ".")]
PATIENCE = 20.0


def tell(line):
    """A line on stdout, whole, whoever else writes."""
    os.write(1, f"{line}\n".encode())


def build(url, on_turn):
    """An engine whose planner can be told to take its time."""
    plain = reflow_planner()

    async def plan(plan_input, context):
        intent = plan_input.request.context.update_reasons[0].intent
        tell(f"planning {intent}" if intent != "who" else f"{os.getpid()}")
        try:
            if intent == "wait":
                await asyncio.Event().wait()
            if intent == "slow":
                await asyncio.sleep(1)
        except asyncio.CancelledError:
            tell("cancelled")
            raise
        return await plain(plan_input, context)

    history = MemoryHistory() if url is None else open_history(url)
    return create_engine(
        planner=plan, history=history, lock=open_lock(url), on_turn=on_turn
    )


class Served:
    """The process, its address and its lines."""

    def __init__(self, process):
        self.process = process
        self.address = self.line().removeprefix("http://")
        self.port = int(self.address.rpartition(":")[2])

    def line(self):
        """The next line that it tells."""
        return self.process.stdout.readline().strip()

    def stop(self):
        """Ask it to end, and give its exit code."""
        self.process.terminate()
        return self.process.wait(PATIENCE)


@contextmanager
def served(**options):
    """A server for the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.adapters.server.served", json.dumps(options)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(PATHS)},
    )
    try:
        yield Served(process)
    finally:
        if process.poll() is None:
            process.terminate()
        try:
            process.wait(PATIENCE)
        finally:
            process.kill()
            process.stdout.close()


def until(condition):
    """Look until it holds; whether it came to hold in time."""
    patience = time.monotonic() + PATIENCE
    while not (found := condition()) and time.monotonic() < patience:
        time.sleep(0.02)
    return found


if __name__ == "__main__":
    options = json.loads(sys.argv[1])
    url = options.pop("url", None)
    secret = options.pop("secret", "").encode() or None
    serve(partial(build, url), port=0, secret=secret, started=tell, **options)
