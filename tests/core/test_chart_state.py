"""What a client holds, and what it asks with it."""

from hypothesis import given
from hypothesis import strategies as st

from maelstrom.adapters.demo import NOTES, VESSELS, demo_chart
from maelstrom.adapters.testing.strategies import requests
from maelstrom.core.chart_state import ChartState, make_request, state_from
from maelstrom.core.history import After, Turn
from maelstrom.core.layout import (
    Cell,
    GridLayout,
    Leaf,
    Position,
    Split,
    TilingLayout,
)
from maelstrom.core.request import ChartResize, Dimensions, Instance, UserIntent
from maelstrom.core.vessel import Size
from maelstrom.core.wire import decode_request, encode_request

NOTE = Instance("notes-1", "notes", "list")
SHOWN = Position("notes-1", Cell(0, 0), Size(3, 2))


def turn(layout, instances, mode="grid") -> Turn:
    """A recorded turn that left these on the chart."""
    return Turn(
        seq=1,
        request_id="m-1",
        digest="d",
        timestamp=0,
        reasons=(UserIntent("hello"),),
        user_message="Hello.",
        rationale="",
        execution_plan=(),
        layout=layout,
        after=After(instances, Dimensions(12, 8), mode),
        severity="none",
        attempts=1,
    )


def test_a_new_chart_is_empty_in_its_mode():
    """Without a layout a chart shows nothing, in the layout of its mode."""
    assert demo_chart("grid").layout == GridLayout()
    assert demo_chart("tiling").layout == TilingLayout()


def test_a_switch_of_the_mode_parks_everything():
    """The other mode starts from an empty layout; the same one changes nothing."""
    state = ChartState(
        dimensions=Dimensions(12, 8),
        vessels=VESSELS,
        instances=(NOTE,),
        layout=GridLayout((SHOWN,)),
    )

    assert state.in_mode("grid") is state
    assert state.in_mode("tiling").layout == TilingLayout()
    assert state.in_mode("tiling").instances == (NOTE,)


def test_a_removed_instance_leaves_its_place():
    """The app removes an instance: it is unknown and not shown from then on."""
    state = ChartState(
        dimensions=Dimensions(12, 8),
        vessels=VESSELS,
        instances=(NOTE,),
        layout=GridLayout((SHOWN,)),
    )

    assert state.without("notes-1") == demo_chart()


def test_a_request_holds_the_time_zone_and_the_locale():
    """What "next week" means is the request's to say."""
    request = make_request(
        demo_chart(), [UserIntent("next week")], time_zone="Europe/Oslo", locale="nb"
    )

    assert request.context.time_zone == "Europe/Oslo"
    assert request.context.locale == "nb"


@given(requests())
def test_a_state_makes_the_request_that_it_is_a_snapshot_of(request):
    """Nothing is lost between what a client holds and what it asks with."""
    context = request.context
    state = ChartState(
        dimensions=context.chart_dimensions,
        mode=context.layout_mode,
        vessels=request.vessels,
        instances=request.instances,
        layout=request.layout,
    )

    assert make_request(state, context.update_reasons) == request


def test_the_newest_turn_rebuilds_the_chart():
    """What a turn declared is an instance by now, and its layout says no more of it."""
    declared = Position(
        "notes-1", Cell(0, 0), Size(3, 2), vessel_id="notes", variant="list"
    )
    state = state_from(turn(GridLayout((declared,)), (NOTE,)), VESSELS)

    assert state.layout == GridLayout((SHOWN,))
    assert state.instances == (NOTE,)
    assert state.dimensions == Dimensions(12, 8)


def test_an_app_that_changed_since_still_gets_a_valid_chart():
    """Instances of vessels that are gone go; unknown variants start anew."""
    old = (
        Instance("stocks-1", "stocks", "list"),
        Instance("notes-1", "notes", "kanban"),
    )
    nodes = (
        Split("r", "row", ("a", "b")),
        Leaf("a", "stocks-1"),
        Leaf("b", "notes-1"),
    )
    recorded = turn(TilingLayout("r", nodes), old, "tiling")

    state = state_from(recorded, (NOTES,))

    assert state.instances == (NOTE,)
    assert state.layout == TilingLayout("b", (Leaf("b", "notes-1"),))
    request = make_request(state, [ChartResize()])
    assert decode_request(encode_request(request)).unwrap() == request


@given(st.sampled_from(("grid", "tiling")), st.integers(1, 40), st.integers(1, 40))
def test_another_size_moves_nothing(mode, columns, rows):
    """A resized chart is the same chart at another size."""
    state = demo_chart(mode)

    assert state.resized(Dimensions(columns, rows)).layout == state.layout
