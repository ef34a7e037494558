"""Where does a whole turn spend its time?

    python -m benchmarks.turn_profile [--turns 3000]

Turns of one session run through an engine that keeps history and whose model answers at
once; after each millisecond of CPU time a sample is taken. Each line is a Python
function: the share of the time in which it ran itself or one of the interpreter's own
functions (the JSON parser, say), and in which it was on the stack. A sample weighs what
passed since the last one, as none is taken within a long call. Unlike with a tracing
profiler, small functions are not made dearer.
"""

import argparse
import asyncio
import signal
from collections import Counter
from pathlib import Path
from time import process_time

from benchmarks.memory import engine_of, renamed
from benchmarks.turn import texts
from maelstrom.adapters.history_memory import MemoryHistory
from maelstrom.adapters.respond import respond

LINES = 25


class Sampler:
    """Adds up the CPU seconds between samples, by the functions found at their end."""

    def __init__(self):
        self.own, self.within = Counter(), Counter()
        self.last = process_time()

    def take(self, _signal, frame):
        now = process_time()
        passed, self.last = now - self.last, now
        self.own[named(frame)] += passed
        stack = set()
        while frame is not None:
            stack.add(named(frame))
            frame = frame.f_back
        for name in stack:
            self.within[name] += passed

    def report(self):
        whole = self.own.total()
        print(f"{'itself':>8}{'on the stack':>14}  of {whole:.1f} s")
        for name, spent in self.own.most_common(LINES):
            print(f"{spent / whole:8.1%}{self.within[name] / whole:14.1%}  {name}")


def named(frame):
    code = frame.f_code
    return f"{Path(code.co_filename).stem}.{code.co_qualname}"


async def run(turns):
    body, answer = texts()
    engine = engine_of(answer, MemoryHistory(retention=2))
    bodies = [renamed(body, 0, turn) for turn in range(turns)]
    sampler = Sampler()
    signal.signal(signal.SIGPROF, sampler.take)
    signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
    for one in bodies:
        assert (await respond(engine, one)).status == 200
    signal.setitimer(signal.ITIMER_PROF, 0)
    sampler.report()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=1_500)
    asyncio.run(run(parser.parse_args().turns))


if __name__ == "__main__":
    main()
