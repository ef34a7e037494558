"""The current layout made to fit the current chart, without a model.

Theory of operation. A grid is scaled where it is clear by what: exactly one resize
stands among the reasons, and says what the chart was before. Then it is mended like a
model's answer, gently, so that nothing that fits is lost; and what was parked is shown
where there is room, at its smallest. A tree has no cells to outgrow, so it stays as it
is; only where nothing is shown at all do the parked instances make a new one.

Warts. Scaling rounds down, so pieces that touched may come to overlap by the minimum of
one of them; mending parts them. A piece that mending dropped is not tried again at its
minimum: there was no place for that either.

To keep in step: `maelstrom.core.heal_grid` does the mending. The direction of a new
split is that of a root whose direction is missing (T11).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from maelstrom.core.catalogue import Catalogue
from maelstrom.core.grid_reading import Geometry, GridPiece, GridReading
from maelstrom.core.heal_grid import gently, heal_grid
from maelstrom.core.identity import Identified
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
from maelstrom.core.limits import MAX_INTEGER, Limits
from maelstrom.core.place import Occupancy
from maelstrom.core.policy import HealPolicy
from maelstrom.core.request import ChartRequest, ChartResize, Dimensions
from maelstrom.core.vessel import Size, Variant

__all__ = ["reflow"]

_REFERENCE: Final = HealPolicy.reference()
_DEFAULTS: Final = Limits()
_TOP_LEFT: Final = Cell(0, 0)


def reflow(
    request: ChartRequest,
    policy: HealPolicy = _REFERENCE,
    limits: Limits = _DEFAULTS,
) -> Layout:
    """The request's layout, made to fit its chart; equal where everything fits.

    Of ``policy`` only ``overlap="keep"`` counts: whatever else it says, what fits is
    kept. ``limits`` bounds the tree that parked instances make.
    """
    layout = request.layout
    if isinstance(layout, TilingLayout):
        return layout if layout.root is not None else _tree_of_parked(request, limits)
    chart = request.context.chart_dimensions
    variants = _variants(request)
    mended = _mended(request, layout, variants, policy)
    shown = frozenset(position.instance_id for position in layout.positions)
    parked = [one for one in request.instances if one.instance_id not in shown]
    minima = [(one.instance_id, variants[one.instance_id].min_size) for one in parked]
    return GridLayout((*mended, *_added(minima, mended, chart)))


def _variants(request: ChartRequest) -> dict[str, Variant]:
    """The current variant of every instance, by the instance's id."""
    catalogue = Catalogue(request.vessels)
    variants: dict[str, Variant] = {}
    for instance in request.instances:
        vessel = catalogue.vessels[instance.vessel_id]
        variant = catalogue.variant(vessel, instance.variant)
        assert variant is not None, "a request's references hold"
        variants[instance.instance_id] = variant
    return variants


def _mended(
    request: ChartRequest,
    layout: GridLayout,
    variants: Mapping[str, Variant],
    policy: HealPolicy,
) -> tuple[Position, ...]:
    chart = request.context.chart_dimensions
    previous = _previous(request)
    vessels = Catalogue(request.vessels).vessels
    of = {one.instance_id: vessels[one.vessel_id] for one in request.instances}
    pieces: list[GridPiece] = []
    who: list[Identified] = []
    for index, position in enumerate(layout.positions):
        instance_id = position.instance_id
        variant = variants[instance_id]
        cell, size = position.position, position.size
        geometry = cell.row, cell.column, size.width, size.height
        if previous is not None:
            geometry = _scaled(geometry, previous, chart, variant.min_size)
        path = ("layout", "positions", index)
        pieces.append(GridPiece(path, instance_id, geometry=geometry))
        who.append(Identified(instance_id, of[instance_id], variant.id))
    reading = GridReading(tuple(pieces))
    return heal_grid(reading, who, variants, request, gently(policy)).positions


def _previous(request: ChartRequest) -> Dimensions | None:
    """What the chart was before, where exactly one resize says so."""
    resizes = [
        reason
        for reason in request.context.update_reasons
        if isinstance(reason, ChartResize)
    ]
    return resizes[0].previous if len(resizes) == 1 else None


def _scaled(
    geometry: Geometry, previous: Dimensions, chart: Dimensions, minimum: Size
) -> Geometry:
    row, column, width, height = geometry
    return (
        # What lies beyond every chart does so wherever it is cut off.
        min(row * chart.rows // previous.rows, MAX_INTEGER),
        min(column * chart.columns // previous.columns, MAX_INTEGER),
        min(max(width * chart.columns // previous.columns, minimum.width), MAX_INTEGER),
        min(max(height * chart.rows // previous.rows, minimum.height), MAX_INTEGER),
    )


def _added(
    minima: Iterable[tuple[str, Size]],
    standing: Iterable[Position],
    chart: Dimensions,
) -> Iterator[Position]:
    """A position for each of these that finds room, in their order."""
    occupancy = Occupancy(chart)
    for position in standing:
        cell, size = position.position, position.size
        occupancy.take(cell.row, cell.column, size.width, size.height)
    room = occupancy.room()
    for instance_id, size in minima:
        found = room.place(size, size, _TOP_LEFT)
        if found is not None:
            yield Position(instance_id, *found)


def _tree_of_parked(request: ChartRequest, limits: Limits) -> TilingLayout:
    """All instances side by side, as leaves ``n1``, ``n2``, ... of one split ``n0``."""
    room = limits.tree_nodes - 1 or 1  # the split is a node as well
    instances = request.instances[:room]
    if not instances:
        return TilingLayout()
    if len(instances) == 1:
        return TilingLayout("n0", (Leaf("n0", instances[0].instance_id),))
    chart = request.context.chart_dimensions
    direction: Direction = "row" if chart.columns >= chart.rows else "column"
    leaves = tuple(
        Leaf(f"n{number}", instance.instance_id)
        for number, instance in enumerate(instances, start=1)
    )
    split = Split("n0", direction, tuple(leaf.id for leaf in leaves))
    return TilingLayout("n0", (split, *leaves))
