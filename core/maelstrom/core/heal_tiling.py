"""Healing a tree: which leaves stay, what becomes of the splits, and the weights.

Theory of operation. `tree` has read the table and walked it; here come the cases that
need to know who the leaves are. Leaves are judged in pre-order (T6, T7). Then the tree
is settled from below (T9, T10): each node learns which node *stands* in its place,
itself, the only child that it is left with, or none. Then it is read from above: the
directions (T11), and sibling by sibling the weights (T12, T13). minSize plays no part.

Warts. The child that takes a split's place takes its weight as the model wrote it, so
a bad one is mended, and recorded, where the child stands; the child's own weight, and
the direction of a split that gave way, vanish without a record.

To keep in step: part 2.4 of the protocol; `weight` has the numbers.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from attrs import frozen

from maelstrom.core.healed import Drop, Repair
from maelstrom.core.identity import Identified, Verdict, identity_repair
from maelstrom.core.json_value import Path
from maelstrom.core.layout import Direction, Leaf, Split, TilingLayout, TilingNode
from maelstrom.core.node_table import Node
from maelstrom.core.request import Dimensions
from maelstrom.core.tree import Tree
from maelstrom.core.vessel import Variant
from maelstrom.core.weight import mean_weight, read_weight

__all__ = ["TilingOutcome", "default_direction", "heal_tiling"]

_ORTHOGONAL: Final = MappingProxyType[Direction, Direction](
    {"row": "column", "column": "row"}
)

_Numbered: TypeAlias = list[tuple[int, Repair]]
"""Repairs with the number of the node that they changed."""


@frozen
class TilingOutcome:
    """A tree made coherent; drops and repairs in the order of their paths."""

    layout: TilingLayout
    drops: tuple[Drop, ...]
    repairs: tuple[Repair, ...]


@frozen
class _Shape:
    """The tree as it comes out, by number.

    ``children`` are those of the splits that stay, ``collapsed`` the splits that gave
    way, ``weighed`` says whose weight a node bears, where it is not its own.
    """

    root: int | None
    children: Mapping[int, Sequence[int]]
    collapsed: tuple[int, ...]
    weighed: Mapping[int, int]


def default_direction(chart: Dimensions) -> Direction:
    """The direction of a root that states none: along the chart's longer side."""
    return "row" if chart.columns >= chart.rows else "column"


def heal_tiling(
    tree: Tree,
    verdicts: Sequence[Verdict],
    after: Mapping[str, Variant],
    chart: Dimensions,
) -> TilingOutcome:
    """Keep every leaf that stands and is somebody; ``verdicts`` are by claim."""
    drops = list(tree.drops)
    leaves = _keep_leaves(tree, verdicts, drops)
    shape = _settle(tree, leaves, drops)
    drops.sort(key=_drop_order)
    if shape.root is None:
        return TilingOutcome(TilingLayout(), tuple(drops), ())
    repairs = _first_repairs(tree, leaves, shape, after)
    directions = _directions(tree, shape, chart, repairs)
    weights = _weights(tree, shape, repairs)
    repairs.sort(key=_number_of)
    return TilingOutcome(
        TilingLayout(
            _node(tree, shape.root).id,
            tuple(
                _leaf(tree, number, leaves[number], weight)
                if number in leaves
                else _split(tree, number, shape, directions[number], weight)
                for number, weight in sorted(weights.items(), key=_number_of)
            ),
        ),
        tuple(drops),
        (*_tree_repairs(tree), *(repair for _, repair in repairs)),
    )


def _drop_order(drop: Drop) -> tuple[bool, Path]:
    """Paths as they order: the root before the table, outer before inner."""
    return drop.path[1] != "root", drop.path


def _number_of(numbered: tuple[int, object]) -> int:
    return numbered[0]


def _node(tree: Tree, number: int) -> Node:
    node = tree.table.nodes[number]
    assert node is not None, "only nodes of the table are walked"
    return node


def _keep_leaves(
    tree: Tree, verdicts: Sequence[Verdict], drops: list[Drop]
) -> dict[int, Identified]:
    """The leaves that stay, by number; T6 and T7."""
    leaves: dict[int, Identified] = {}
    shown: set[str] = set()
    for number, claim, who in zip(tree.claimants, tree.claims, verdicts, strict=True):
        if isinstance(who, str):
            reason = who
        elif claim.instance_id in shown:
            reason = "duplicate_instance_id"
        else:
            shown.add(claim.instance_id)
            leaves[number] = who
            continue
        drops.append(Drop(reason, tree.table.path(number), claim.instance_id))
    return leaves


def _settle(tree: Tree, leaves: Mapping[int, Identified], drops: list[Drop]) -> _Shape:
    """From below: what stands in the place of each node; T9 and T10."""
    standing: dict[int, int] = {}
    children: dict[int, list[int]] = {}
    collapsed: list[int] = []
    weighed: dict[int, int] = {}
    for number in reversed(tree.order):
        taken = tree.children.get(number)
        if taken is None:
            if number in leaves:
                standing[number] = number
            continue
        left = [standing[child] for child in taken if child in standing]
        if len(left) > 1:
            standing[number] = number
            children[number] = left
        elif left:
            standing[number] = left[0]
            collapsed.append(number)
            weighed[left[0]] = number  # an outer split, settled later, outweighs
        elif not _node(tree, number).slots:
            drops.append(Drop("tree_missing_child", tree.table.path(number)))
    root = None if tree.root is None else standing.get(tree.root)
    return _Shape(root, children, tuple(reversed(collapsed)), weighed)


def _tree_repairs(tree: Tree) -> Iterator[Repair]:
    if tree.table.nested:
        yield Repair("tree_flattened", ("layout",))
    if tree.inferred:
        yield Repair("root_inferred", ("layout", "root"))


def _first_repairs(
    tree: Tree,
    leaves: Mapping[int, Identified],
    shape: _Shape,
    after: Mapping[str, Variant],
) -> _Numbered:
    """Those of identity and of collapsing, which come first at their path."""
    repairs: _Numbered = []
    for number, who in leaves.items():
        if who.defaulted or who.other_variant is not None:
            path = tree.table.path(number)
            repair = identity_repair(path, who, after[who.instance_id])
            if repair is not None:
                repairs.append((number, repair))
    for number in shape.collapsed:
        path = tree.table.path(number)
        repairs.append((number, Repair("split_collapsed", path, lossless=False)))
    return repairs


def _directions(
    tree: Tree, shape: _Shape, chart: Dimensions, repairs: _Numbered
) -> dict[int, Direction]:
    """From above, as a default looks at the parent's direction; T11."""
    directions: dict[int, Direction] = {}
    fallback: dict[int, Direction] = {}
    for number in tree.order:
        children = shape.children.get(number)
        if children is None:
            continue
        direction = _node(tree, number).raw.get("direction")
        if direction not in ("row", "column"):
            direction = fallback.get(number) or default_direction(chart)
            path = tree.table.path(number)
            repair = Repair("direction_defaulted", path, lossless=False)
            repairs.append((number, repair))
        directions[number] = direction
        fallback.update(dict.fromkeys(children, _ORTHOGONAL[direction]))
    return directions


def _weights(tree: Tree, shape: _Shape, repairs: _Numbered) -> dict[int, float | None]:
    """The weights of all that stays, sibling by sibling; T12 and T13."""
    assert shape.root is not None, "an empty tree has no weights"
    weights: dict[int, float | None] = {}
    for siblings in ([shape.root], *shape.children.values()):
        raws = [
            _node(tree, shape.weighed.get(number, number)).raw.get("weight")
            for number in siblings
        ]
        valid = [1 if raw is None else read_weight(raw) for raw in raws]
        mean = mean_weight([weight for weight in valid if weight is not None])
        for number, raw, weight in zip(siblings, raws, valid, strict=True):
            weights[number] = mean if weight is None else weight
            if raw is None:
                weights[number] = None
            elif weight is None:
                repairs.append((number, _weight_repair(tree, number, None)))
            elif isinstance(raw, str):
                repairs.append((number, _weight_repair(tree, number, weight)))
    return weights


def _weight_repair(tree: Tree, number: int, weight: float | None) -> Repair:
    path = tree.table.path(number)
    instance_id = _node(tree, number).instance_id
    if weight is None:
        return Repair("weight_out_of_range", path, instance_id, lossless=False)
    return Repair("number_coerced", path, instance_id)


def _split(
    tree: Tree, number: int, shape: _Shape, direction: Direction, weight: float | None
) -> TilingNode:
    children = tuple(_node(tree, child).id for child in shape.children[number])
    return Split(_node(tree, number).id, direction, children, weight=weight)


def _leaf(tree: Tree, number: int, who: Identified, weight: float | None) -> TilingNode:
    node_id = _node(tree, number).id
    if not who.fresh:
        return Leaf(node_id, who.instance_id, weight=weight)
    return Leaf(
        node_id,
        who.instance_id,
        weight=weight,
        vessel_id=who.vessel.id,
        variant=who.variant,
    )
