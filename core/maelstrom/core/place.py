"""Which cells of a chart are taken, and the nearest free place for a piece.

Theory of operation. While pieces commit where they stand, occupancy is one int a row, a
bit a column: a piece is tested and taken with one mask on each of its rows. To search
for free places, the rows are joined into one int, `Room`, with a bit between rows that
is never free. Its free bits are *eroded*: ANDed with themselves shifted, by doubling,
until a set bit means "this cell and the next w - 1 are free"; and likewise from row to
row, for h of them. What is left are the top-left cells at which w x h fits. The nearest
to a wish is then found row by row, outwards from it. On a large chart this is done
first in a band of rows around the wish, as wide as the last search had to go; only what
is not found there costs an erosion of all rows. Searches alike, of which there may be
thousands, have an `Outlook` from the second one on.

Cells are never given back, so a size that fails once fails for good, and any that holds
it. The room remembers that as a staircase: for each height, a width that no free place
exceeds. A search takes the best size that the staircase allows, and tests it; where
that fails, the longest free run at that height lowers the staircase there and at every
greater height. The first test that passes is the answer, since every better size was
ruled out. The same size, where it is free, is the first one.

Bounds, for H rows and a piece of w x h. To test or take cells: O(h) masks. To test a
size: O(log w + log h) shifts of a band, O(H * (log w + log h)) masks a row where that
is the whole room; to choose it: one look at each step of the staircase. A search is one
test, a second one where the band was too narrow, and one more for each step that was
too high. While nothing is placed, all searches together lower it H times at most;
each piece placed may make steps too high again. The hardest inputs found for 1,000 x
1,000 cells and 5,000 pieces are in ``benchmarks/heal_worst.py``: milliseconds a loser.
Memory: one bit a cell, log w times that while a step is lowered.

Warts. A mask is as long as the chart is wide, so bounds are checked before one is
built: ask `Occupancy` only for cells inside the chart.
"""

from typing import Final

from maelstrom.core.layout import Cell
from maelstrom.core.outlook import Outlook, eroded
from maelstrom.core.request import Dimensions
from maelstrom.core.vessel import Size

__all__ = ["Occupancy", "Room"]

_NEAR: Final = 16
"""Rows to each side of a wish that are searched at least."""

_FEW: Final = 4
"""Rows are few where they are less than this part of all: then they come first."""

_OUTLOOKS: Final = 8
"""Most sizes, with a wish each, that are followed at a time. With more of them a search
finds more changed since its last, and gains less than it costs."""

_LOW: Final = 16
"""Most rows of a size that is followed: it is tested row by row, and tall sizes are
tested better by erosion."""

_FAR: Final = 1 << 64
"""Further than anything on a chart."""


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

    __slots__ = (
        "_area",
        "_away",
        "_free",
        "_lines",
        "_outlooks",
        "_pitch",
        "_rows",
        "_stairs",
    )

    def __init__(self, chart: Dimensions, taken: list[int]) -> None:
        """Begin with the bits taken in each row."""
        self._rows: Final = chart.rows
        self._pitch: Final = chart.columns // 8 + 1  # bytes a row, with a bit to spare
        every = (1 << chart.columns) - 1
        self._lines: Final = [every ^ row for row in taken]
        rows = [line.to_bytes(self._pitch, "little") for line in self._lines]
        self._free = int.from_bytes(b"".join(rows), "little")
        self._area = self._free.bit_count()
        self._away = _NEAR
        self._outlooks: Final[dict[tuple[Size, Cell], Outlook | None]] = {}
        # Tops and widths, from the tallest and narrowest step to the lowest and widest:
        # nothing taller than the next step's top is wider than this step.
        self._stairs = [(chart.rows, chart.columns)]

    def place(self, least: Size, most: Size, wish: Cell) -> tuple[Cell, Size] | None:
        """Take the largest free size from ``least`` up to ``most``, nearest to a wish.

        Larger area first, then the wider; so ``most`` itself where it is free. Nearest
        by (|row distance| + |column distance|, row, column), the wish being a cell of
        the chart. None where not even ``least`` is free.
        """
        while (size := self._best(least, most)) is not None:
            cell = self._find(size, wish)
            if cell is not None:
                self._take(cell, size)
                return cell, size
        return None

    def _best(self, least: Size, most: Size) -> Size | None:
        """The best size of the range that the staircase does not rule out."""
        if least.width * least.height > self._area:
            return None
        best, chosen = 0, 0
        for top, step in self._stairs:
            if top < least.height:
                break
            width = min(most.width, step)
            if width >= least.width:
                area = width * min(most.height, top)
                if area >= best:  # of equal areas the wider one, and it comes later
                    best, chosen = area, width
                if width == most.width:
                    break  # what is lower is no wider
        return Size(chosen, best // chosen) if chosen else None

    def _find(self, size: Size, wish: Cell) -> Cell | None:
        """The nearest place of a size; where there is none, the staircase is lowered."""
        outlook = self._outlook(size, wish)
        if outlook is None:
            return self._search(size, wish)
        cell = outlook.nearest(self._lines)
        if cell is None:
            self._lower(size.height, size.width - 1)
        return cell

    def _outlook(self, size: Size, wish: Cell) -> Outlook | None:
        """One for the second search alike, if it comes soon, and for those after it."""
        if size.height > _LOW:
            return None
        key, known = (size, wish), self._outlooks
        again = key in known
        outlook = known.pop(key, None)
        if again and outlook is None:
            outlook = Outlook(size, wish, self._rows)
        known[key] = outlook  # the last one is the freshest
        if len(known) > _OUTLOOKS:
            del known[next(iter(known))]
        return outlook

    def _search(self, size: Size, wish: Cell) -> Cell | None:
        """The nearest place of a size, by erosion.

        Rows as far away as the last place was are searched first; what is found there
        bounds the rows in which something nearer can be.
        """
        away, lowest = self._away, self._rows - size.height
        if (2 * away + size.height) * _FEW > self._rows:
            away = self._rows
        while True:
            first = max(0, min(wish.row, lowest) - away)
            last = min(lowest, wish.row + away)
            band = self._band(first, last + size.height)
            tall = eroded(band, size.height, self._pitch * 8)
            corners = eroded(tall, size.width, 1)
            if corners:
                near = Cell(wish.row - first, wish.column)
                distance, row, column = self._nearest(corners, near, last - first + 1)
                if distance <= away or away == self._rows:
                    self._away = max(distance, _NEAR)
                    return Cell(first + row, column)
                away = min(distance, self._rows)
            elif away < self._rows:
                away = self._rows
            else:
                self._lower(size.height, _longest_run(tall))
                return None

    def _band(self, first: int, end: int) -> int:
        """The free cells of some rows."""
        if end - first == self._rows:
            return self._free
        pitch = self._pitch * 8
        return self._free >> first * pitch & (1 << (end - first) * pitch) - 1

    def _lower(self, height: int, width: int) -> None:
        """Remember that from this height on nothing wider than ``width`` is free."""
        stairs = [step for step in self._stairs if step[1] <= width]
        wider = self._stairs[len(stairs) :]
        lower = [step for step in wider if step[0] < height]
        cut = wider[: len(wider) - len(lower)]
        if not stairs or stairs[-1][1] < width:
            stairs.append((cut[0][0], width))
        if height - 1 > (lower[0][0] if lower else 0):
            stairs.append((height - 1, cut[-1][1]))
        self._stairs = stairs + lower

    def _take(self, cell: Cell, size: Size) -> None:
        row = ((1 << size.width) - 1) << cell.column
        rows = row.to_bytes(self._pitch, "little") * size.height
        mask = int.from_bytes(rows, "little") << cell.row * self._pitch * 8
        self._free ^= mask  # all of them were free
        for index in range(cell.row, cell.row + size.height):
            self._lines[index] ^= row
        self._area -= size.width * size.height

    def _nearest(self, corners: int, wish: Cell, rows: int) -> tuple[int, int, int]:
        """Distance, row and column of the set bit nearest to a wish; one is set."""
        pitch, column = self._pitch, wish.column
        table = corners.to_bytes(pitch * rows, "little")
        before = (1 << column) - 1
        best = (_FAR, 0, 0)
        for away in range(max(wish.row + 1, rows)):
            if away > best[0]:
                break
            for row in (wish.row - away, wish.row + away):
                if not 0 <= row < rows:
                    continue
                line = int.from_bytes(table[row * pitch : (row + 1) * pitch], "little")
                if not line:
                    continue
                right, left = line >> column, (line & before).bit_length()
                aside = (right & -right).bit_length() - 1
                if right and away + aside <= best[0]:
                    best = min(best, (away + aside, row, column + aside))
                aside = column + 1 - left
                if left and away + aside <= best[0]:
                    best = min(best, (away + aside, row, left - 1))
        return best


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
