"""Grid answers that need no healing, in two short passes.

Theory of operation. Most answers are right as they stand, and healing them piece by
piece costs several times the records that come out. So the plain case is tried first,
all or nothing: `read_plain_grid` takes a layout in which every piece is an object of
the usual form that claims an instance of its own, and says of it nothing but the truth;
`stand_plain_grid` takes pieces of which each, besides, may stay where it is. Either
gives None at the first piece that is otherwise, and the layout is healed.

Warts. Nothing is decided here: what is taken is what healing would leave as it is,
without a record, under the same policy. Not all such layouts are taken; what is rare in
them (``""`` for what is not stated, say) is left to healing. An id that the request
knows is not looked at again: a valid request has no other.

To keep in step: `grid_reading`, `identity` and phase 1 of `heal_grid`.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from attrs import field, frozen

from maelstrom.core.catalogue import Catalogue
from maelstrom.core.identity import Identities, identify_plainly, plain_identities
from maelstrom.core.json_value import Json
from maelstrom.core.layout import Cell, Position
from maelstrom.core.limits import Limits
from maelstrom.core.place import Occupancy
from maelstrom.core.request import Dimensions, Instance
from maelstrom.core.vessel import Size

__all__ = ["PlainGrid", "read_plain_grid", "shared_size", "stand_plain_grid"]

_PlainPiece: TypeAlias = tuple[Instance, Json, Json, Json, Json]
"""Who it is; its row, column, width and height, None where there is none."""

shared_size = lru_cache(maxsize=1_024)(Size)
"""Few sizes make up most charts, so equal ones share a record."""

_shared_cell = lru_cache(maxsize=8_192)(Cell)
"""From turn to turn most pieces stay where they are. The cells of a 90 x 90 chart."""


@frozen
class PlainGrid:
    """Pieces in document order, one an instance, and who everyone is."""

    pieces: tuple[_PlainPiece, ...] = field(hash=False)
    who: Identities


def read_plain_grid(
    layout: Json, known: Mapping[str, Instance], catalogue: Catalogue, limits: Limits
) -> PlainGrid | None:
    """The pieces of a layout whose identities need no judging, else None."""
    entries = layout.get("positions") if layout.__class__ is dict else ()
    if entries.__class__ is not list or len(entries) > limits.instances:
        return None
    pieces: list[_PlainPiece] = []
    for entry in entries:
        if entry.__class__ is not dict:
            return None
        cell, size = entry.get("position"), entry.get("size")
        if not cell.__class__ is size.__class__ is dict:
            return None
        who = identify_plainly(entry, known, catalogue, limits)
        if who is None:
            return None
        row, column = cell.get("row"), cell.get("column")
        pieces.append((who, row, column, size.get("width"), size.get("height")))
    shown = {piece[0].instance_id: piece[0] for piece in pieces}
    if len(shown) < len(pieces):
        return None
    return PlainGrid(tuple(pieces), plain_identities(known, shown.values(), catalogue))


def stand_plain_grid(
    plain: PlainGrid,
    variants: Mapping[str, str],
    catalogue: Catalogue,
    chart: Dimensions,
    overlaps: bool,
) -> tuple[Position, ...] | None:
    """The pieces where they stand, if all of them may; else None.

    ``variants`` are the ids of the variants of those that the plan moved; ``overlaps``
    says whether these are no fault.
    """
    columns, rows = chart.columns, chart.rows
    known, take_free = plain.who.known, Occupancy(chart).take_free
    minima: dict[tuple[str, str], Size] = {}
    positions: list[Position] = []
    for who, row, column, width, height in plain.pieces:
        if not (
            row.__class__ is column.__class__ is int
            and width.__class__ is height.__class__ is int
        ):
            return None
        instance_id, vessel_id = who.instance_id, who.vessel_id
        form = vessel_id, variants.get(instance_id, who.variant)
        least = minima.get(form)
        if least is None:
            least = minima[form] = catalogue.min_size(*form)
        if (
            not least.width <= width <= columns - column
            or not least.height <= height <= rows - row
            or row < 0
            or column < 0
            or not (overlaps or take_free(row, column, width, height))
        ):
            return None
        cell, size = _shared_cell(row, column), shared_size(width, height)
        positions.append(
            Position(instance_id, cell, size)
            if instance_id in known
            else Position(
                instance_id, cell, size, vessel_id=vessel_id, variant=who.variant
            )
        )
    return tuple(positions)
