"""A small app for the examples of healing: clocks, and a door that opens and shuts."""

from maelstrom.core.candidate import Candidate
from maelstrom.core.layout import GridLayout, TilingLayout
from maelstrom.core.request import (
    ChartRequest,
    ChartResize,
    Context,
    Dimensions,
    Instance,
    UserIntent,
)
from maelstrom.core.vessel import Action, Size, Variant, Vessel

DAYS = {
    "type": "object",
    "properties": {"days": {"type": "integer", "minimum": 1}},
    "additionalProperties": False,
}
VESSELS = (
    Vessel("clock", "The time", (Variant("face", "Hands"),)),
    Vessel(
        "door",
        "A door",
        (
            Variant(
                "shut",
                "It is shut",
                actions=(
                    Action("open", "Opens it", to="open", idempotent=True),
                    Action("shut", "Stays shut", to="shut", idempotent=True),
                    Action("knock", "Knocks", params=DAYS),
                    Action("lock", "Locks", params=DAYS, to="shut", idempotent=True),
                ),
            ),
            Variant(
                "open",
                "It is open",
                min_size=Size(2, 2),
                actions=(Action("shut", "Shuts it", to="shut"),),
            ),
        ),
    ),
)


def request(mode="tiling", resize=False, columns=4, rows=4, layout=None):
    """Five instances: clocks a, b, c and e, and the door d, which is shut."""
    reason = ChartResize() if resize else UserIntent("tidy up")
    instances = (
        *(Instance(one, "clock", "face") for one in "abce"),
        Instance("d", "door", "shut"),
    )
    empty = GridLayout() if mode == "grid" else TilingLayout()
    context = Context((reason,), Dimensions(columns, rows), mode)
    return ChartRequest(context, instances, VESSELS, layout or empty)


def leaf(node_id, instance_id=None, **fields):
    """A raw leaf; its instance is named like the node unless given."""
    instance_id = node_id if instance_id is None else instance_id
    return {"id": node_id, "kind": "leaf", "instanceId": instance_id, **fields}


def split(node_id, *children, **fields):
    """A raw split, a row unless a direction is given."""
    node = {"id": node_id, "kind": "split", "direction": "row"}
    return {**node, "children": list(children), **fields}


def tree(root, *nodes):
    """A candidate of a raw tree."""
    layout = {"type": "tiling", "root": root, "nodes": list(nodes)}
    return Candidate("Because.", (), layout, "Done.")


def piece(instance_id, row=0, column=0, width=1, height=1, **fields):
    """A raw position."""
    return {
        "instanceId": instance_id,
        "position": {"row": row, "column": column},
        "size": {"width": width, "height": height},
        **fields,
    }


def grid(*positions, plan=()):
    """A candidate of a raw grid, and a raw plan."""
    layout = {"type": "grid", "positions": list(positions)}
    return Candidate("Because.", tuple(plan), layout, "Done.")


def act(instance_id, action, **fields):
    """A raw plan entry."""
    return {"instanceId": instance_id, "action": action, **fields}


def records(listed):
    """Drops or repairs in short: the reason, and the path below the layout."""
    return [(each.reason, *each.path[1:]) for each in listed]
