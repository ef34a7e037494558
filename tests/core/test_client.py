"""Applying a response, on the state it was asked from and on one that moved on."""

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.adapters.demo import VESSELS
from maelstrom.adapters.testing.strategies import (
    faulty_candidates,
    policies,
    requests,
)
from maelstrom.core.candidate import Candidate
from maelstrom.core.chart_state import ChartState, make_request
from maelstrom.core.client import Effect, apply
from maelstrom.core.heal import mend
from maelstrom.core.healed import Skip
from maelstrom.core.layout import (
    Cell,
    GridLayout,
    Leaf,
    Position,
    Split,
    TilingLayout,
)
from maelstrom.core.prune import placed
from maelstrom.core.reflow import reflow
from maelstrom.core.request import (
    ChartRequest,
    ChartResize,
    Dimensions,
    Instance,
    UserIntent,
)
from maelstrom.core.response import ActionExecution, MaelstromResponse
from maelstrom.core.vessel import Size
from maelstrom.core.wire import decode_request, encode_request

CALENDAR = Instance("calendar-1", "calendar", "week")
NOTES = Instance("notes-1", "notes", "list")
INTENT = UserIntent("hello")


def at(instance_id, column=0, **declared) -> Position:
    """A piece in the top row."""
    return Position(instance_id, Cell(0, column), Size(5, 3), **declared)


def chart(*instances, layout=None) -> ChartState:
    """A chart with these instances; they stand side by side unless a layout says else."""
    side_by_side = (at(one.instance_id, 6 * n) for n, one in enumerate(instances))
    return ChartState(
        dimensions=Dimensions(12, 8),
        mode="tiling" if isinstance(layout, TilingLayout) else "grid",
        vessels=VESSELS,
        instances=instances,
        layout=GridLayout(tuple(side_by_side)) if layout is None else layout,
    )


def answer(layout, *plan) -> MaelstromResponse:
    """A response with this layout and plan."""
    return MaelstromResponse("m-1", "Done.", "Because.", plan, layout)


def state_of(request: ChartRequest) -> ChartState:
    """The state that a request is a snapshot of."""
    return ChartState(
        dimensions=request.context.chart_dimensions,
        mode=request.context.layout_mode,
        vessels=request.vessels,
        instances=request.instances,
        layout=request.layout,
    )


def response_to(request, candidate, policy) -> MaelstromResponse:
    """What the engine makes of a candidate."""
    healed = mend(request, candidate, policy)
    return MaelstromResponse("m-1", "Done.", "", healed.plan, healed.layout)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.sampled_from(("", "a", "r")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ("type", "positions", "nodes", "root", "id", "kind", "instanceId")
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
ARBITRARY = st.builds(
    Candidate, st.just(""), st.lists(JSON, max_size=3).map(tuple), JSON, st.just("Hi")
)


# ---------------------------------------------------------------- the laws


@pytest.mark.law
@given(st.data())
def test_every_answer_applies_without_a_skip(data):
    """On the state that was asked from, whatever the engine returns applies whole."""
    request = data.draw(requests())
    broken = faulty_candidates(request).map(lambda faulty: faulty.candidate)
    response = response_to(
        request, data.draw(broken | ARBITRARY), data.draw(policies())
    )

    applied = apply(state_of(request), request, response)

    assert applied.skips == ()
    assert len(applied.effects) == len(response.execution_plan)
    assert placed(applied.state.layout) == placed(response.layout)


@pytest.mark.law
@given(st.data())
def test_the_next_request_decodes(data):
    """What a client holds after any answer is a valid request again."""
    request = data.draw(requests())
    broken = faulty_candidates(request).map(lambda faulty: faulty.candidate)
    response = response_to(
        request, data.draw(broken | ARBITRARY), data.draw(policies())
    )

    state = apply(state_of(request), request, response).state
    following = make_request(state, [INTENT])

    assert decode_request(encode_request(following)).unwrap() == following


@given(requests())
def test_a_reflowed_chart_applies_whole(request):
    """The last resort's answer is an answer like any other."""
    response = answer(reflow(request))

    applied = apply(state_of(request), request, response)

    assert applied.skips == ()
    following = make_request(applied.state, [INTENT])
    assert decode_request(encode_request(following)).unwrap() == following


@given(st.data())
def test_any_drift_leaves_a_valid_chart(data):
    """The app may have removed and changed instances: what is left still decodes."""
    request = data.draw(requests())
    response = response_to(
        request, data.draw(faulty_candidates(request)).candidate, data.draw(policies())
    )
    state = state_of(request)
    for one in request.instances:
        if data.draw(st.booleans()):
            state = state.without(one.instance_id)

    applied = apply(state, request, response)

    gone = {one.instance_id for one in request.instances}
    gone -= {one.instance_id for one in state.instances}
    assert gone.isdisjoint(placed(applied.state.layout))
    following = make_request(applied.state, [INTENT])
    assert decode_request(encode_request(following)).unwrap() == following


# ---------------------------------------------------------------- by example


def test_layout_first_then_the_plan_in_order():
    """A new instance appears as declared, and the plan moves it on from there."""
    state = chart(CALENDAR)
    fresh = at("tasks-1", 6, vessel_id="tasks", variant="list")
    response = answer(
        GridLayout((at("calendar-1"), fresh)),
        ActionExecution("tasks-1", "showBoard"),
        ActionExecution("tasks-1", "addTask", {"title": "milk"}),
    )

    applied = apply(state, make_request(state, [INTENT]), response)

    assert applied.state.instances == (CALENDAR, Instance("tasks-1", "tasks", "board"))
    assert applied.state.layout == GridLayout((at("calendar-1"), at("tasks-1", 6)))
    assert applied.effects == (
        Effect("tasks-1", "showBoard", vessel_id="tasks", variant="list"),
        Effect(
            "tasks-1", "addTask", {"title": "milk"}, vessel_id="tasks", variant="board"
        ),
    )


def test_who_is_left_out_leaves():
    """The layout is the whole result: a placed instance that it omits is gone."""
    state = chart(CALENDAR, NOTES)
    response = answer(GridLayout((at("notes-1"),)))

    applied = apply(state, make_request(state, [INTENT]), response)

    assert applied.state.instances == (NOTES,)


def test_who_is_left_out_on_a_resize_is_parked():
    """A resize loses nobody: what does not fit waits, out of sight."""
    state = chart(CALENDAR, NOTES)
    response = answer(GridLayout((at("notes-1"),)))

    applied = apply(state, make_request(state, [ChartResize()]), response)

    assert applied.state.instances == (CALENDAR, NOTES)
    assert placed(applied.state.layout) == ("notes-1",)


def test_who_was_parked_and_stays_out_stays_parked():
    """An answer need not mention who was not on the chart."""
    state = chart(CALENDAR, NOTES, layout=GridLayout((at("notes-1"),)))

    applied = apply(state, make_request(state, [INTENT]), answer(state.layout))

    assert applied.state == state


def test_a_response_of_the_other_mode_is_ignored():
    """The user has switched the mode meanwhile: nothing is shown, nothing runs."""
    state = chart(CALENDAR)
    request = make_request(state, [INTENT])
    response = answer(state.layout, ActionExecution("calendar-1", "showDay"))
    switched = state.in_mode("tiling")

    applied = apply(switched, request, response)

    assert applied.state is switched
    assert applied.effects == ()


# ---------------------------------------------------------------- drift


def test_the_piece_of_an_instance_that_is_gone_goes():
    """A tree collapses around it, and its actions are skipped."""
    tree = TilingLayout(
        "r",
        (
            Split("r", "row", ("a", "b")),
            Leaf("a", "calendar-1", weight=2),
            Leaf("b", "notes-1"),
        ),
    )
    state = chart(CALENDAR, NOTES, layout=tree)
    request = make_request(state, [INTENT])
    plan = (
        ActionExecution("notes-1", "openEditor"),
        ActionExecution("calendar-1", "showDay"),
    )

    applied = apply(state.without("notes-1"), request, answer(tree, *plan))

    assert applied.state.layout == TilingLayout("a", (Leaf("a", "calendar-1"),))
    assert applied.skips == (Skip("state_drift", 0, "notes-1", "openEditor"),)
    assert [one.action for one in applied.effects] == ["showDay"]


def test_an_action_that_its_instance_no_longer_has_is_skipped():
    """The user moved the calendar on; what its new variant lacks does not run."""
    state = chart(CALENDAR)
    request = make_request(state, [INTENT])
    moved = evolve(state, instances=(evolve(CALENDAR, variant="collapsed"),))
    plan = (
        ActionExecution("calendar-1", "collapse"),
        ActionExecution("calendar-1", "showDay"),
    )

    applied = apply(moved, request, answer(state.layout, *plan))

    assert [skip.index for skip in applied.skips] == [0]
    assert applied.state.instances == (evolve(CALENDAR, variant="day"),)


def test_an_instance_that_the_request_did_not_know_is_parked():
    """What the app added meanwhile is no part of the answer, and is not lost."""
    state = chart(CALENDAR)
    request = make_request(state, [INTENT])

    applied = apply(chart(CALENDAR, NOTES), request, answer(state.layout))

    assert applied.state.instances == (CALENDAR, NOTES)
    assert placed(applied.state.layout) == ("calendar-1",)


def test_an_id_taken_meanwhile_stays_with_the_app():
    """Two that bear one id: the app's stands, parked; the introduced one does not."""
    state = chart(CALENDAR)
    request = make_request(state, [INTENT])
    fresh = at("notes-1", 6, vessel_id="tasks", variant="list")
    response = answer(
        GridLayout((at("calendar-1"), fresh)), ActionExecution("notes-1", "showBoard")
    )

    applied = apply(chart(CALENDAR, NOTES), request, response)

    assert applied.state.instances == (CALENDAR, NOTES)
    assert placed(applied.state.layout) == ("calendar-1",)
    assert [skip.reason for skip in applied.skips] == ["state_drift"]


def test_a_vessel_that_is_gone_introduces_nobody():
    """The app has unregistered a vessel meanwhile: its new instance never appears."""
    state = chart(CALENDAR)
    request = make_request(state, [INTENT])
    fresh = at("notes-1", 6, vessel_id="notes", variant="list")
    without_notes = evolve(state, vessels=VESSELS[:3])

    applied = apply(without_notes, request, answer(GridLayout((fresh,))))

    assert applied.state.instances == ()
    assert applied.state.layout == GridLayout()


def test_an_unregistered_vessel_s_instance_has_no_actions():
    """Where the app kept an instance of a vessel that is gone, nothing of it runs."""
    state = chart(CALENDAR)
    request = make_request(state, [INTENT])
    response = answer(state.layout, ActionExecution("calendar-1", "showDay"))

    applied = apply(evolve(state, vessels=()), request, response)

    assert [skip.action for skip in applied.skips] == ["showDay"]
