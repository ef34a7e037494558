"""What does healing cost, beside building the records of its answer alone, and beside
what layout engines of the browser take for the same rectangles?

    python -m benchmarks.heal [--rounds 15] [--node]

A line is a kind of answer and a contestant: microseconds a run and a piece, the ratio
to the records (the median of paired rounds), and growth: its cost of a piece over that
of a piece of 50. Limits are raised for what is more than they allow.

``--node`` adds react-grid-layout's vertical compactor and gridstack's engine, after
`npm install` in this directory. They are given the rectangles alone. Both sort them,
push what overlaps further down and pull everything up; neither looks at types, ids,
minima or the chart's last row. `mend` does, moves nothing that is right, and keeps a
record of each change. They are quadratic, so the largest answers are left out.
"""

import argparse
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.heal_inputs import (
    RAISED,
    answer,
    chain,
    grid,
    messy,
    node_records,
    overlapping,
    position_records,
    rectangles,
    request_for,
    valid,
    wide,
)
from benchmarks.paired import Peer, ballast, here, ratio, rounds_of
from maelstrom.core.heal import mend
from maelstrom.core.policy import HealPolicy

GRIDS = (5, 20, 50, 500, 5_000, 50_000)
TREES = (5, 50, 500, 5_000)
"""Leaves: a chain of 5,000 has 10,000 nodes."""
PEERS_TO = {"valid": 5_000, "overlapping": 500}
"""Pieces: in the next step one run of theirs takes from minutes to an hour."""
INPUTS = {"valid": valid, "messy": messy, "overlapping": overlapping}
REFERENCE, GENTLE = HealPolicy.reference(), HealPolicy.gentle()


def grids(count, make):
    """Contestants over one grid answer; the records of the right one first."""
    request, pieces = make(count)
    _, plain = valid(count)
    runs = {
        "records": partial(position_records, plain),
        "mend": partial(mend, request, grid(pieces), REFERENCE, RAISED),
    }
    if make is not valid:
        runs["mend, gentle"] = partial(mend, request, grid(pieces), GENTLE, RAISED)
    return runs


def trees(count, nodes):
    """Contestants over one tree."""
    layout = {"type": "tiling", "root": "s0", "nodes": nodes}
    request = request_for(count, 12, 8, "tiling")
    return {
        "records": partial(node_records, nodes),
        "mend": partial(mend, request, answer(layout), REFERENCE, RAISED),
    }


def plan(node):
    """Kind, count and contestants of each answer; the peers have its rectangles."""
    for kind, make in INPUTS.items():
        for count in GRIDS:
            runs = grids(count, make)
            contestants = {name: here(run) for name, run in runs.items()}
            if node and count <= PEERS_TO.get(kind, 0):
                for name in node.ask(rectangles(*make(count))):
                    contestants[name] = node.runs(name)
            yield f"grid, {kind}", count, contestants
    for kind, make in (("one split", wide), ("chain", chain)):
        for count in TREES:
            runs = trees(count, make(count))
            yield kind, count, {name: here(run) for name, run in runs.items()}


def report(kind, count, times, costs):
    """Print the lines of one answer, and remember each contestant's cost of a piece."""
    for name, spent in times.items():
        took = median(spent) * 1e6
        costs[kind, name, count] = took / count
        first = costs.get((kind, name, 50))
        growth = f"{took / count / first:9.2f}" if first and count > 50 else f"{'':9}"
        beside = ratio(times, name, "records")
        print(
            f"{kind:20}{name:20}{count:7}{took:13.0f}{took / count:10.2f}"
            f"{beside:11.2f}{growth}",
            flush=True,
        )


def start_node():
    """The other process; it has to be warm before it is compared."""
    script = Path(__file__).with_name("heal_peer.mjs")
    node = Peer(["node", "--single-threaded", "--expose-gc", str(script)])
    for name in node.ask(rectangles(*valid(50))):
        node.runs(name)(1_000)
    return node


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--node", action="store_true", help="beside two engines there")
    options = parser.parse_args()
    kept, node, costs = ballast(), start_node() if options.node else None, {}
    print(
        f"{'answer':20}{'contestant':20}{'pieces':>7}{'us':>13}{'us/piece':>10}"
        f"{'x records':>11}{'growth':>9}"
    )
    for kind, count, contestants in plan(node):
        slow = count > 500
        rounds = options.rounds if not slow else 1 if "gridstack" in contestants else 3
        times = rounds_of(contestants, rounds, max(1, 1_000 // count))
        report(kind, count, times, costs)
    del kept
    if node:
        node.close()


if __name__ == "__main__":
    main()
