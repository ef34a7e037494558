"""Answers to heal, of any size: right ones, faulty ones, trees; and their records."""

from maelstrom.core.candidate import Candidate
from maelstrom.core.layout import (
    Cell,
    GridLayout,
    Leaf,
    Position,
    Split,
    TilingLayout,
)
from maelstrom.core.limits import Limits
from maelstrom.core.request import (
    ChartRequest,
    Context,
    Dimensions,
    Instance,
    UserIntent,
)
from maelstrom.core.vessel import Size, Variant, Vessel

RAISED = Limits(instances=100_000, tree_nodes=200_000)
"""More than the protocol's own limits, to see what growth there is beyond them."""


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


def overlapping(count):
    """The same, with one piece in five upon the first one, and nothing else at fault."""
    request, pieces = valid(count)
    for n in range(5, count, 5):
        pieces[n] = pieces[n] | {"position": {"row": 0, "column": 0}}
    return request, pieces


def rectangles(request, pieces):
    """Chart and pieces as layout engines of the browser take them."""
    chart = request.context.chart_dimensions
    found = [
        {
            "x": one["position"]["column"],
            "y": one["position"]["row"],
            "w": one["size"]["width"],
            "h": one["size"]["height"],
        }
        for one in pieces
    ]
    return {"columns": chart.columns, "rows": chart.rows, "rectangles": found}


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
