"""What does healing cost, beside building the records of its answer alone?

    python benchmarks/heal.py [--rounds 15] [--worst]

Paired: in each round every contestant runs once, in shuffled order, in CPU time; a
ratio is the median of the rounds' ratios to the records. ``--worst`` adds the worst
inputs known for the search for free places, once each.
"""

import argparse
import gc
import random
from functools import partial
from statistics import median
from time import process_time

from maelstrom.core.candidate import Candidate
from maelstrom.core.heal import mend
from maelstrom.core.layout import (
    Cell,
    GridLayout,
    Leaf,
    Position,
    Split,
    TilingLayout,
)
from maelstrom.core.policy import HealPolicy
from maelstrom.core.reflow import reflow
from maelstrom.core.request import (
    ChartRequest,
    Context,
    Dimensions,
    Instance,
    UserIntent,
)
from maelstrom.core.vessel import Size, Variant, Vessel

SIZES = (5, 50, 500, 5_000)
GENTLE = HealPolicy.gentle()
SIDE = 1_000


def request_for(count, columns, rows, mode="grid", smallest=(1, 1)):
    variant = Variant("only", "The only form", min_size=Size(*smallest))
    return ChartRequest(
        Context((UserIntent("tidy up"),), Dimensions(columns, rows), mode),
        tuple(Instance(f"i{n}", "box", "only") for n in range(count)),
        (Vessel("box", "A box", (variant,)),),
        GridLayout() if mode == "grid" else TilingLayout(),
    )


def answer(layout):
    return Candidate("Because.", (), layout, "Done.")


def piece(n, row, column, width, height):
    return {
        "instanceId": f"i{n}",
        "position": {"row": row, "column": column},
        "size": {"width": width, "height": height},
    }


def grid(pieces):
    return answer({"type": "grid", "positions": pieces})


def valid(count):
    """Pieces of 3 x 2 side by side, on a chart that has room for a few more."""
    across = max(2, round((count * 2 / 3) ** 0.5))
    rows = 2 * (count // across + 2)
    pieces = [piece(n, 2 * (n // across), 3 * (n % across), 3, 2) for n in range(count)]
    return request_for(count, 3 * across, rows), pieces


def messy(count):
    """The same, with one piece in five at fault, a different way each."""
    request, pieces = valid(count)
    faults = (
        {"position": {"row": 0, "column": 0}},
        {"position": {"row": 2.0, "column": "3"}},
        {"position": {"row": 99_999, "column": 0}},
        {"size": {"width": 0, "height": 2}},
        {"size": None},
        {"vesselId": "unknown"},
    )
    for n in range(0, count, 5):
        pieces[n] = pieces[n] | faults[n // 5 % len(faults)]
    return request, pieces


def position_records(pieces):
    return tuple(
        Position(
            one["instanceId"],
            Cell(one["position"]["row"], one["position"]["column"]),
            Size(one["size"]["width"], one["size"]["height"]),
        )
        for one in pieces
    )


def leaf(n):
    return {"id": f"l{n}", "kind": "leaf", "instanceId": f"i{n}"}


def split(name, children):
    return {"id": name, "kind": "split", "direction": "row", "children": children}


def wide(count):
    """One split of all leaves."""
    leaves = [leaf(n) for n in range(count)]
    return [split("s0", [one["id"] for one in leaves]), *leaves]


def chain(count):
    """A split of a leaf and a split, of a leaf and a split, and so on."""
    nodes = []
    for n in range(count - 2):
        nodes += [split(f"s{n}", [f"l{n}", f"s{n + 1}"]), leaf(n)]
    last = [f"l{count - 2}", f"l{count - 1}"]
    return [*nodes, split(f"s{count - 2}", last), leaf(count - 2), leaf(count - 1)]


def node_records(nodes):
    return tuple(
        Leaf(node["id"], node["instanceId"])
        if node["kind"] == "leaf"
        else Split(node["id"], node["direction"], tuple(node["children"]))
        for node in nodes
    )


def contestants(count):
    """Per kind: its records alone, then what is compared with them."""
    request, pieces = valid(count)
    faulty_request, faulty = messy(count)
    tiled = request_for(count, 12, 8, "tiling")

    def tree(nodes):
        layout = {"type": "tiling", "root": "s0", "nodes": nodes}
        return partial(mend, tiled, answer(layout))

    return {
        "grid": {
            "records": partial(position_records, pieces),
            "valid": partial(mend, request, grid(pieces)),
            "messy": partial(mend, faulty_request, grid(faulty)),
            "messy, gentle": partial(mend, faulty_request, grid(faulty), GENTLE),
        },
        "wide split": {
            "records": partial(node_records, wide(count)),
            "valid": tree(wide(count)),
        },
        "chain": {
            "records": partial(node_records, chain(count)),
            "valid": tree(chain(count)),
        },
    }


def seconds(run, repeats):
    gc.collect()
    gc.disable()  # else one contestant pays for what the others left
    before = process_time()
    for _ in range(repeats):
        run()
    spent = process_time() - before
    gc.enable()
    return spent / repeats


def compare(runs, count, rounds):
    """Rounds of seconds by contestant."""
    repeats = max(1, 2_000 // count)
    order = list(runs)
    times = {name: [] for name in runs}
    for _ in range(rounds):
        random.shuffle(order)
        for name in order:
            times[name].append(seconds(runs[name], repeats))
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--worst", action="store_true")
    options = parser.parse_args()
    each = {}
    print(f"{'':28}{'pieces':>8}{'us':>12}{'us/piece':>10}{'x records':>11}")
    for count in SIZES:
        for kind, runs in contestants(count).items():
            times = compare(runs, count, options.rounds)
            base = times["records"]
            for name, spent in times.items():
                took = median(spent) * 1e6
                each[kind, name, count] = took / count
                ratio = median(a / b for a, b in zip(spent, base, strict=True))
                label = f"{kind}: {name}"
                print(
                    f"{label:28}{count:8}{took:12.0f}{took / count:10.2f}{ratio:11.2f}"
                )
    print("\ngrowth of the cost of a piece from 50 to 5,000")
    for (kind, name, count), cost in each.items():
        if count == SIZES[-1]:
            growth = cost / each[kind, name, 50]
            print(f"  {kind + ': ' + name:28}{growth:6.2f}")
    if options.worst:
        print("\nworst inputs known, seconds")
        for name, run in worst():
            print(f"  {name:56}{seconds(run, 1):8.2f}", flush=True)


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


if __name__ == "__main__":
    main()
