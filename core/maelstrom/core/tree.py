"""Walking the tree that a node table spells: what the root reaches, and who is claimed.

Theory of operation. The root is the one that the layout names, else the only node that
is nobody's child (T0). From there the walk goes down slot by slot, in pre-order, on a
stack of its own, and decides which slots hold a child (T3, T4, T5); what it never meets
is unreachable (T8). It is blind to who the leaves are, so the claims that they yield,
in pre-order, can be judged afterwards.

Warts. A leaf past the instance limit keeps its slot's place in the table, so it has one
record, its own. Only splits of the table make a node somebody's child.

To keep in step: T0, T3 to T5, T8 and T14 of the protocol's part 2.4; `node_table` has
the cases before these, `heal_tiling` those after.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from maelstrom.core.healed import Drop
from maelstrom.core.identity import Claim, read_stated
from maelstrom.core.json_value import Json
from maelstrom.core.limits import Limits
from maelstrom.core.node_table import Table, read_table

__all__ = ["Tree", "read_tree"]

_LEAF: Final = ("layout", "nodes")
"""The path of every claim here: where a leaf stands is found by its number."""

_NEW, _OPEN, _DONE = 0, 1, 2  # not met; on the path from the root; met


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
    children: Mapping[int, Sequence[int]]
    claims: tuple[Claim, ...]
    claimants: tuple[int, ...]
    drops: tuple[Drop, ...]


def read_tree(layout: Json, limits: Limits) -> Tree:
    """Read and walk a raw tiling layout; one that is no object has no nodes."""
    raw = layout if isinstance(layout, dict) else {}
    table = read_table(raw, limits)
    root = _named_root(raw, table)
    inferred = root is None
    if root is None:
        root = _inferred_root(table)
    walk = _Walk(table)
    if root is not None:
        walk.descend(root)
    drops = [*table.drops, *walk.drops]
    claims, claimants = _claims(table, walk.order, drops, limits)
    lost = "tree_missing_root" if root is None else "tree_unreachable_node"
    for number in table.numbers.values():
        node = table.nodes[number]
        if node is not None and walk.state[number] == _NEW:
            drops.append(Drop(lost, table.path(number), node.instance_id))
    return Tree(
        table,
        root,
        inferred,
        tuple(walk.order),
        walk.children,
        tuple(claims),
        tuple(claimants),
        tuple(drops),
    )


def _named_root(layout: dict[str, Json], table: Table) -> int | None:
    root = layout.get("root")
    if isinstance(root, dict):  # the first object of the document
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


class _Walk:
    """A walk down from a root: what it met, which children it took, what it lost."""

    __slots__ = ("_frames", "_table", "children", "drops", "order", "state")

    def __init__(self, table: Table) -> None:
        self._table: Final = table
        self._frames: Final[list[tuple[int, Iterator[tuple[int, Json]]]]] = []
        self.state: Final = bytearray(len(table.nodes))
        self.order: Final[list[int]] = []
        self.children: Final[dict[int, list[int]]] = {}
        self.drops: Final[list[Drop]] = []

    def descend(self, root: int) -> None:
        """Meet all that the root reaches; a child's subtree before the next slot."""
        self._meet(root)
        while self._frames:
            number, slots = self._frames[-1]
            for place, slot in slots:
                child = self._table.child(number, place, slot)
                if child is not None and self.state[child] == _NEW:
                    self.children[number].append(child)
                    if self._meet(child):
                        break
                elif child is not None or not isinstance(slot, dict):
                    self._lose(number, place, child)
            else:
                self.state[number] = _DONE
                self._frames.pop()

    def _meet(self, number: int) -> bool:
        """Take a node; whether it is a split, which is gone into next."""
        node = self._table.nodes[number]
        self.order.append(number)
        if node is None or node.slots is None:
            self.state[number] = _DONE
            return False
        self.state[number] = _OPEN
        self.children[number] = []
        self._frames.append((number, enumerate(node.slots)))
        return True

    def _lose(self, number: int, place: int, child: int | None) -> None:
        if child is None:
            reason = "tree_missing_child"
        elif self.state[child] == _OPEN:
            reason = "tree_cycle"
        else:
            reason = "tree_shared_child"
        path = (*self._table.path(number), "children", place)
        self.drops.append(Drop(reason, path))


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
        if len(claims) >= limits.instances:
            path = table.path(number)
            drops.append(Drop("tree_too_large", path, node.instance_id))
            continue
        vessel_id = read_stated(node.raw.get("vesselId"))
        variant = read_stated(node.raw.get("variant"))
        claims.append(Claim(_LEAF, node.instance_id, vessel_id, variant))
        claimants.append(number)
    return claims, claimants
