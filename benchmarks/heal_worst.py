"""The hardest answers to heal: those that are known, and those that a search finds.

    python -m benchmarks.heal_worst
    python -m benchmarks.heal_worst --search 120 [--seed 1] [--pieces 500]

Without a search: seconds of CPU time for known answers at the protocol's limits, once
each. With one: for so many seconds, answers are drawn from *crowds* of pieces alike
(grid: on one spot, stairs, scattered, side by side; tree: chains, fans, cycles, shared
and missing children, copies), one number at a time is changed, and a change is kept
where it makes the answer dearer. It starts again where many changes in a row did not.
Printed is each answer that was dearer than all before, as microseconds a piece.
"""

import argparse
import random
from functools import partial
from time import monotonic, process_time

from benchmarks.heal_inputs import RAISED, answer, grid, leaf, piece, request_for, split
from benchmarks.paired import seconds
from maelstrom.core.heal import mend
from maelstrom.core.policy import HealPolicy
from maelstrom.core.reflow import reflow

SIDE = 1_000
POLICIES = {"reference": HealPolicy.reference(), "gentle": HealPolicy.gentle()}
PATIENCE = 60
"""Changes in a row that made nothing dearer, before a search starts again."""


def worst():
    """The hardest that was found for a chart of 1,000 x 1,000 and 5,000 pieces."""
    huge = 2**53 - 1
    square = request_for(5_000, SIDE, SIDE)
    full = [piece(0, 0, 0, SIDE, SIDE)]
    losers = [piece(n, 0, 0, 1 + n % 997, 1 + n % 991) for n in range(1, 5_000)]
    yield (
        "a full chart, 4,999 losers of different sizes",
        partial(mend, square, grid(full + losers)),
    )
    tall = [piece(n, 0, 0, SIDE, SIDE) for n in range(5_000)]
    yield "5,000 pieces over the whole chart", partial(mend, square, grid(tall))
    keep = HealPolicy(overlap="keep", overflow="relocate")
    yield "the same, kept", partial(mend, square, grid(tall), keep)
    last = [piece(4_999, huge, huge, huge, huge)]
    yield (
        "the same, kept, and one loser",
        partial(mend, square, grid(tall[:-1] + last), keep),
    )
    stairs = [piece(n, 0, n, 1, n or 1) for n in range(SIDE)]
    big = [piece(n, 0, 0, SIDE, SIDE) for n in range(SIDE, 5_000)]
    yield "stairs, 4,000 losers of any size", partial(mend, square, grid(stairs + big))
    shuffled = random.Random(1)
    dots = [
        piece(n, shuffled.randrange(SIDE), shuffled.randrange(SIDE), 1, 1)
        for n in range(2_000)
    ]
    some = [
        piece(n, 0, 0, shuffled.randrange(1, SIDE), shuffled.randrange(1, SIDE))
        for n in range(2_000, 5_000)
    ]
    yield (
        "2,000 dots, 3,000 losers of any size",
        partial(mend, square, grid(dots + some)),
    )
    few = request_for(5_000, SIDE, SIDE, smallest=(1, 12))
    slim = [piece(n, 0, 0, 12 + n % 7, 12 + n % 5) for n in range(5_000)]
    yield "5,000 losers that all find a place", partial(mend, few, grid(slim))
    yield (
        "5,000 parked instances reflowed",
        partial(reflow, request_for(5_000, SIDE, SIDE, smallest=(14, 14))),
    )


# ---------------------------------------------------------------- the search

SPOTS = {
    # kind of crowd: row and column of its n-th piece, given its step and its dice
    "one spot": lambda _n, step, _dice: (step, step),
    "stairs": lambda n, step, _dice: (n * step, n * step),
    "scattered": lambda _n, _step, dice: (dice.randrange(SIDE), dice.randrange(SIDE)),
    "side by side": lambda n, step, _dice: (n * step // SIDE * step, n * step % SIDE),
}
LINKS = {
    # kind of crowd: the children of its n-th split of so many, by number
    "chain": lambda n, _count, _dice: [n + 1],
    "fan": lambda n, count, _dice: range(2 * n + 1, min(count, 2 * n + 3)),
    "wide": lambda n, count, _dice: [] if n else range(1, count),
    "cycle": lambda n, count, _dice: [(n + 1) % count, (n + 2) % count],
    "shared": lambda _n, count, dice: [dice.randrange(count) for _ in range(3)],
    "missing": lambda n, count, _dice: [n + 1, count + n],
}


def crowd(dice, kinds, pieces):
    """How many, of what kind, and the numbers that a search turns."""
    return {
        "kind": dice.choice(list(kinds)),
        "count": dice.randint(1, pieces),
        "step": dice.randint(0, 40),
        "width": dice.randint(1, SIDE),
        "height": dice.randint(1, SIDE),
        "spread": dice.randint(0, 50),
        "seed": dice.randrange(1_000),
    }


def grid_answer(crowds, pieces):
    """Not more than so many pieces of these crowds."""
    made = []
    for one in crowds:
        dice, spread = random.Random(one["seed"]), one["spread"] + 1
        for n in range(min(one["count"], pieces - len(made))):
            row, column = SPOTS[one["kind"]](n, one["step"], dice)
            width = min(SIDE, one["width"] + dice.randrange(spread))
            height = min(SIDE, one["height"] + dice.randrange(spread))
            made.append(piece(len(made), row, column, width, height))
    return request_for(pieces, SIDE, SIDE), grid(made), len(made)


def tree_answer(crowds, pieces):
    """A root over the crowds' splits, each with a leaf of its own besides."""
    nodes = []
    for number, one in enumerate(crowds):
        dice, link = random.Random(one["seed"]), LINKS[one["kind"]]
        count = min(one["count"], (pieces - len(nodes)) // 2)
        for n in range(count):
            below = [f"{number}-{child}" for child in link(n, count, dice)]
            own = leaf(len(nodes))
            nodes += [split(f"{number}-{n}", [*below, own["id"]]), own]
    root = split("s0", [f"{number}-0" for number in range(len(crowds))])
    layout = {"type": "tiling", "root": "s0", "nodes": [root, *nodes]}
    request = request_for(pieces, 12, 8, "tiling")
    return request, answer(layout), len(nodes) + 1


def cost(make, crowds, pieces, policy):
    """Seconds of CPU time a piece, the lesser of two runs."""
    request, candidate, count = make(crowds, pieces)
    run = partial(mend, request, candidate, POLICIES[policy], RAISED)
    return min(seconds(run), seconds(run)) / max(count, pieces // 10)


def changed(dice, crowds, kinds, pieces):
    """The same crowds, but for one number, one kind, one more or one less."""
    made = [dict(one) for one in crowds]
    key = dice.choice(["more", "less", *made[0]])
    one = dice.choice(made)
    if key == "more":
        made.insert(dice.randrange(len(made) + 1), crowd(dice, kinds, pieces))
    elif key == "less" and len(made) > 1:
        made.remove(one)
    elif key in one and dice.random() < 0.5:
        one[key] = crowd(dice, kinds, pieces)[key]
    elif key in one and key != "kind":
        one[key] = max(int(key == "count"), int(one[key] * dice.uniform(0.5, 2)))
    return made


def search(make, kinds, allowed, pieces, dice):
    """Climb for so many seconds; give each answer that is dearer than all before."""
    end, dearest = monotonic() + allowed, 0.0
    while monotonic() < end:
        policy = dice.choice(list(POLICIES))
        best = [crowd(dice, kinds, pieces) for _ in range(dice.randint(1, 3))]
        height, tries = cost(make, best, pieces, policy), 0
        while tries < PATIENCE and monotonic() < end:
            other = changed(dice, best, kinds, pieces)
            spent, tries = cost(make, other, pieces, policy), tries + 1
            if spent > height * 1.02:
                best, height, tries = other, spent, 0
        if height > dearest:
            dearest = height
            yield height, policy, best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--search", type=float, default=0, help="seconds, for each mode"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pieces", type=int, default=500)
    options = parser.parse_args()
    if not options.search:
        for name, run in worst():
            began = process_time()
            run()
            print(f"{name:56}{process_time() - began:8.2f}", flush=True)
        return
    modes = {"grid": (grid_answer, SPOTS), "tiling": (tree_answer, LINKS)}
    for mode, (make, kinds) in modes.items():
        dice = random.Random(options.seed)
        found = search(make, kinds, options.search, options.pieces, dice)
        for spent, policy, crowds in found:
            print(f"{mode}, {policy}: {spent * 1e6:.0f} us a piece", flush=True)
            for one in crowds:
                print(f"    {one}", flush=True)


if __name__ == "__main__":
    main()
