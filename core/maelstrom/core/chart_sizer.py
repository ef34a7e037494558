"""From the pixels of a chart's frame to whole cells, without a feedback loop.

Theory: a size in cells is the floor of pixels over the cell's size, at least 1. Only
the frame is measured, never what is drawn in it, and only a change of the cell count
is reported, so no report can cause another. A change is reported once it has stood for
``quiet`` milliseconds, by the clock readings that come with the measures: a drag that
passes through many sizes reports the last one alone, and a shrink of one pixel and back
reports nothing.
"""

from typing import Final

from attrs import evolve, field, frozen, validators

from maelstrom.core.limits import Limits
from maelstrom.core.request import ChartResize, Dimensions

__all__ = ["ChartSizer"]

_MOST: Final = Limits()

QUIET_MS: Final = 150
"""Long enough that a drag has paused, short enough to feel immediate."""


@frozen
class ChartSizer:
    """Turns measures of the frame into whole cells; each step gives a new sizer.

    ``dimensions`` is the size last reported (None before the first measure, which is
    reported at once), ``pending`` one that has yet to stand still, since ``since``.

    >>> sizer, resize = ChartSizer(80, 60).measure(1000, 500, at=0)
    >>> sizer.dimensions, resize
    (Dimensions(columns=12, rows=8), ChartResize(previous=None))
    >>> sizer, resize = sizer.measure(959, 500, at=10)
    >>> resize is None, sizer.due
    (True, 160)
    >>> sizer.measure(959, 500, at=160)[1]
    ChartResize(previous=Dimensions(columns=12, rows=8))
    """

    cell_width: float = field(validator=validators.gt(0))
    cell_height: float = field(validator=validators.gt(0))
    quiet: int = field(default=QUIET_MS, kw_only=True, validator=validators.ge(0))
    dimensions: Dimensions | None = field(default=None, kw_only=True)
    pending: Dimensions | None = field(default=None, kw_only=True)
    since: int = field(default=0, kw_only=True)

    @property
    def due(self) -> int | None:
        """When to measure again, if nothing moves until then; None for not at all."""
        return None if self.pending is None else self.since + self.quiet

    def measure(
        self, width: float, height: float, at: int
    ) -> tuple["ChartSizer", ChartResize | None]:
        """Take a measure of the frame.

        Args:
            width: Of the frame, in pixels; may have a fraction.
            height: Likewise.
            at: Milliseconds on any scale that does not go back.

        Returns:
            The next sizer, whose ``dimensions`` are the chart's now, and the reason for
            a request where they changed.
        """
        cells = Dimensions(
            _cells(width, self.cell_width, _MOST.columns),
            _cells(height, self.cell_height, _MOST.rows),
        )
        if cells == self.dimensions:
            return evolve(self, pending=None), None
        moved = cells != self.pending
        since = at if moved else self.since
        if self.dimensions is None or at - since >= self.quiet:
            settled = evolve(self, dimensions=cells, pending=None)
            return settled, ChartResize(self.dimensions)
        return evolve(self, pending=cells, since=since), None


def _cells(pixels: float, cell: float, most: int) -> int:
    """Whole cells in a length: floor, at least 1, and no more than the wire takes."""
    cells = pixels // cell
    return int(min(cells, most)) if cells >= 1 else 1
