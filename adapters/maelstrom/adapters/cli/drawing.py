"""Charts on the terminal."""

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import frozen
from rich.console import Console
from rich.text import Text

from maelstrom.adapters.draw import chart_text, parked
from maelstrom.core.candidate import Candidate
from maelstrom.core.chart_state import ChartState
from maelstrom.core.client import apply
from maelstrom.core.healed import Drop, Healed, Repair, Skip
from maelstrom.core.healed import Warning as HealWarning
from maelstrom.core.request import ChartRequest
from maelstrom.core.response import MaelstromResponse

__all__ = ["CELL", "Screen", "draw_chart", "draw_healed"]

CELL: Final = (6, 2)
"""Characters of a chart cell, across and down: about square, on most terminals."""

_CHAT: Final = 8
"""Lines that the chat keeps under the chart."""


@frozen
class Screen:
    """The terminal's size in characters."""

    width: int
    height: int

    @classmethod
    def of(cls, console: Console) -> "Screen":
        """The size that a console has now."""
        return cls(console.size.width, console.size.height)

    @property
    def chart_height(self) -> int:
        """Lines that the chart may take."""
        return self.height - _CHAT


def draw_chart(
    console: Console,
    state: ChartState,
    contents: Mapping[str, Iterable[str]] | None = None,
) -> None:
    """Draw a chart, and name what is parked."""
    width = min(state.dimensions.columns * CELL[0], console.size.width)
    height = state.dimensions.rows * CELL[1]
    console.print(chart_text(state, width, height, contents))
    if waiting := parked(state):
        console.print(Text("parked: " + ", ".join(waiting), "dim"))


def draw_healed(request: ChartRequest, candidate: Candidate, healed: Healed) -> None:
    """Draw the chart as a client shows it once it has applied a healed answer."""
    response = MaelstromResponse(
        "healed",
        candidate.user_message,
        candidate.rationale,
        healed.plan,
        healed.layout,
    )
    state = ChartState(
        dimensions=request.context.chart_dimensions,
        mode=request.context.layout_mode,
        vessels=request.vessels,
        instances=request.instances,
        layout=request.layout,
    )
    console = Console(highlight=False)
    draw_chart(console, apply(state, request, response).state)
    console.print(Text(candidate.user_message, "bold"))
    records: tuple[Drop | Skip | Repair | HealWarning, ...] = (
        *healed.drops,
        *healed.skips,
        *healed.repairs,
        *healed.warnings,
    )
    for record in records:
        kind = record.__class__.__name__.lower()
        who = "" if isinstance(record, HealWarning) else record.instance_id or ""
        console.print(Text(f"{kind}: {record.reason} {who}".rstrip(), "dim"))
    console.print(Text(f"severity: {healed.severity}", "dim"))
