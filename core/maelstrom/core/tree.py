"""Reading the raw table of a tiling layout, and walking the tree that it spells.

Theory of operation. A tree may come flat, as a table of nodes by id, or nested, with
node objects in the place of child ids; both are read alike. Every object is numbered
in *document order* (the root object, then the table, each node before what is nested
in it), and from there on nodes are integers. Document order is the order of the table,
of the made-up ids and of the paths; so records need no paths until they are written,
and a deep tree costs no quadratic heap of them.

Reading decides which nodes are in the table (T1, T2, T14) and which is the root (T0).
The walk then goes down from the root slot by slot, in pre-order, on a stack of its
own, and decides which slots hold a child (T3, T4, T5); what it never meets is
unreachable (T8). Both are blind to who the leaves are, so the claims that they yield,
in pre-order, can be judged afterwards.

Warts. A slot that holds a node object is bound to that object and not to its id:
where the object is dropped, the slot goes without a record of its own. Past the node
limit, objects nested deeper than the limit of nesting are not listed one by one: they
go with the object that holds them, as their paths would be as long as they are deep.

To keep in step: the cases are T0 to T8 and T14 of the protocol's part 2.4;
`heal_tiling` has the others.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from attrs import frozen

from maelstrom.core.healed import Drop
from maelstrom.core.identity import Claim, read_id, read_stated
from maelstrom.core.json_value import Json, Path
from maelstrom.core.limits import Limits

__all__ = ["Node", "Table", "Tree", "read_table", "read_tree", "walk"]

_ROOT: Final = -1  # the holder of a root that is given as an object
_TABLE: Final = -2  # the holder of what stands in the table itself
_NEW, _OPEN, _DONE = 0, 1, 2  # not met; on the path from the root; met


@frozen
class Node:
    """A node that is in the table: a split's slots, or the id that a leaf shows."""

    id: str
    raw: Json
    slots: tuple[Json, ...] | None
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

    @property
    def nested(self) -> bool:
        """Whether any node was given as an object inside another, or as the root."""
        return bool(self.inner) or self.spots[:1] == ((_ROOT, 0),)

    def path(self, number: int) -> Path:
        """Where the object stands in the candidate."""
        steps: list[str | int] = []
        holder, place = self.spots[number]
        while holder >= 0:
            steps += (place, "children")
            holder, place = self.spots[holder]
        steps += ("root", "layout") if holder == _ROOT else (place, "nodes", "layout")
        return tuple(reversed(steps))

    def child(self, number: int, place: int, slot: Json) -> int | None:
        """The number of the node that a slot holds or names; None where it is none."""
        if isinstance(slot, str):
            return self.numbers.get(slot)
        child = self.inner.get((number, place))
        return child if child is not None and self.nodes[child] is not None else None


@frozen
class Tree:
    """What the root reaches.

    ``order`` are the numbers met, in pre-order, ``children`` those that each split
    took. ``claims`` belong to the leaves ``claimants``, in pre-order.
    """

    table: Table
    root: int | None
    inferred: bool
    order: tuple[int, ...]
    children: Mapping[int, list[int]]
    claims: tuple[Claim, ...]
    claimants: tuple[int, ...]
    drops: tuple[Drop, ...]


def read_tree(layout: Json, limits: Limits) -> Tree:
    """Read and walk a raw tiling layout; one that is no object has no nodes."""
    table = read_table(layout, limits)
    root = _named_root(layout, table)
    inferred = root is None
    if root is None:
        root = _inferred_root(table)
    return walk(table, root, inferred, limits)


def read_table(layout: Json, limits: Limits) -> Table:
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
    layout: Json, limits: Limits
) -> tuple[list[Json], list[tuple[int, int]], dict[tuple[int, int], int]]:
    """Every object of the layout in document order, with its spot."""
    listed = layout.get("nodes") if isinstance(layout, dict) else None
    entries = listed if isinstance(listed, list) else []
    todo = [
        (entry, _TABLE, place, 0)
        for place, entry in zip(
            range(len(entries) - 1, -1, -1), reversed(entries), strict=True
        )
    ]
    if isinstance(layout, dict) and isinstance(layout.get("root"), dict):
        todo.append((layout["root"], _ROOT, 0, 0))
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
        for index in range(len(slots) - 1, -1, -1):
            if isinstance(slots[index], dict):
                todo.append((slots[index], number, index, depth + 1))
    return raws, spots, inner


def _slots(raw: Json) -> list[Json]:
    slots = raw.get("children") if isinstance(raw, dict) else None
    return slots if isinstance(slots, list) else []


def _fresh_ids(layout: Json, raws: list[Json]) -> Iterator[str]:
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
        return Node(node_id, raw, tuple(raw["children"]), None)
    return None


def _claimed_id(raw: Json, limits: Limits) -> str | None:
    if not isinstance(raw, dict) or raw.get("kind") == "split":
        return None
    return read_id(raw.get("instanceId"), limits)


def _named_root(layout: Json, table: Table) -> int | None:
    root = layout.get("root") if isinstance(layout, dict) else None
    if isinstance(root, dict):
        return 0 if table.nodes[0] is not None else None
    return table.numbers.get(root) if isinstance(root, str) else None


def _inferred_root(table: Table) -> int | None:
    """T0: the only node that is nobody's child."""
    somebodys = bytearray(len(table.nodes))
    for number, node in enumerate(table.nodes):
        if node is not None and node.slots is not None:
            for place, slot in enumerate(node.slots):
                child = table.child(number, place, slot)
                if child is not None:
                    somebodys[child] = 1
    orphans = [n for n in table.numbers.values() if not somebodys[n]]
    return orphans[0] if len(orphans) == 1 else None


def walk(table: Table, root: int | None, inferred: bool, limits: Limits) -> Tree:
    """Go down from the root; without one every node of the table drops (T0)."""
    state = bytearray(len(table.nodes))
    order: list[int] = []
    children: dict[int, list[int]] = {}
    drops = list(table.drops)
    if root is not None:
        _descend(table, root, state, order, children, drops)
    claims, claimants = _claims(table, order, drops, limits)
    lost = "tree_missing_root" if root is None else "tree_unreachable_node"
    for number in table.numbers.values():
        node = table.nodes[number]
        if state[number] == _NEW and node is not None:
            drops.append(Drop(lost, table.path(number), node.instance_id))
    return Tree(
        table,
        root,
        inferred,
        tuple(order),
        children,
        tuple(claims),
        tuple(claimants),
        tuple(drops),
    )


def _descend(
    table: Table,
    root: int,
    state: bytearray,
    order: list[int],
    children: dict[int, list[int]],
    drops: list[Drop],
) -> None:
    """The walk itself: fills ``state``, ``order``, ``children`` and ``drops``."""
    frames: list[tuple[int, Iterator[tuple[int, Json]]]] = []

    def meet(number: int) -> bool:
        """Take a node; whether it is a split, which is gone into next."""
        node = table.nodes[number]
        order.append(number)
        if node is None or node.slots is None:
            state[number] = _DONE
            return False
        state[number] = _OPEN
        children[number] = []
        frames.append((number, enumerate(node.slots)))
        return True

    meet(root)
    while frames:
        number, slots = frames[-1]
        for place, slot in slots:
            child = table.child(number, place, slot)
            if child is not None and state[child] == _NEW:
                children[number].append(child)
                if meet(child):
                    break
            elif child is not None or not isinstance(slot, dict):
                reason = _lost_slot(child, state)
                path = (*table.path(number), "children", place)
                drops.append(Drop(reason, path))
        else:
            state[number] = _DONE
            frames.pop()


def _lost_slot(child: int | None, state: bytearray) -> str:
    if child is None:
        return "tree_missing_child"
    return "tree_cycle" if state[child] == _OPEN else "tree_shared_child"


def _claims(
    table: Table, order: list[int], drops: list[Drop], limits: Limits
) -> tuple[list[Claim], list[int]]:
    """What the leaves that were met claim, in pre-order; past the limit none (T14)."""
    claims: list[Claim] = []
    claimants: list[int] = []
    for number in order:
        node = table.nodes[number]
        if node is None or node.instance_id is None:
            continue
        path = table.path(number)
        if len(claims) >= limits.instances:
            drops.append(Drop("tree_too_large", path, node.instance_id))
            continue
        raw = node.raw
        vessel_id = read_stated(raw.get("vesselId"))
        variant = read_stated(raw.get("variant"))
        claims.append(Claim(path, node.instance_id, vessel_id, variant))
        claimants.append(number)
    return claims, claimants
