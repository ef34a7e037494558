"""Which cells of a chart are taken, and the nearest free place for a piece.

Theory of operation. Occupancy is one int a row, a bit a column. A piece is taken or
tested with one mask on each of its rows. To find a place, the free bits of each row are
eroded: ANDed with themselves shifted, by doubling, until a set bit means "this cell and
the next w - 1 are free"; the rows are then ANDed with the rows below them, by doubling
too, until it means that for h rows. What is left are the top-left cells where a piece
of w x h fits, and the nearest to a wish is found row by row, outwards from it.

Sizes only ever fail for good, since taken cells are never given back. So the chart
remembers, for each height, a width that is known not to be exceeded. A search for the
largest size takes the best one that these bounds allow and tests it; where the test
fails, the longest free run at that height becomes the bound of it and of every greater
height. The first test that passes is the answer, since every better size is ruled out.

Bounds, for H rows and a piece of w x h. Testing or taking cells: O(h) masks. One test
of a size: O(H * (log w + log h)) masks. A search is one test where the bounds are
right, and each wrong one costs a test and lowers a bound for all searches to come:
as long as nothing is taken in between, all searches together fail at most H times.
Memory: O(H) ints, log w times that while a bound is lowered.

Warts. A mask is as long as the chart is wide, so bounds are checked before one is
built: ask only for cells inside the chart.
"""

from operator import and_
from typing import Final

from maelstrom.core.layout import Cell
from maelstrom.core.request import Dimensions
from maelstrom.core.vessel import Size

__all__ = ["Occupancy"]

_FIRST_REACH: Final = 8
_REACH_GROWTH: Final = 8
"""A free place is mostly near: rows up to 8 away are tried first, then 8 times as far,
so that the tries that come to nothing cost a seventh of the last one at most."""


class Occupancy:
    """The cells of one chart that are taken; a working tool of one healing.

    >>> chart = Occupancy(Dimensions(columns=4, rows=3))
    >>> chart.take_free(0, 0, 3, 2), chart.take_free(1, 2, 2, 1)
    (True, False)
    >>> chart.nearest(Size(1, 2), Cell(0, 0))
    Cell(row=0, column=3)
    >>> chart.largest(Size(1, 1), Size(2, 2), Cell(0, 0))
    (Cell(row=2, column=0), Size(width=2, height=1))
    """

    __slots__ = ("_bounds", "_columns", "_taken")

    def __init__(self, chart: Dimensions) -> None:
        """Start with every cell free."""
        self._columns: Final = chart.columns
        self._taken: Final = [0] * chart.rows
        # At index h - 1: no free place of height h is wider than this. Never rises,
        # neither with time nor with the height.
        self._bounds: Final = [chart.columns] * chart.rows

    def take(self, row: int, column: int, width: int, height: int) -> None:
        """Take these cells, all inside the chart, taken already or not."""
        mask = ((1 << width) - 1) << column
        taken = self._taken
        for index in range(row, row + height):
            taken[index] |= mask

    def take_free(self, row: int, column: int, width: int, height: int) -> bool:
        """Take these cells, all inside the chart, if all are free; say whether."""
        mask = ((1 << width) - 1) << column
        taken = self._taken
        rows = range(row, row + height)
        for index in rows:
            if taken[index] & mask:
                return False
        for index in rows:
            taken[index] |= mask
        return True

    def largest(self, least: Size, most: Size, wish: Cell) -> tuple[Cell, Size] | None:
        """The largest free size from ``least`` up to ``most``, at its nearest place.

        Larger area first, then the wider; so ``most`` itself where it is free. None
        where not even ``least`` is.
        """
        area = self._free_area()
        while (size := self._best(least, most, area)) is not None:
            place = self.nearest(size, wish)
            if place is not None:
                return place, size
        return None

    def nearest(self, size: Size, wish: Cell) -> Cell | None:
        """The free top-left cell nearest to ``wish`` for a piece of this size.

        Nearest by (|row distance| + |column distance|, row, column). None where no such
        place is free, or the size is larger than the chart.
        """
        width, height = size.width, size.height
        lowest = len(self._taken) - height
        if lowest < 0 or width > self._bounds[height - 1]:
            return None
        reach = _FIRST_REACH
        while True:
            first, last = max(0, wish.row - reach), min(lowest, wish.row + reach)
            tall = _runs_down(self._free(first, last + height), height)
            found = _nearest_bit(_runs_across(tall, width), first, wish)
            if found is not None and found[0] <= reach:
                break
            if first == 0 and last == lowest:
                break
            reach *= _REACH_GROWTH
        if found is None:
            self._lower(height, _longest_run(tall))
            return None
        return Cell(found[1], found[2])

    def _free(self, first: int, end: int) -> list[int]:
        full = (1 << self._columns) - 1
        return [full ^ taken for taken in self._taken[first:end]]

    def _free_area(self) -> int:
        taken = sum(map(int.bit_count, self._taken))
        return self._columns * len(self._taken) - taken

    def _best(self, least: Size, most: Size, area: int) -> Size | None:
        """The best size of the range that neither bounds nor free area rule out."""
        bounds = self._bounds
        tallest = min(most.height, len(bounds))
        best = (0, 0)
        for height in range(least.height, tallest + 1):
            width = min(bounds[height - 1], most.width, area // height)
            if width < least.width:
                break  # nothing taller is any wider
            best = max(best, (width * height, width))
        filled, width = best
        return Size(width, filled // width) if width else None

    def _lower(self, height: int, width: int) -> None:
        """Remember that from this height on nothing wider than ``width`` is free."""
        bounds = self._bounds
        for index in range(height - 1, len(bounds)):
            if bounds[index] <= width:
                break  # and so are all that follow
            bounds[index] = width


def _runs_down(rows: list[int], height: int) -> list[int]:
    """For each row that has them, the bits set in it and the next ``height - 1``."""
    done = 1
    while done < height:
        step = min(done, height - done)
        rows = list(map(and_, rows, rows[step:]))
        done += step
    return rows


def _runs_across(rows: list[int], width: int) -> list[int]:
    """For each row, the bits that the next ``width - 1`` bits are set with."""
    done = 1
    while done < width and any(rows):
        step = min(done, width - done)
        rows = [row & row >> step for row in rows]
        done += step
    return rows


def _longest_run(rows: list[int]) -> int:
    """The length of the longest run of set bits in any of these rows."""
    levels: list[list[int]] = []  # at index k: the bits where runs of 2**k start
    while any(rows):
        step = 1 << len(levels)
        levels.append(rows)
        rows = [row & row >> step for row in rows]
    if not levels:
        return 0
    starts = levels.pop()
    length = 1 << len(levels)
    while levels:
        level = levels.pop()
        longer = [
            start & run >> length for start, run in zip(starts, level, strict=True)
        ]
        if any(longer):
            starts = longer
            length += 1 << len(levels)
    return length


def _nearest_bit(
    rows: list[int], first: int, wish: Cell
) -> tuple[int, int, int] | None:
    """Distance, row and column of the set bit nearest to ``wish``.

    ``first`` is the row of the chart that the first of ``rows`` is.
    """
    best: tuple[int, int, int] | None = None
    end = first + len(rows)
    for away in range(max(wish.row - first, end - wish.row) + 1):
        if best is not None and away > best[0]:
            break
        for row in (wish.row - away, wish.row + away):
            if first <= row < end and (bits := rows[row - first]):
                column = _nearest_column(bits, wish.column)
                found = (away + abs(column - wish.column), row, column)
                best = found if best is None else min(best, found)
    return best


def _nearest_column(bits: int, column: int) -> int:
    """The set bit nearest to ``column``, the lower of two; one at least is set."""
    left = (bits & ((2 << column) - 1)).bit_length() - 1
    beyond = bits >> column
    if not beyond:
        return left
    right = column + (beyond & -beyond).bit_length() - 1
    return left if left >= 0 and column - left <= right - column else right
