"""The raw positions of a grid layout, read one by one.

Theory of operation. An entry becomes a piece if it is an object with a valid instanceId
and all four coordinates, whatever their type; else it drops (G0). Each half of the
geometry, `position` and `size`, is read from the entry itself where it is missing or no
object. The numbers are looked at only later, by `integers`, once it is known who the
piece is: a piece of an unknown vessel drops for that, not for its numbers.

Warts. A coordinate that is null is there, and no integer; one that is absent makes the
piece malformed. Coordinates are never taken from both places for one half.
"""

import re
from typing import Final, TypeAlias

from attrs import field, frozen

from maelstrom.core.healed import Drop
from maelstrom.core.identity import Claim, read_id, read_stated
from maelstrom.core.json_value import Json, Path
from maelstrom.core.limits import MAX_INTEGER, Limits

__all__ = [
    "Geometry",
    "GridPiece",
    "GridReading",
    "RawGeometry",
    "integers",
    "read_positions",
]

RawGeometry: TypeAlias = tuple[Json, Json, Json, Json]
"""Row, column, width and height as a piece states them."""

Geometry: TypeAlias = tuple[int, int, int, int]
"""Row, column, width and height."""


@frozen
class GridPiece(Claim):
    """An entry that claims an instance and states a geometry, of whatever type.

    ``flattened`` where a part of the geometry stood on the entry itself.
    """

    geometry: RawGeometry = field(kw_only=True, hash=False)
    flattened: bool = field(default=False, kw_only=True)


@frozen
class GridReading:
    """A grid's entries: the pieces that can be judged, and those that cannot."""

    pieces: tuple[GridPiece, ...]
    drops: tuple[Drop, ...] = ()


def read_positions(layout: Json, limits: Limits) -> GridReading:
    """Read a raw layout's positions, each alone; total, whatever the value is.

    >>> layout = {"type": "grid", "positions": [{"instanceId": "clock"}]}
    >>> read_positions(layout, Limits()).drops[0].reason
    'malformed_position'
    """
    listed = layout.get("positions") if isinstance(layout, dict) else None
    entries = listed if isinstance(listed, (list, tuple)) else ()
    pieces: list[GridPiece] = []
    drops: list[Drop] = []
    for index, entry in enumerate(entries):
        piece = _read_piece(entry, ("layout", "positions", index), limits)
        if isinstance(piece, Drop):
            drops.append(piece)
        elif index >= limits.instances:
            drops.append(Drop("too_many_positions", piece.path, piece.instance_id))
        else:
            pieces.append(piece)
    return GridReading(tuple(pieces), tuple(drops))


def _read_piece(entry: Json, path: Path, limits: Limits) -> GridPiece | Drop:
    if not isinstance(entry, dict):
        return Drop("malformed_position", path)
    instance_id = read_id(entry.get("instanceId"), limits)
    position, extent = entry.get("position"), entry.get("size")
    cell = position if isinstance(position, dict) else entry
    size = extent if isinstance(extent, dict) else entry
    complete = (
        "row" in cell and "column" in cell and "width" in size and "height" in size
    )
    if instance_id is None or not complete:
        return Drop("malformed_position", path, instance_id)
    return GridPiece(
        path,
        instance_id,
        read_stated(entry.get("vesselId")),
        read_stated(entry.get("variant")),
        geometry=(cell["row"], cell["column"], size["width"], size["height"]),
        flattened=cell is entry or size is entry,
    )


_NUMERAL: Final = re.compile(r"-?[0-9]{1,16}(\.0+)?").fullmatch


def integers(raw: RawGeometry) -> Geometry | None:
    """The integers that a geometry states; the very same tuple, if it holds no other.

    None where one of the four is no integer of the wire's range.

    >>> integers((0, "2", 4.0, 1)), integers((0, 2.5, 4, 1))
    ((0, 2, 4, 1), None)
    """
    row, column, width, height = raw
    if (
        row.__class__ is column.__class__ is width.__class__ is height.__class__ is int
        and -MAX_INTEGER <= row <= MAX_INTEGER
        and -MAX_INTEGER <= column <= MAX_INTEGER
        and -MAX_INTEGER <= width <= MAX_INTEGER
        and -MAX_INTEGER <= height <= MAX_INTEGER
    ):
        return raw
    read = _integer(row), _integer(column), _integer(width), _integer(height)
    row, column, width, height = read
    if row is None or column is None or width is None or height is None:
        return None
    return row, column, width, height


def _integer(value: Json) -> int | None:
    """The integer that a value is or says, within the wire's range; else None.

    >>> [_integer(value) for value in (6, 6.0, "6", "-6.00", "6.5", True, 2**53)]
    [6, 6, 6, -6, None, None, None]
    """
    if isinstance(value, str):
        if _NUMERAL(value) is None:
            return None
        number = int(value.partition(".")[0])
    elif isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    elif value % 1 == 0:  # of infinities it is NaN
        number = int(value)
    else:
        return None
    return number if -MAX_INTEGER <= number <= MAX_INTEGER else None
