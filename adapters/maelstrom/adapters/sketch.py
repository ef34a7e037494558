"""A raw layout as it can be drawn: what a model proposed, before anything is healed.

Theory: the sketch is lenient where healing judges. What has an id and numbers stands
where it says, whether or not it is allowed there; what has none cannot be drawn. Places
and sizes are bounded by a little more than the chart, so that a piece a million cells
away costs nothing and is still seen to be outside. Of a tree each node is drawn once,
where the walk from the root first meets it; a leaf's instance may well appear twice.
"""

from collections.abc import Iterator, Mapping

from maelstrom.core.json_value import Json
from maelstrom.core.layout import (
    Cell,
    Direction,
    GridLayout,
    Layout,
    Leaf,
    Position,
    Split,
    TilingLayout,
    TilingNode,
)
from maelstrom.core.request import Dimensions
from maelstrom.core.vessel import Size

__all__ = ["sketch"]


def sketch(raw: Json, chart: Dimensions) -> Layout:
    """The layout that a raw one would be, were all of it allowed.

    >>> piece = {"instanceId": "a", "row": 9, "column": 0, "width": 2, "height": "1"}
    >>> sketch({"type": "grid", "positions": [piece]}, Dimensions(4, 2)).positions[0]
    ... # doctest: +NORMALIZE_WHITESPACE
    Position(instance_id='a', position=Cell(row=3, column=0),
             size=Size(width=2, height=1), vessel_id=None, variant=None)
    """
    layout = raw if isinstance(raw, dict) else {}
    if layout.get("type") == "tiling":
        return _tree(layout)
    return GridLayout(tuple(_pieces(layout.get("positions"), chart)))


def _pieces(positions: Json, chart: Dimensions) -> Iterator[Position]:
    for raw in positions if isinstance(positions, list) else ():
        if not isinstance(raw, dict) or not isinstance(raw.get("instanceId"), str):
            continue
        place, size = (_object(raw, key) for key in ("position", "size"))
        numbers = (
            _number(place.get("row"), chart.rows),
            _number(place.get("column"), chart.columns),
            _number(size.get("width"), chart.columns),
            _number(size.get("height"), chart.rows),
        )
        if None in numbers:
            continue
        row, column, width, height = (number or 0 for number in numbers)
        yield Position(
            raw["instanceId"], Cell(row, column), Size(max(width, 1), max(height, 1))
        )


def _object(raw: Mapping[str, Json], key: str) -> Mapping[str, Json]:
    inner = raw.get(key)
    return inner if isinstance(inner, dict) else raw


def _number(value: Json, side: int) -> int | None:
    """A number's whole part, at most one past the chart's side; None where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    if number != number:  # noqa: PLR0124  NaN alone
        return None
    return int(min(max(number, -1), side + 1))


# ---------------------------------------------------------------- a tree


def _tree(layout: Mapping[str, Json]) -> TilingLayout:
    table = {
        node["id"]: node
        for node in reversed(_list(layout.get("nodes")))
        if isinstance(node, dict) and isinstance(node.get("id"), str)
    }
    named = frozenset(
        child
        for node in table.values()
        for child in _list(node.get("children"))
        if isinstance(child, str)
    )
    root = layout.get("root")
    if not isinstance(root, dict) and not (isinstance(root, str) and root in table):
        orphans = [name for name in table if name not in named]
        root = orphans[-1] if orphans else None
    return _walk(root, table)


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _walk(root: Json, table: Mapping[str, Json]) -> TilingLayout:
    """Each node once, where the walk in pre-order first meets it."""
    order: list[tuple[str, Mapping[str, Json], list[str]]] = []
    taken: set[str] = set()
    tops: list[str] = []
    work: list[tuple[Json, list[str]]] = [(root, tops)]
    while work:
        given, siblings = work.pop()
        node = table.get(given) if isinstance(given, str) else given
        if not isinstance(node, dict):
            continue
        name = given if isinstance(given, str) else f"(node {len(order)})"
        if name in taken:
            continue
        taken.add(name)
        siblings.append(name)
        children: list[str] = []
        order.append((name, node, children))
        inner = _list(node.get("children"))
        work.extend((child, children) for child in reversed(inner))
    nodes = _nodes(order)
    drawn = frozenset(node.id for node in nodes)
    return TilingLayout(next((top for top in tops if top in drawn), None), nodes)


def _nodes(
    order: list[tuple[str, Mapping[str, Json], list[str]]],
) -> tuple[TilingNode, ...]:
    """The nodes as records, from the last one up; a split with nothing in it is none."""
    nodes: list[TilingNode] = []
    drawn: set[str] = set()
    for name, node, named in reversed(order):
        children = tuple(child for child in named if child in drawn)
        weight = _weight(node.get("weight"))
        if children:
            down = node.get("direction") == "column"
            direction: Direction = "column" if down else "row"
            nodes.append(Split(name, direction, children, weight=weight))
        elif isinstance(node.get("instanceId"), str):
            nodes.append(Leaf(name, node["instanceId"], weight=weight))
        else:
            continue
        drawn.add(name)
    return tuple(reversed(nodes))


def _weight(value: Json) -> float | None:
    """A weight that can be drawn: no share is a thousand times another."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return min(max(value, 0.001), 1_000) if value > 0 else None
