"""Two charts beside each other: what a model proposed, and what healing made of it.

In the proposed chart a piece that healing dropped says why; in the healed one a piece
that was changed says how. Everything is drawn in the colours of the healed chart.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import evolve
from rich.console import Console
from rich.table import Table
from rich.text import Text

from maelstrom.adapters.cli.drawing import CELL
from maelstrom.adapters.cli.telling import printable
from maelstrom.adapters.draw import chart_text
from maelstrom.adapters.sketch import sketch
from maelstrom.core.candidate import Candidate
from maelstrom.core.chart_state import ChartState
from maelstrom.core.client import apply
from maelstrom.core.healed import Drop, Healed, Repair
from maelstrom.core.layout import GridLayout, Layout, Leaf, Position
from maelstrom.core.request import ChartRequest, Instance
from maelstrom.core.response import MaelstromResponse

__all__ = ["draw_beside"]

_GAP: Final = 2
"""Characters between two charts."""

_LEAST: Final = 24
"""Characters of a chart that is worth drawing; narrower terminals get two rows."""

_TALLEST: Final = 40
"""Lines of a chart, however many rows it has."""


def draw_beside(
    console: Console, request: ChartRequest, candidate: Candidate, healed: Healed
) -> None:
    """Draw the proposed chart and the healed one."""
    response = MaelstromResponse(
        "healed", candidate.user_message, "", healed.plan, healed.layout
    )
    base = ChartState(
        dimensions=request.context.chart_dimensions,
        mode=request.context.layout_mode,
        vessels=request.vessels,
        instances=request.instances,
        layout=request.layout,
    )
    after = apply(base, request, response).state
    raw = _named(sketch(candidate.layout, base.dimensions))
    before = evolve(after, layout=raw, instances=_all(after.instances, raw))
    after = evolve(after, layout=_named(after.layout))
    dropped = _notes("dropped", healed.drops)
    mended = _notes("repaired", (one for one in healed.repairs if not one.lossless))
    wide = (console.size.width - _GAP) // 2
    width = min(base.dimensions.columns * CELL[0], max(wide, _LEAST))
    if wide < _LEAST:
        width = min(base.dimensions.columns * CELL[0], console.size.width)
    left = _titled("proposed", before, width, dropped)
    right = _titled("healed", after, width, mended)
    if wide < _LEAST:
        console.print(left, right, sep="\n")
        return
    table = Table.grid(padding=(0, _GAP, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_row(left, right)
    console.print(table)


def _titled(
    title: str, state: ChartState, width: int, notes: Mapping[str, tuple[str, ...]]
) -> Text:
    height = min(state.dimensions.rows * CELL[1], _TALLEST)
    chart = chart_text(state, width, height, notes)
    return Text.assemble((title, "bold"), "\n", chart, no_wrap=True, overflow="crop")


def _named(layout: Layout) -> Layout:
    """The layout with ids that are safe to show."""
    if isinstance(layout, GridLayout):
        return GridLayout(
            tuple(
                evolve(one, instance_id=printable(one.instance_id))
                for one in layout.positions
            )
        )
    return evolve(
        layout,
        nodes=tuple(
            evolve(node, instance_id=printable(node.instance_id))
            if isinstance(node, Leaf)
            else node
            for node in layout.nodes
        ),
    )


def _all(instances: tuple[Instance, ...], layout: Layout) -> tuple[Instance, ...]:
    """The instances and those that a sketch shows beside, in an order of their own."""
    known = {one.instance_id: one for one in instances}
    shown = layout.positions if isinstance(layout, GridLayout) else layout.nodes
    for piece in shown:
        if isinstance(piece, Position | Leaf):
            name = piece.instance_id
            known.setdefault(name, Instance(name, "", "not known"))
    return tuple(known.values())


def _notes(word: str, records: Iterable[Drop | Repair]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for record in records:
        if record.instance_id is not None:
            name = printable(record.instance_id)
            found[name] = (*found.get(name, (f"{word}:",)), record.reason)
    return found
