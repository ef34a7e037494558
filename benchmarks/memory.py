"""What does a turn hold at its height, and what do many turns leave behind?

    python -m benchmarks.memory [--instances 1000]
    python -m benchmarks.memory --turns 100000 [--sessions 1000]

First: the most that a whole turn through an engine holds at a time (tracemalloc), as a
multiple of its message; what was cached by an equal turn before is not counted.

With ``--turns``: so many turns, spread over the sessions, on one engine with a history
in memory that keeps two turns of each. At every tenth of the way, what the process holds
after a collection: objects that the collector knows, and resident bytes. From the
first tenth on, when each session has all that it keeps, neither should grow.
"""

import argparse
import asyncio
import gc
import os
import tracemalloc
from pathlib import Path

from benchmarks.turn import InstantModel, texts
from maelstrom.adapters.history_memory import MemoryHistory
from maelstrom.adapters.respond import respond
from maelstrom.effects.create import create_engine
from maelstrom.effects.planner import llm_planner


def engine_of(answer, history=None):
    planner = llm_planner(adapter=InstantModel(answer))
    return create_engine(planner=planner, history=history)


async def height(instances):
    """Bytes of the message, and the most bytes that its turn holds at a time."""
    body, answer = texts(instances)
    engine = engine_of(answer)
    for _ in range(3):  # what is kept of a catalogue, is kept by then
        assert (await respond(engine, body)).status == 200
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    await respond(engine, body)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return len(body), most - before


def resident():
    """Bytes that this process holds; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def renamed(body, session, turn):
    """The same message in another session, with an id of its own."""
    named = body.replace(b'"sessionId":"bench"', b'"sessionId":"s-%d"' % session, 1)
    return named.replace(b'"id":"bench"', b'"id":"t-%d"' % turn, 1)


async def growth(turns, sessions):
    """Objects and bytes at every tenth of the way."""
    body, answer = texts()
    engine = engine_of(answer, MemoryHistory(retention=2))
    for turn in range(turns):
        answered = await respond(engine, renamed(body, turn % sessions, turn))
        assert answered.status == 200, answered.body
        if (turn + 1) % (turns // 10) == 0:
            gc.collect()
            yield turn + 1, len(gc.get_objects()), resident()


async def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--instances", type=int, default=1_000)
    parser.add_argument("--turns", type=int, default=0)
    parser.add_argument("--sessions", type=int, default=1_000)
    options = parser.parse_args()
    if options.turns:
        print(f"{'turns':>8}{'objects':>10}{'MB resident':>13}")
        async for turns, objects, held in growth(options.turns, options.sessions):
            print(f"{turns:8}{objects:10}{held / 1e6:13.1f}", flush=True)
        return
    size, most = await height(options.instances)
    print(f"{options.instances} instances: {size} bytes in, {most} at the height,")
    print(f"{most / size:.1f} times the message")


if __name__ == "__main__":
    asyncio.run(main())
