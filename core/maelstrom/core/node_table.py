"""Reading the raw table of a tiling layout: which nodes are in it, under which ids.

Theory of operation. A tree may come flat, as a table of nodes by id, or nested, with
node objects in the place of child ids; both are read alike. Every object is numbered
in *document order* (the root object, then the table, each node before what is nested
in it), and from there on nodes are integers. Document order is the order of the table,
of the made-up ids and of the paths; so records need no paths until they are written,
and a deep tree costs no quadratic heap of them.

Made-up ids are ``n0``, ``n1``, ... in document order, for each object without an id
(missing, null or ``""``), whatever else is wrong with it; ids that an object bears or
that anything names are skipped. A flat table gets none: a node without an id is bad.

Warts. A slot that holds a node object is bound to that object and not to its id:
where the object is dropped, the slot goes without a record of its own. Past the node
limit, objects nested deeper than the limit of nesting are not listed one by one: they
go with the object that holds them, as their paths would be as long as they are deep.

To keep in step: T1, T2 and T14 of the protocol's part 2.4.
"""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from itertools import repeat
from typing import Final

from attrs import field, frozen

from maelstrom.core.healed import Drop
from maelstrom.core.identity import read_id
from maelstrom.core.json_value import Json, Path
from maelstrom.core.limits import Limits

__all__ = ["Node", "Table", "read_table"]

_ROOT: Final = -1  # the holder of a root that is given as an object
_TABLE: Final = -2  # the holder of what stands in the table itself


@frozen
class Node:
    """A node that is in the table: a split's slots, or the id that a leaf shows."""

    id: str
    raw: Json
    slots: Sequence[Json] | None
    instance_id: str | None


@frozen
class Table:
    """What was read, by number in document order.

    ``spots`` say where each object stands, as its holder's number and its place there;
    ``nodes`` are None where an object is not in the table. ``numbers`` finds them by
    id, ``inner`` the objects nested in a slot by its spot.
    """

    spots: tuple[tuple[int, int], ...]
    nodes: tuple[Node | None, ...]
    numbers: Mapping[str, int]
    inner: Mapping[tuple[int, int], int]
    drops: tuple[Drop, ...]
    _paths: MutableMapping[int, Path] = field(factory=dict, eq=False, repr=False)

    @property
    def nested(self) -> bool:
        """Whether any node was given as an object inside another, or as the root."""
        return bool(self.inner) or self.spots[:1] == ((_ROOT, 0),)

    def path(self, number: int) -> Path:
        """Where the object stands in the candidate.

        Remembers the paths of nested objects: asked for the outer ones first, a deep
        tree's are built each from the one before.
        """
        holder, place = self.spots[number]
        if holder == _TABLE:
            return ("layout", "nodes", place)
        steps: list[str | int] = []
        above = number
        while above not in self._paths and holder >= 0:
            steps += (place, "children")
            above = holder
            holder, place = self.spots[above]
        start = self._paths.get(above)
        if start is None:
            start = ("layout", "root") if holder == _ROOT else self.path(above)
        path = start + tuple(reversed(steps))
        self._paths[number] = path
        return path

    def child(self, number: int, place: int, slot: Json) -> int | None:
        """The number of the node that a slot holds or names; None where it is none."""
        if isinstance(slot, str):
            return self.numbers.get(slot)
        child = self.inner.get((number, place))
        return child if child is not None and self.nodes[child] is not None else None


def read_table(layout: dict[str, Json], limits: Limits) -> Table:
    """Number every object of the layout, and find which are nodes (T1, T2, T14)."""
    raws, spots, inner = _number(layout, limits)
    nodes: list[Node | None] = []
    numbers: dict[str, int] = {}
    drops: list[Drop] = []
    unread = Table(tuple(spots), (), numbers, inner, ())
    nested = unread.nested
    names = _fresh_ids(layout, raws) if nested else iter(())
    for number, raw in enumerate(raws):
        made_up = nested and isinstance(raw, dict) and raw.get("id") in (None, "")
        node = _read_node(raw, next(names) if made_up else None, limits)
        reason = None
        if node is None:
            reason, instance_id = "tree_invalid_node", _claimed_id(raw, limits)
        elif node.id in numbers:
            reason, instance_id = "duplicate_node_id", node.instance_id
        elif number >= limits.tree_nodes:
            reason, instance_id = "tree_too_large", node.instance_id
        else:
            numbers[node.id] = number
            nodes.append(node)
            continue
        nodes.append(None)
        drops.append(Drop(reason, unread.path(number), instance_id))
    return Table(tuple(spots), tuple(nodes), numbers, inner, tuple(drops))


def _number(
    layout: dict[str, Json], limits: Limits
) -> tuple[list[Json], list[tuple[int, int]], dict[tuple[int, int], int]]:
    """Every object of the layout in document order, with its spot."""
    root, listed = layout.get("root"), layout.get("nodes")
    entries = listed if isinstance(listed, list | tuple) else ()
    if not isinstance(root, dict) and not any(map(_holds_nodes, entries)):
        flat = list(zip(repeat(_TABLE), range(len(entries)), strict=False))
        return list(entries), flat, {}
    todo: list[tuple[Json, int, int, int]] = [
        (entries[place], _TABLE, place, 0) for place in range(len(entries) - 1, -1, -1)
    ]
    if isinstance(root, dict):
        todo.append((root, _ROOT, 0, 0))
    raws: list[Json] = []
    spots: list[tuple[int, int]] = []
    inner: dict[tuple[int, int], int] = {}
    while todo:
        raw, holder, place, depth = todo.pop()
        number = len(raws)
        raws.append(raw)
        spots.append((holder, place))
        if holder >= 0:
            inner[holder, place] = number
        if number >= limits.tree_nodes and depth >= limits.nesting:
            continue
        slots = _slots(raw)
        todo.extend(
            (slots[index], number, index, depth + 1)
            for index in range(len(slots) - 1, -1, -1)
            if isinstance(slots[index], dict)
        )
    return raws, spots, inner


def _holds_nodes(raw: Json) -> bool:
    return any(isinstance(slot, dict) for slot in _slots(raw))


def _slots(raw: Json) -> list[Json]:
    slots = raw.get("children") if isinstance(raw, dict) else None
    return slots if isinstance(slots, list) else []


def _fresh_ids(layout: dict[str, Json], raws: list[Json]) -> Iterator[str]:
    """``n0``, ``n1``, ... without those that a node bears or that anything names."""
    used = {layout["root"]} if isinstance(layout.get("root"), str) else set()
    for raw in raws:
        if isinstance(raw, dict) and isinstance(raw.get("id"), str):
            used.add(raw["id"])
        used.update(slot for slot in _slots(raw) if isinstance(slot, str))
    count = 0
    while True:
        if (name := f"n{count}") not in used:
            yield name
        count += 1


def _read_node(raw: Json, made_up: str | None, limits: Limits) -> Node | None:
    if not isinstance(raw, dict):
        return None
    node_id = made_up if made_up is not None else read_id(raw.get("id"), limits)
    if node_id is None:
        return None
    kind = raw.get("kind")
    if kind == "leaf":
        instance_id = read_id(raw.get("instanceId"), limits)
        return None if instance_id is None else Node(node_id, raw, None, instance_id)
    if kind == "split" and isinstance(raw.get("children"), list):
        return Node(node_id, raw, raw["children"], None)
    return None


def _claimed_id(raw: Json, limits: Limits) -> str | None:
    if not isinstance(raw, dict) or raw.get("kind") == "split":
        return None
    return read_id(raw.get("instanceId"), limits)
