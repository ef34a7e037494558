"""Where instances stand: a grid of cells, or a tree of splits.

A tree is a flat table of nodes, so that no schema recurses. ``row`` lays the children
of a split out side by side, ``column`` one above the other.
"""

from typing import Literal, TypeAlias

from attrs import field, frozen

from maelstrom.core.vessel import Size

__all__ = [
    "Cell",
    "Direction",
    "GridLayout",
    "Layout",
    "LayoutMode",
    "Leaf",
    "Position",
    "Split",
    "TilingLayout",
    "TilingNode",
]

LayoutMode: TypeAlias = Literal["grid", "tiling"]
Direction: TypeAlias = Literal["row", "column"]
"""How a split lays its children out: side by side, or one below the other."""


@frozen
class Cell:
    """A place in the grid, zero-based, in whole chart cells."""

    row: int
    column: int


@frozen
class Position:
    """One instance in a grid: its top-left cell and its size.

    ``vessel_id`` and ``variant`` are set only in a response, on a piece that introduces
    a new instance.
    """

    instance_id: str
    position: Cell
    size: Size
    vessel_id: str | None = field(default=None, kw_only=True)
    variant: str | None = field(default=None, kw_only=True)


@frozen
class GridLayout:
    """Positions in document order."""

    positions: tuple[Position, ...] = ()


@frozen
class Split:
    """A node that shares its room among its children, by their weights."""

    id: str
    direction: Direction
    children: tuple[str, ...]
    weight: float | None = field(default=None, kw_only=True)


@frozen
class Leaf:
    """A node that shows one instance.

    ``vessel_id`` and ``variant`` as in `Position`.
    """

    id: str
    instance_id: str
    weight: float | None = field(default=None, kw_only=True)
    vessel_id: str | None = field(default=None, kw_only=True)
    variant: str | None = field(default=None, kw_only=True)


TilingNode: TypeAlias = Split | Leaf


@frozen
class TilingLayout:
    """A tree as a table of nodes; ``root`` is None where nothing is shown.

    A node's ``weight`` is its share among its siblings; None counts as 1.
    """

    root: str | None = None
    nodes: tuple[TilingNode, ...] = ()


Layout: TypeAlias = GridLayout | TilingLayout
