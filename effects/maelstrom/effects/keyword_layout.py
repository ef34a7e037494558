"""Where a draft's instances stand: what stood stays, what is new finds room. Pure.

Theory: the layout is proposed as a model would propose it, and mended gently: mending
knows how to move, grow and shrink pieces so that nothing overlaps and nothing that fits
is lost, and what was mended once heals without a record. In a grid a newcomer is
proposed in the top left corner, at a size that is comfortable to look at; mending moves
it to the nearest free place. If somebody finds none, everybody is packed at minimum size,
those that the user named first. In a tree a newcomer becomes the root's last child.
"""

from typing import Final

from attrs import evolve

from maelstrom.core.catalogue import Catalogue
from maelstrom.core.heal import mend
from maelstrom.core.healed import Healed
from maelstrom.core.layout import (
    Cell,
    Direction,
    GridLayout,
    Layout,
    Leaf,
    Position,
    Split,
    TilingLayout,
)
from maelstrom.core.limits import Limits
from maelstrom.core.policy import HealPolicy
from maelstrom.core.prune import placed, prune
from maelstrom.core.request import Dimensions, Instance
from maelstrom.core.response import MaelstromResponse
from maelstrom.core.vessel import Size
from maelstrom.core.wire import candidate_from_json, encode_response
from maelstrom.effects.keyword_draft import Draft

__all__ = ["arrange"]

_COMFORT: Final = 3
"""A newcomer takes a third of the chart each way, if its minimum is not more."""

_CORNER: Final = Cell(0, 0)


def arrange(draft: Draft, limits: Limits) -> Healed:
    """The draft's layout and plan, healed: nothing in it overlaps or sticks out."""
    layout = draft.request.layout
    if isinstance(layout, TilingLayout):
        return _mended(draft, _grown(draft, layout), limits)
    kept = _mended(draft, _proposed(draft, layout), limits)
    if frozenset(draft.shown) <= frozenset(placed(kept.layout)):
        return kept
    packed = _mended(draft, _packed(draft), limits)
    return max(kept, packed, key=lambda one: len(placed(one.layout)))


def _mended(draft: Draft, layout: Layout, limits: Limits) -> Healed:
    answer = MaelstromResponse("draft", "Draft.", "Draft.", draft.plan, layout)
    candidate = candidate_from_json(encode_response(answer))
    return mend(draft.request, candidate, HealPolicy.gentle(), limits)


# ---------------------------------------------------------------- grid


def _proposed(draft: Draft, layout: GridLayout) -> GridLayout:
    shown = frozenset(draft.shown)
    there = tuple(one for one in layout.positions if one.instance_id in shown)
    stands = frozenset(one.instance_id for one in there)
    chart = draft.request.context.chart_dimensions
    minima = _minima(draft)
    new = (
        _position(draft, one, _comfortable(minima[one], chart))
        for one in draft.shown
        if one not in stands
    )
    return GridLayout((*there, *new))


def _packed(draft: Draft) -> GridLayout:
    minima = _minima(draft)
    others = (one for one in draft.shown if one not in draft.wanted)
    wanted = (one for one in draft.wanted if one in draft.shown)
    return GridLayout(
        tuple(_position(draft, one, minima[one]) for one in (*wanted, *others))
    )


def _position(draft: Draft, instance_id: str, size: Size) -> Position:
    fresh = _declared(draft, instance_id)
    return Position(
        instance_id,
        _CORNER,
        size,
        vessel_id=fresh.vessel_id if fresh else None,
        variant=fresh.variant if fresh else None,
    )


def _declared(draft: Draft, instance_id: str) -> Instance | None:
    fresh = (one for one in draft.declared if one.instance_id == instance_id)
    return next(fresh, None)


def _minima(draft: Draft) -> dict[str, Size]:
    """The smallest size of each instance, in its variant after the plan."""
    catalogue = Catalogue(draft.request.vessels)
    vessels = {one.id: one for one in draft.request.vessels}
    minima: dict[str, Size] = {}
    for one in draft.instances:
        variant = catalogue.variant(vessels[one.vessel_id], one.variant)
        minima[one.instance_id] = variant.min_size if variant else Size(1, 1)
    return minima


def _comfortable(least: Size, chart: Dimensions) -> Size:
    return Size(
        max(least.width, -(-chart.columns // _COMFORT)),
        max(least.height, -(-chart.rows // _COMFORT)),
    )


# ---------------------------------------------------------------- tiling


def _grown(draft: Draft, layout: TilingLayout) -> TilingLayout:
    """The tree without who left, and with each newcomer as the root's last child."""
    left = prune(layout, frozenset(draft.shown))
    assert isinstance(left, TilingLayout)
    stands = frozenset(placed(left))
    new = tuple(one for one in draft.shown if one not in stands)
    if not new:
        return left
    taken = frozenset(node.id for node in layout.nodes)
    free = (f"n{number}" for number in range(len(taken) + len(new) + 1))
    ids = iter([one for one in free if one not in taken])
    root_id = next(ids)
    leaves = tuple(_leaf(draft, next(ids), one) for one in new)
    return _attached(left, leaves, root_id, draft.request.context.chart_dimensions)


def _leaf(draft: Draft, node_id: str, instance_id: str) -> Leaf:
    fresh = _declared(draft, instance_id)
    return Leaf(
        node_id,
        instance_id,
        vessel_id=fresh.vessel_id if fresh else None,
        variant=fresh.variant if fresh else None,
    )


def _attached(
    tree: TilingLayout, leaves: tuple[Leaf, ...], root_id: str, chart: Dimensions
) -> TilingLayout:
    new = tuple(leaf.id for leaf in leaves)
    root = next((node for node in tree.nodes if node.id == tree.root), None)
    if isinstance(root, Split):
        grown = evolve(root, children=(*root.children, *new))
        nodes = (grown if node is root else node for node in tree.nodes)
        return TilingLayout(root.id, (*nodes, *leaves))
    before = () if root is None else (root.id,)
    if len(before) + len(new) == 1:
        return TilingLayout(new[0], leaves)
    direction: Direction = "row" if chart.columns >= chart.rows else "column"
    split = Split(root_id, direction, (*before, *new))
    return TilingLayout(root_id, (split, *tree.nodes, *leaves))
