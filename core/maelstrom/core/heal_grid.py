"""Grid pieces made to fit the chart, each judged alone.

Theory of operation. `read_positions` turns raw entries into pieces that claim an
instance and state a geometry, still raw; what is too broken to claim anything drops
(G0). Once it is known who each piece is and what variant it ends in, `heal_grid` judges
the geometry, in two phases. Phase 1 goes in document order: a piece that is right as
given commits where it stands; any other drops for the first reason that applies or,
where the policy says so, becomes a *loser*. A loser keeps neither cells nor its id, so
a later copy of it may still commit. Phase 2 goes through the losers, again in document
order: each takes the nearest free place at its size, else at the largest size that is
free, and drops for what made it a loser if there is none. Committed pieces never move.

What a policy makes of each fault:

    ==================  ===================  ========================================
    fault               drops under          else becomes a loser of the size
    ==================  ===================  ========================================
    size_below_minimum  ``undersize="drop"``  given, grown to the minimum
    position_overflow   ``overflow="drop"``   given, cut to the chart, not the minimum
    position_overlap    ``overlap="drop"``    given; under ``"keep"`` it is no fault
    ==================  ===================  ========================================

On a resize-only turn the pieces of instances that the request had already are treated
gently, whatever the policy, for a resize loses no panel that fits.

Bounds, for n pieces, H rows, k losers: O(n * h) for phase 1; phase 2 as told in
`maelstrom.core.place`. Sizes are compared with the chart before any cell is touched.

Warts. What a record shows is the difference between the geometry given and the one
kept, so a loser that fits again where it stood is grown or reduced, not relocated. A
grown piece that is also larger than the chart is cut to it by the search for the
largest free size, not before.

To keep in step: the reasons and their order are those of `maelstrom.core.reasons`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import attrs
from attrs import frozen

from maelstrom.core.grid_reading import (
    Geometry,
    GridPiece,
    GridReading,
    integers,
    read_positions,
)
from maelstrom.core.healed import Drop, Repair
from maelstrom.core.healed import Warning as HealWarning
from maelstrom.core.identity import Identified, Verdict, identity_repair
from maelstrom.core.layout import Cell, Position
from maelstrom.core.place import Occupancy, Room
from maelstrom.core.plain_grid import shared_size
from maelstrom.core.policy import HealPolicy
from maelstrom.core.request import ChartRequest, Dimensions
from maelstrom.core.resize import is_resize_only
from maelstrom.core.vessel import Size, Variant

__all__ = [
    "GridOutcome",
    "GridPiece",
    "GridReading",
    "gently",
    "heal_grid",
    "read_positions",
]


@frozen
class GridOutcome:
    """What stands, in document order, and all that it took, by path.

    ``drops`` holds those of the reading as well; ``repairs`` those of identity.
    """

    positions: tuple[Position, ...]
    drops: tuple[Drop, ...] = ()
    repairs: tuple[Repair, ...] = ()
    warnings: tuple[HealWarning, ...] = ()


@frozen
class _Loser:
    """A piece that could not commit where it stands; ``wish`` is where it would be."""

    reason: str
    least: Size
    most: Size
    wish: Cell


_Fate: TypeAlias = Geometry | str
"""Where a piece stands, or the reason that it drops for."""


def heal_grid(
    reading: GridReading,
    who: Sequence[Verdict],
    after: Mapping[str, Variant],
    request: ChartRequest,
    policy: HealPolicy,
) -> GridOutcome:
    """Judge and place the pieces of a reading (G1 to G6).

    ``who`` says of each piece, by its index, who it is or why it drops; ``after`` holds
    the variant after the plan of every instance identified there.
    """
    placing = _Placing(request, policy)
    fates: list[_Fate] = []
    losers: list[tuple[int, _Loser]] = []
    for index, (piece, verdict) in enumerate(zip(reading.pieces, who, strict=True)):
        if isinstance(verdict, str):
            fates.append(verdict)
            continue
        minimum = after[piece.instance_id].min_size
        fate = placing.stand(piece, minimum, verdict.fresh)
        if isinstance(fate, _Loser):
            losers.append((index, fate))
            fate = fate.reason
        fates.append(fate)
    if losers:
        placing.settle(reading.pieces, losers, fates)
    return _report(reading, who, after, placing.chart, fates)


class _Placing:
    """The two phases over one chart: what is kept, and which cells it takes."""

    __slots__ = ("_fresh", "_keeps", "_kept", "_known", "_occupancy", "chart")

    def __init__(self, request: ChartRequest, policy: HealPolicy) -> None:
        self.chart: Final[Dimensions] = request.context.chart_dimensions
        self._fresh: Final = policy
        self._known: Final = gently(policy) if is_resize_only(request) else policy
        self._keeps: Final = policy.overlap == "keep"
        self._kept: Final[set[str]] = set()
        self._occupancy: Final = Occupancy(self.chart)

    def stand(self, piece: GridPiece, minimum: Size, fresh: bool) -> _Fate | _Loser:
        """Phase 1 (G2 to G6): let the piece stand as given, if it can."""
        given = integers(piece.geometry)
        if given is None:
            return "geometry_not_integer"
        policy = self._fresh if fresh else self._known
        row, column, width, height = given
        if width < minimum.width or height < minimum.height or width < 1 or height < 1:
            loses = policy.undersize == "grow"
            return self._lose("size_below_minimum", given, minimum, loses)
        rows, columns = self.chart.rows, self.chart.columns
        if row < 0 or column < 0 or row + height > rows or column + width > columns:
            loses = policy.overflow == "relocate"
            cut = row, column, min(width, columns), min(height, rows)
            return self._lose("position_overflow", cut, minimum, loses)
        if piece.instance_id in self._kept:
            return "duplicate_instance_id"
        if not self._keeps and not self._occupancy.take_free(*given):
            loses = policy.overlap == "relocate"
            return self._lose("position_overlap", given, minimum, loses)
        self._kept.add(piece.instance_id)
        return given

    def settle(
        self,
        pieces: Sequence[GridPiece],
        losers: Sequence[tuple[int, _Loser]],
        fates: list[_Fate],
    ) -> None:
        """Phase 2: a free place for each loser, at the largest size that finds one."""
        if self._keeps:  # overlaps were of no interest before there was a loser
            for fate in fates:
                if isinstance(fate, tuple):
                    self._occupancy.take(*fate)
        room = self._occupancy.room()
        for index, loser in losers:
            fates[index] = self._place(pieces[index].instance_id, loser, room)

    def _lose(
        self, reason: str, wanted: Geometry, minimum: Size, loses: bool
    ) -> _Loser | str:
        if not loses:
            return reason
        row, column, width, height = wanted
        least = Size(max(minimum.width, 1), max(minimum.height, 1))
        most = Size(max(width, least.width), max(height, least.height))
        row = max(0, min(row, self.chart.rows - most.height))
        column = max(0, min(column, self.chart.columns - most.width))
        return _Loser(reason, least, most, Cell(row, column))

    def _place(self, instance_id: str, loser: _Loser, room: Room) -> _Fate:
        if instance_id in self._kept:
            return "duplicate_instance_id"
        found = room.place(loser.least, loser.most, loser.wish)
        if found is None:
            return loser.reason
        cell, size = found
        self._kept.add(instance_id)
        return cell.row, cell.column, size.width, size.height


def gently(policy: HealPolicy) -> HealPolicy:
    """The gentle policy, but for overlaps where the given one keeps them."""
    gentle = HealPolicy.gentle()
    return attrs.evolve(gentle, overlap="keep") if policy.overlap == "keep" else gentle


def _report(
    reading: GridReading,
    who: Sequence[Verdict],
    after: Mapping[str, Variant],
    chart: Dimensions,
    fates: Sequence[_Fate],
) -> GridOutcome:
    positions: list[Position] = []
    drops = list(reading.drops)
    repairs: list[Repair] = []
    warnings: list[HealWarning] = []
    for piece, verdict, fate in zip(reading.pieces, who, fates, strict=True):
        if isinstance(verdict, str):
            drops.append(Drop(verdict, piece.path, piece.instance_id))
        elif isinstance(fate, str):
            drops.append(Drop(fate, piece.path, piece.instance_id))
            minimum = after[piece.instance_id].min_size
            if minimum.width > chart.columns or minimum.height > chart.rows:
                warnings.append(HealWarning("minimum_exceeds_chart", piece.path))
        else:
            positions.append(_position(verdict, fate))
            changed = fate is not piece.geometry or piece.flattened
            if changed or verdict.defaulted or verdict.other_variant is not None:
                repairs += _repairs(piece, verdict, after[piece.instance_id], fate)
    if reading.drops:
        drops.sort(key=lambda drop: drop.path)
    return GridOutcome(tuple(positions), tuple(drops), tuple(repairs), tuple(warnings))


def _position(who: Identified, place: Geometry) -> Position:
    row, column, width, height = place
    cell, size = Cell(row, column), shared_size(width, height)
    if not who.fresh:
        return Position(who.instance_id, cell, size)
    return Position(
        who.instance_id, cell, size, vessel_id=who.vessel.id, variant=who.variant
    )


def _repairs(
    piece: GridPiece, who: Identified, after: Variant, place: Geometry
) -> Iterator[Repair]:
    """What keeping a piece at ``place`` took, in the order of the table."""
    path, instance_id = piece.path, piece.instance_id
    if piece.flattened:
        yield Repair("geometry_flattened", path, instance_id)
    if (repair := identity_repair(path, who, after)) is not None:
        yield repair
    if place is piece.geometry:
        return
    given = integers(piece.geometry)
    assert given is not None, "only pieces with a geometry are placed"
    if given is not piece.geometry:
        yield Repair("number_coerced", path, instance_id)
    row, column, width, height = given
    if place[2] > width or place[3] > height:
        yield Repair("size_grown", path, instance_id, lossless=False)
    if place[0] != row or place[1] != column:
        yield Repair("position_relocated", path, instance_id, lossless=False)
    if place[2] < width or place[3] < height:
        yield Repair("size_reduced", path, instance_id, lossless=False)
