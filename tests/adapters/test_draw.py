"""Charts drawn with characters."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from maelstrom.adapters.demo import demo_chart
from maelstrom.adapters.draw import Box, boxes, chart_text, parked
from maelstrom.adapters.testing.strategies import requests
from maelstrom.core.chart_state import ChartState
from maelstrom.core.layout import (
    Cell,
    GridLayout,
    Leaf,
    Position,
    Split,
    TilingLayout,
)
from maelstrom.core.prune import placed
from maelstrom.core.request import Dimensions, Instance
from maelstrom.core.vessel import Size


def state_of(request) -> ChartState:
    """The chart that a request shows."""
    return ChartState(
        dimensions=request.context.chart_dimensions,
        mode=request.context.layout_mode,
        vessels=request.vessels,
        instances=request.instances,
        layout=request.layout,
    )


def test_a_grid_is_drawn_by_its_lines():
    """A piece covers its cells, and says who it is and in what variant."""
    chart = demo_chart(columns=6, rows=2)
    layout = GridLayout((Position("notes-1", Cell(0, 3), Size(3, 2)),))
    instances = (Instance("notes-1", "notes", "list"),)
    state = ChartState(
        dimensions=chart.dimensions,
        vessels=chart.vessels,
        instances=instances,
        layout=layout,
    )

    assert chart_text(state, 36, 4).plain.splitlines() == [
        "·   ·   ·   ·   · ╭ notes-1 ───────╮",
        "·   ·   ·   ·   · │ list           │",
        "·   ·   ·   ·   · │ All notes, ne… │",
        "·   ·   ·   ·   · ╰────────────────╯",
    ]


def test_a_tree_shares_its_room_by_weight():
    """A split's children stand side by side, or one above the other, without a gap."""
    tree = TilingLayout(
        "r",
        (
            Split("r", "row", ("a", "s")),
            Leaf("a", "one", weight=3),
            Split("s", "column", ("b", "c")),
            Leaf("b", "two"),
            Leaf("c", "three", weight=2),
        ),
    )

    assert boxes(tree, Dimensions(4, 4), 40, 9) == (
        Box("one", 0, 0, 30, 9),
        Box("two", 30, 0, 10, 3),
        Box("three", 30, 3, 10, 6),
    )


def test_wide_characters_take_two_cells():
    """A title in Japanese leaves its frame straight."""
    state = ChartState(
        dimensions=Dimensions(1, 1),
        mode="tiling",
        layout=TilingLayout("a", (Leaf("a", "カレンダー"),)),
    )

    lines = chart_text(
        state, 16, 3, {"カレンダー": ("予定\u0301\tあり",)}
    ).plain.splitlines()

    assert lines == ["╭ カレンダー ──╮", "│ 予定あり     │", "╰──────────────╯"]


def test_who_is_known_and_not_shown_is_parked():
    """An instance without a place is named apart."""
    notes = Instance("notes-1", "notes", "list")
    chart = demo_chart()
    state = ChartState(
        dimensions=chart.dimensions, vessels=chart.vessels, instances=(notes,)
    )

    assert parked(state) == ("notes-1",)


@given(requests(), st.integers(1, 60), st.integers(1, 20))
def test_any_chart_fills_its_canvas(request, width, height):
    """Whatever overlaps or sticks out, each line is as wide as the canvas."""
    lines = chart_text(state_of(request), width, height).plain.split("\n")

    assert [cell_len(line) for line in lines] == [width] * height


@given(requests(mode="tiling"), st.integers(1, 60), st.integers(1, 20))
def test_a_tree_covers_the_canvas_once(request, width, height):
    """The leaves' shares add up to the whole."""
    found = boxes(request.layout, Dimensions(1, 1), width, height)

    assert len(found) == len(placed(request.layout))
    assert sum(box.width * box.height for box in found) == (
        width * height if found else 0
    )
