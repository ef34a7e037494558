"""The next free place for pieces of one size that wish for the same cell.

Theory of operation. Models, and clients that show what was parked, put many pieces of
one size on one cell, most often the first. Cells are never given back, so from one
search to the next the nearest place in a row only moves away. `Outlook` keeps a
distance for each row that no place in it is nearer than, and the rows in a heap by it.
The first row is looked at again: where its distance still holds, no other row has
anything nearer; where it does not, it sinks to where it belongs now.

Bounds, for a size of w x h: a look at a row is O(h + log w) masks, and a search takes
as many as there are rows whose nearest place is gone since. So an outlook pays for low
sizes that come again; the room decides when.
"""

from collections.abc import Sequence
from heapq import heapify, heappop, heapreplace
from typing import Final

from maelstrom.core.layout import Cell
from maelstrom.core.vessel import Size

__all__ = ["Outlook", "eroded"]


class Outlook:
    """Where a size is free nearest to a wish, search after search.

    >>> outlook = Outlook(Size(2, 1), Cell(0, 0), rows=2)
    >>> outlook.nearest([0b1000, 0b1110])
    Cell(row=1, column=1)
    """

    __slots__ = ("_bounds", "_size", "_wish")

    def __init__(self, size: Size, wish: Cell, rows: int) -> None:
        """Nothing is known yet but how far each row is."""
        tops = range(rows - size.height + 1)
        self._size: Final = size
        self._wish: Final = wish
        self._bounds: Final = [(abs(row - wish.row), row) for row in tops]
        heapify(self._bounds)

    def nearest(self, free: Sequence[int]) -> Cell | None:
        """The nearest place, given the free bits of each row; None if there is none."""
        bounds, wish = self._bounds, self._wish
        while bounds:
            bound, row = bounds[0]
            column = self._column(free, row)
            if column is None:
                heappop(bounds)
                continue
            distance = abs(row - wish.row) + abs(column - wish.column)
            if distance == bound:
                return Cell(row, column)
            heapreplace(bounds, (distance, row))
        return None

    def _column(self, free: Sequence[int], row: int) -> int | None:
        """The column of the nearest place with its top in a row."""
        size, wish = self._size, self._wish.column
        bits = free[row]
        for below in free[row + 1 : row + size.height]:
            bits &= below
        bits = eroded(bits, size.width, 1)
        left = (bits & ((2 << wish) - 1)).bit_length() - 1
        beyond = bits >> wish
        if not beyond:
            return left if bits else None
        right = wish + (beyond & -beyond).bit_length() - 1
        return left if left >= 0 and wish - left <= right - wish else right


def eroded(bits: int, count: int, pitch: int) -> int:
    """The bits that are set with the next ``count - 1`` ones, ``pitch`` apart.

    >>> bin(eroded(0b0111011, 2, 1))
    '0b11001'
    """
    done = 1
    while done < count:
        step = min(done, count - done)
        bits &= bits >> step * pitch
        done += step
    return bits
