"""What do many sessions at once cost, and what is kept of one that is idle?

    python -m benchmarks.sessions [--rounds 5] [--turns 2000]
    python -m benchmarks.sessions --memory

A closed loop within one process: each session posts a turn, waits for the answer and
posts the next. The model answers after 50 ms, through `llm_planner`; the history is in
memory, and each turn reads what the ones before it left. Sessions at once take turns in
rounds, in shuffled order; a figure is the median, CPU time is the process's. With no
cost but the model's, so many sessions would make twenty turns a second each.

``--memory`` runs sessions of two turns, one after the other, and counts what the last
third of them left behind: bytes by tracemalloc, objects by the garbage collector.
"""

import argparse
import asyncio
import gc
import json
import random
import tempfile
import time
import tracemalloc
from pathlib import Path
from statistics import median

from returns.pipeline import is_successful
from returns.result import Success

from maelstrom.adapters.demo import demo_chart
from maelstrom.adapters.history_memory import MemoryHistory
from maelstrom.adapters.history_sqlite import SqliteHistory
from maelstrom.core.chart_state import make_request
from maelstrom.core.completion import Completion
from maelstrom.core.messages import EngineMessage
from maelstrom.core.request import UserIntent
from maelstrom.core.wire import encode_message
from maelstrom.effects.create import create_engine
from maelstrom.effects.planner import llm_planner

SESSIONS = (1, 100, 2_000)
MODEL_SECONDS = 0.05
LEAST_TURNS = 4
"""Of a session in a round: from the second on there is a history to read."""


def _piece(name, variant, column):
    return {
        "instanceId": f"{name}-1",
        "vesselId": name,
        "variant": variant,
        "position": {"row": 0, "column": column},
        "size": {"width": 4, "height": 4},
    }


ANSWER = json.dumps(
    {
        "rationale": "Two vessels are enough.",
        "executionPlan": [],
        "layout": {
            "type": "grid",
            "positions": [_piece("weather", "current", 0), _piece("notes", "list", 4)],
        },
        "userMessage": "Here are the weather and your notes.",
    }
)


class SlowModel:
    """A model that always says the same, after a while."""

    provider = "scripted"
    model = "scripted-1"
    options = frozenset()

    def __init__(self, seconds):
        self._seconds = seconds

    async def complete(self, *_):
        await asyncio.sleep(self._seconds)
        return Success(Completion(ANSWER, self.model))

    async def aclose(self):
        pass


def bodies():
    """A function from session and turn to the body of a request."""
    request = make_request(demo_chart(), (UserIntent("show the weather and my notes"),))
    message = EngineMessage("SESSION", "TURN", 1_767_225_600_000, request)
    text = json.dumps(encode_message(message), ensure_ascii=False)
    before, between, after = text.replace("TURN", "SESSION").split("SESSION")

    def body(session, turn):
        return f"{before}{session}{between}{turn}{after}".encode()

    return body


BODY = bodies()


def engine_over(history, seconds):
    """An engine in which nobody gives up, however long the others keep it busy."""
    planner = llm_planner(adapter=SlowModel(seconds), timeout=600)
    return create_engine(planner=planner, history=history, turn_timeout=600)


async def play(engine, session, turns):
    """The turns of one session."""
    for turn in range(turns):
        answer = await engine.handle(BODY(session, turn))
        assert is_successful(answer), answer


# ---------------------------------------------------------------- at once


async def at_once(sessions, least):
    """Turns a second, and CPU seconds of a turn, of so many sessions at once."""
    turns = max(LEAST_TURNS, least // sessions)
    if sessions == 1:
        turns = min(turns, 100)  # each takes the model's 50 ms
    engine = engine_over(MemoryHistory(), MODEL_SECONDS)
    gc.collect()
    began, spent = time.perf_counter(), time.process_time()
    await asyncio.gather(*(play(engine, f"s{n}", turns) for n in range(sessions)))
    took, spent = time.perf_counter() - began, time.process_time() - spent
    await engine.aclose()
    return sessions * turns / took, spent / (sessions * turns)


def throughput(rounds, least):
    """Print both for each number of sessions, as ratios to what the model allows."""
    figures = {count: [] for count in SESSIONS}
    for number in range(rounds + 1):
        for count in random.sample(SESSIONS, len(SESSIONS)):
            figure = asyncio.run(at_once(count, least))
            if number:
                figures[count].append(figure)
    alone = [cpu for _, cpu in figures[1]]
    print(f"{'sessions':>8} {'turns/s':>9} {'of the ideal':>13}", end=" ")
    print(f"{'CPU of a turn':>14} {'x one session':>14} {'turns/CPU s':>12}")
    for count, rows in figures.items():
        rate = median(rate for rate, _ in rows)
        cpu = median(cpu for _, cpu in rows)
        pairs = zip(rows, alone, strict=True)
        times = median(spent / one for (_, spent), one in pairs)
        ideal = rate * MODEL_SECONDS / count
        print(f"{count:8,} {rate:9,.0f} {ideal:13.0%}", end=" ")
        print(f"{cpu * 1e6:11,.0f} us {times:14.2f} {1 / cpu:12,.0f}")


# ---------------------------------------------------------------- idle


def left_behind(make_history, sessions=150):
    """Bytes and objects that a session of two turns leaves, once it is idle."""

    async def scenario():
        engine = engine_over(make_history(), 0)
        for batch in range(3):  # what is cached once, for all sessions, is in the first
            before = _held()
            for number in range(sessions):
                await play(engine, f"s{batch}-{number}", 2)
        after = _held()
        await engine.aclose()
        return [
            (now - then) / sessions for now, then in zip(after, before, strict=True)
        ]

    tracemalloc.start()
    try:
        return asyncio.run(scenario())
    finally:
        tracemalloc.stop()


def _held():
    gc.collect()
    return tracemalloc.get_traced_memory()[0], len(gc.get_objects())


def memory():
    """Print what is left of a session without a history, and with one in process."""
    with tempfile.TemporaryDirectory() as folder:
        stores = {
            "no history": lambda: None,
            "SQLite": lambda: SqliteHistory(Path(folder) / "turns.db"),
            "in memory": MemoryHistory,
            "in memory, one turn kept": lambda: MemoryHistory(retention=1),
        }
        print(f"{'an idle session of two turns leaves':36} {'bytes':>8} {'objects':>8}")
        for name, make in stores.items():
            held, objects = left_behind(make)
            print(f"{name:36} {held:8,.1f} {objects:8,.2f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--turns", type=int, default=2_000, help="of a round, about")
    parser.add_argument("--memory", action="store_true")
    chosen = parser.parse_args()
    if chosen.memory:
        memory()
    else:
        throughput(chosen.rounds, chosen.turns)


if __name__ == "__main__":
    main()
