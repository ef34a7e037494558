"""Tiling answers that need no healing, in one pass over the table.

Theory of operation. As in `plain_grid`: all or nothing, and nothing is decided here. A
layout is taken where each node of a flat table is what healing would make of it, and
the table is a tree: no child has two parents, the root has none, and as many nodes as
there are can be reached from it.

Warts. minSize plays no part in a tiling, so what is read here stands; the plan does not
matter to it.

To keep in step: `node_table`, `tree`, `heal_tiling` and `weight`.
"""

from collections.abc import Mapping

from attrs import frozen

from maelstrom.core.catalogue import Catalogue
from maelstrom.core.identity import (
    Identities,
    identify_plainly,
    plain_identities,
    read_id,
)
from maelstrom.core.json_value import Json
from maelstrom.core.layout import Leaf, Split, TilingLayout, TilingNode
from maelstrom.core.limits import Limits
from maelstrom.core.request import Instance
from maelstrom.core.weight import read_weight

__all__ = ["PlainTree", "read_plain_tree"]


@frozen
class PlainTree:
    """A tree as it stands, and who everyone is."""

    layout: TilingLayout
    who: Identities


def read_plain_tree(
    layout: Json, known: Mapping[str, Instance], catalogue: Catalogue, limits: Limits
) -> PlainTree | None:
    """The tree of a layout that needs no healing, else None."""
    table = layout.get("nodes") if layout.__class__ is dict else ()
    if table.__class__ is not list or len(table) > limits.tree_nodes:
        return None
    nodes: dict[str, TilingNode] = {}
    shown: dict[str, Instance] = {}
    for raw in table:
        node_id = read_id(raw.get("id"), limits) if raw.__class__ is dict else None
        if node_id is None or not _is_weight(raw.get("weight")):
            return None
        node: TilingNode | None
        if raw.get("kind") == "split":
            node = _read_split(node_id, raw)
        else:
            who = identify_plainly(raw, known, catalogue, limits)
            node = None if who is None else _read_leaf(node_id, raw, who, known)
            if who is None or who.instance_id in shown:
                return None
            shown[who.instance_id] = who
        if node is None:
            return None
        nodes[node_id] = node
    root = layout.get("root")
    distinct = len(nodes) == len(table) and len(shown) <= limits.instances
    if not distinct or root.__class__ is not str or not _is_tree(root, nodes):
        return None
    who_is_who = plain_identities(known, shown.values(), catalogue)
    return PlainTree(TilingLayout(root, tuple(nodes.values())), who_is_who)


def _is_weight(raw: Json) -> bool:
    """Whether a node may keep what it has as a weight, absent or not."""
    return raw is None or (raw.__class__ is not str and read_weight(raw) is not None)


def _read_split(node_id: str, raw: Json) -> Split | None:
    direction, children = raw.get("direction"), raw.get("children")
    if direction not in ("row", "column") or children.__class__ is not list:
        return None
    if len(children) <= 1 or any(child.__class__ is not str for child in children):
        return None
    return Split(node_id, direction, tuple(children), weight=raw.get("weight"))


def _read_leaf(
    node_id: str, raw: Json, who: Instance, known: Mapping[str, Instance]
) -> Leaf | None:
    if raw.get("kind") != "leaf" or "children" in raw:
        return None
    weight = raw.get("weight")
    if who.instance_id in known:
        return Leaf(node_id, who.instance_id, weight=weight)
    return Leaf(
        node_id,
        who.instance_id,
        weight=weight,
        vessel_id=who.vessel_id,
        variant=who.variant,
    )


def _is_tree(root: str, nodes: Mapping[str, TilingNode]) -> bool:
    below = [
        child
        for node in nodes.values()
        if isinstance(node, Split)
        for child in node.children
    ]
    if len(below) != len(nodes) - 1 or {root, *below} != nodes.keys():
        return False
    # Each node but the root has one parent now; what is left to find is a cycle apart.
    reached = [root]
    for name in reached:
        node = nodes[name]
        if isinstance(node, Split):
            reached += node.children
    return len(reached) == len(nodes)
