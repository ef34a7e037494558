"""Contestants side by side, so that a busy moment of the machine falls on all of them.

Theory of operation. A contestant is anything that runs so many times and says how many
seconds of CPU time that took: a function of this process (`here`), or one of another
process that is asked over a pipe (`Peer`). In each round every contestant runs once, in
shuffled order; the first round warms up, and does not count. What can be compared
between machines is the median of the rounds' ratios, so that is what scripts print; a
median of seconds stands beside it to give the order of magnitude.

The garbage collector runs before each contestant and not while it runs, else one pays
for what another left. `ballast` makes the heap that of a process that has been at work
for a while: in a young one, arenas are mapped and given back during the runs, more
often in those of one contestant than of another.
"""

import gc
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from statistics import median
from time import process_time
from typing import Any

__all__ = [
    "Contestant",
    "Peer",
    "Times",
    "answer_runs",
    "ballast",
    "here",
    "ratio",
    "rounds_of",
    "seconds",
    "table",
]

Contestant = Callable[[int], float]
"""From a number of runs to the seconds of CPU time that one of them took."""

Times = Mapping[str, Sequence[float]]
"""By contestant, the seconds of each round."""


def seconds(run: Callable[[], object], repeats: int = 1) -> float:
    """CPU seconds of one run, the mean of ``repeats``."""
    gc.collect()
    gc.disable()
    try:
        before = process_time()
        for _ in range(repeats):
            run()
        return (process_time() - before) / repeats
    finally:
        gc.enable()


def here(run: Callable[[], object]) -> Contestant:
    """A contestant of this process."""
    return partial(seconds, run)


def rounds_of(
    contestants: Mapping[str, Contestant], rounds: int, repeats: int = 1
) -> dict[str, list[float]]:
    """Run all of them in each round, in shuffled order."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(rounds + 1):
        for name in random.sample(list(contestants), len(contestants)):
            took = contestants[name](repeats)
            if number:
                times[name].append(took)
    return times


def ratio(times: Times, name: str, base: str) -> float:
    """The median over the rounds of how many times the base one contestant takes."""
    pairs = zip(times[name], times[base], strict=True)
    return median(one / two for one, two in pairs)


def table(times: Times, *bases: str) -> str:
    """A line a contestant: median milliseconds, and the ratio to each base."""
    heads = [f"x {base}" for base in bases]
    lines = [f"{'':44}{'ms':>10}" + "".join(f"{head:>28}" for head in heads)]
    for name, spent in times.items():
        ratios = "".join(f"{ratio(times, name, base):28.2f}" for base in bases)
        lines.append(f"{name:44}{median(spent) * 1e3:10.3f}{ratios}")
    return "\n".join(lines)


def ballast(objects: int = 400_000) -> list[object]:
    """Keep what this gives: a heap of small objects, with holes between them."""
    made: list[object] = [{"key": str(n)} for n in range(objects)]
    del made[::3]
    return made


class Peer:
    """A process that answers one JSON value a line with one, in its own environment."""

    def __init__(self, command: Iterable[str]) -> None:
        self._process = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.hello = self.read()

    def read(self) -> Any:
        """The next value that the process says."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"no answer from {self._process.args}")
        return json.loads(line)

    def ask(self, value: object) -> Any:
        """Send one value, and wait for its answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(value) + "\n")
        self._process.stdin.flush()
        return self.read()

    def runs(self, name: str) -> Contestant:
        """A contestant of that process: it is asked for its seconds."""
        return lambda repeats: float(self.ask({"run": name, "repeats": repeats}))

    def close(self) -> None:
        """End the process, which stops where its input ends."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def answer_runs(runs: Mapping[str, Callable[[], object]]) -> None:
    """Be the other process of `Peer.runs`, until the input ends."""
    print(json.dumps(list(runs)), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        print(seconds(runs[asked["run"]], asked["repeats"]), flush=True)
