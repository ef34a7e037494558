"""Which cells of a chart are taken, and the nearest free place for a piece.

Theory of operation. While pieces commit where they stand, occupancy is one int a row, a
bit a column: a piece is tested and taken with one mask on each of its rows. To search
for free places, the rows are joined into one int, `Room`, with a bit between rows that
is never free. Its free bits are *eroded*: ANDed with themselves shifted, by doubling,
until a set bit means "this cell and the next w - 1 are free"; and likewise from row to
row, for h of them. What is left are the top-left cells at which w x h fits. The nearest
to a wish is then found row by row, outwards from it.

Cells are never given back, so a size that fails once fails for good, and any that holds
it. The room remembers that as a staircase: for each height, a width that no free place
exceeds. A search takes the best size that the staircase and the free area allow, and
tests it; where that fails, the longest free run at that height lowers the staircase
there and at every greater height. The first test that passes is the answer, since
every better size was ruled out. The same size, where it is free, is the first one.

Bounds, for H rows and a piece of w x h. To test or take cells: O(h) masks. To test a
size: O(log w + log h) shifts of the whole room, O(H * (log w + log h)) masks a row; to
choose it: O(H). A search is one test, and one more for each step of the staircase that
was too high. While nothing is placed, all searches together lower it H times at most;
each piece placed may make steps too high again. The hardest inputs found for 1,000 x
1,000 cells and 5,000 pieces are in ``benchmarks/heal.py``: some milliseconds a loser.
Memory: one bit a cell, log w times that while a step is lowered.

Warts. A mask is as long as the chart is wide, so bounds are checked before one is
built: ask `Occupancy` only for cells inside the chart.
"""

from typing import Final

from maelstrom.core.layout import Cell
from maelstrom.core.request import Dimensions
from maelstrom.core.vessel import Size

__all__ = ["Occupancy", "Room"]


class Occupancy:
    """The cells of one chart that are taken; a working tool of one healing.

    >>> chart = Occupancy(Dimensions(columns=4, rows=3))
    >>> chart.take_free(0, 0, 3, 2), chart.take_free(1, 2, 2, 1)
    (True, False)
    """

    __slots__ = ("_chart", "_taken")

    def __init__(self, chart: Dimensions) -> None:
        """Start with every cell free."""
        self._chart: Final = chart
        self._taken: Final = [0] * chart.rows

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
        for index in range(row, row + height):
            if taken[index] & mask:
                for free in range(row, index):
                    taken[free] ^= mask  # give back what was taken on the way
                return False
            taken[index] |= mask
        return True

    def room(self) -> "Room":
        """What is free by now; it does not see what is taken here later."""
        return Room(self._chart, self._taken)


class Room:
    """The free cells of a chart, to place pieces in.

    >>> room = Room(Dimensions(columns=4, rows=2), [0b0011, 0b0011])
    >>> room.place(Size(1, 1), Size(3, 3), Cell(0, 0))
    (Cell(row=0, column=2), Size(width=2, height=2))
    """

    __slots__ = ("_area", "_bounds", "_free", "_pitch")

    def __init__(self, chart: Dimensions, taken: list[int]) -> None:
        """Begin with the bits taken in each row."""
        self._pitch: Final = chart.columns // 8 + 1  # bytes a row, with a bit to spare
        every = (1 << chart.columns) - 1
        rows = [(every ^ row).to_bytes(self._pitch, "little") for row in taken]
        self._free = int.from_bytes(b"".join(rows), "little")
        self._area = self._free.bit_count()
        # At index h - 1: no free place of height h is wider than this. Never rises,
        # neither with time nor with the height.
        self._bounds: Final = [chart.columns] * chart.rows

    def place(self, least: Size, most: Size, wish: Cell) -> tuple[Cell, Size] | None:
        """Take the largest free size from ``least`` up to ``most``, nearest to a wish.

        Larger area first, then the wider; so ``most`` itself where it is free. Nearest
        by (|row distance| + |column distance|, row, column), the wish being a cell of
        the chart. None where not even ``least`` is free.
        """
        while (size := self._best(least, most)) is not None:
            tall = _eroded(self._free, size.height, self._pitch * 8)
            corners = _eroded(tall, size.width, 1)
            if corners:
                cell = self._nearest(corners, wish)
                self._take(cell, size)
                return cell, size
            self._lower(size.height, _longest_run(tall))
        return None

    def _best(self, least: Size, most: Size) -> Size | None:
        """The best size of the range that neither bounds nor free area rule out."""
        bounds, area = self._bounds, self._area
        tallest = min(most.height, len(bounds))
        best = (0, 0)
        for height in range(tallest, least.height - 1, -1):
            width = min(bounds[height - 1], most.width, area // height)
            if width >= least.width:
                best = max(best, (width * height, width))
                if width == most.width:
                    break  # nothing lower is any wider
        filled, width = best
        return Size(width, filled // width) if width else None

    def _lower(self, height: int, width: int) -> None:
        """Remember that from this height on nothing wider than ``width`` is free."""
        bounds = self._bounds
        for index in range(height - 1, len(bounds)):
            if bounds[index] <= width:
                break  # and so are all that follow
            bounds[index] = width

    def _take(self, cell: Cell, size: Size) -> None:
        row = ((1 << size.width) - 1) << cell.column
        rows = row.to_bytes(self._pitch, "little") * size.height
        mask = int.from_bytes(rows, "little") << cell.row * self._pitch * 8
        self._free ^= mask  # all of them were free
        self._area -= size.width * size.height

    def _nearest(self, corners: int, wish: Cell) -> Cell:
        """The set bit nearest to ``wish``; one at least is set."""
        pitch, rows = self._pitch, len(self._bounds)
        table = corners.to_bytes(pitch * rows, "little")
        best: tuple[int, int, int] | None = None
        for away in range(rows):
            if best is not None and away > best[0]:
                break
            for row in (wish.row - away, wish.row + away):
                if not 0 <= row < rows:
                    continue
                line = table[row * pitch : (row + 1) * pitch]
                if bits := int.from_bytes(line, "little"):
                    column = _nearest_bit(bits, wish.column)
                    found = away + abs(column - wish.column), row, column
                    if best is None or found < best:
                        best = found
        assert best is not None, "some bit is set"
        return Cell(best[1], best[2])


def _eroded(bits: int, count: int, pitch: int) -> int:
    """The bits that are set with the next ``count - 1`` ones, ``pitch`` apart."""
    done = 1
    while done < count:
        step = min(done, count - done)
        bits &= bits >> step * pitch
        done += step
    return bits


def _longest_run(bits: int) -> int:
    """The length of the longest run of set bits."""
    levels: list[int] = []  # at index k: the bits at which runs of 2**k start
    while bits:
        levels.append(bits)
        bits &= bits >> (1 << (len(levels) - 1))
    if not levels:
        return 0
    starts = levels.pop()
    length = 1 << len(levels)
    while levels:
        longer = starts & levels.pop() >> length
        if longer:
            starts = longer
            length += 1 << len(levels)
    return length


def _nearest_bit(bits: int, column: int) -> int:
    """The set bit nearest to ``column``, the lower of two; one at least is set."""
    left = (bits & ((2 << column) - 1)).bit_length() - 1
    beyond = bits >> column
    if not beyond:
        return left
    right = column + (beyond & -beyond).bit_length() - 1
    return left if left >= 0 and column - left <= right - column else right
