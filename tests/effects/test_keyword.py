"""The planner that matches words: what is asked for comes about, and it heals clean."""

import asyncio
import json
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.adapters.demo import VESSELS, demo_chart
from maelstrom.adapters.testing.clock import ManualClock
from maelstrom.adapters.testing.strategies import requests
from maelstrom.core.chart_state import ChartState, make_request
from maelstrom.core.client import apply
from maelstrom.core.heal import mend
from maelstrom.core.layout import (
    Cell,
    GridLayout,
    Leaf,
    Position,
    Split,
    TilingLayout,
)
from maelstrom.core.messages import EngineMessage
from maelstrom.core.prune import placed
from maelstrom.core.reflow import reflow
from maelstrom.core.request import (
    ChartResize,
    Dimensions,
    Instance,
    UserIntent,
    VesselMutation,
)
from maelstrom.core.response import MaelstromResponse
from maelstrom.core.vessel import Action, Size, Variant, Vessel
from maelstrom.core.wire import encode_layout, encode_response
from maelstrom.effects.create import create_engine
from maelstrom.effects.keyword import keyword_candidate, keyword_planner

CASES = json.loads((Path(__file__).parent / "intents.json").read_text("utf-8"))
SPOTS = (Cell(0, 0), Cell(0, 6), Cell(4, 0), Cell(4, 6))


def chart(before: dict[str, str], mode: str) -> ChartState:
    """The example app with these instances on its chart, in their variants."""
    ids = tuple(before)
    instances = tuple(Instance(one, one.partition("-")[0], before[one]) for one in ids)
    if mode == "grid":
        size = Size(6, 4)
        spots = zip(ids, SPOTS, strict=False)
        layout = GridLayout(tuple(Position(one, spot, size) for one, spot in spots))
    elif len(ids) > 1:
        leaves = tuple(Leaf(f"leaf-{one}", one) for one in ids)
        split = Split("root", "row", tuple(leaf.id for leaf in leaves))
        layout = TilingLayout("root", (split, *leaves))
    else:
        leaves = tuple(Leaf("root", one) for one in ids)
        layout = TilingLayout("root" if leaves else None, leaves)
    return evolve(demo_chart(mode), instances=instances, layout=layout)


def asked(state: ChartState, *reasons):
    """The chart once the planner's answer has been healed and applied, and the answer."""
    request = make_request(state, reasons)
    candidate = keyword_candidate(request)
    healed = mend(request, candidate)
    assert (healed.drops, healed.skips, healed.repairs) == ((), (), ())
    response = MaelstromResponse(
        "m-1", candidate.user_message, "", healed.plan, healed.layout
    )
    applied = apply(state, request, response)
    assert applied.skips == ()
    return applied.state, response


def overlaps(layout: GridLayout) -> bool:
    """Whether two pieces share a cell."""
    cells = [
        (piece.position.row + row, piece.position.column + column)
        for piece in layout.positions
        for row in range(piece.size.height)
        for column in range(piece.size.width)
    ]
    return len(cells) != len(set(cells))


@pytest.mark.parametrize("mode", ["grid", "tiling"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["intent"])
def test_intent(case, mode):
    """What must come of each intent, in both layout modes."""
    state, response = asked(chart(case["before"], mode), UserIntent(case["intent"]))

    shown = placed(state.layout)
    variants = {
        one.instance_id: one.variant
        for one in state.instances
        if one.instance_id in shown
    }
    assert variants == case["after"], case["why"]
    assert encode_response(response)["executionPlan"] == case["plan"]
    assert case.get("says", "") in response.user_message
    assert response.user_message.strip()


def test_what_stands_keeps_its_place():
    """A summoned vessel moves nobody who was there."""
    before = chart({"calendar-1": "week", "notes-1": "list"}, "grid")

    after, _ = asked(before, UserIntent("show the weather"))

    assert after.layout.positions[:2] == before.layout.positions
    assert not overlaps(after.layout)


def test_a_full_chart_is_packed_for_who_is_asked_for():
    """Where there is no room, everybody shrinks to their minimum."""
    whole = Position("notes-1", Cell(0, 0), Size(12, 8))
    full = evolve(chart({"notes-1": "list"}, "grid"), layout=GridLayout((whole,)))

    after, response = asked(full, UserIntent("show the calendar"))

    assert placed(after.layout) == ("calendar-1", "notes-1")
    assert "calendar-1" in response.user_message


def test_a_chart_too_small_says_so():
    """Who fits nowhere is named, and nobody else is lost for it."""
    tiny = evolve(
        chart({"notes-1": "list"}, "grid"),
        dimensions=Dimensions(3, 2),
        layout=GridLayout((Position("notes-1", Cell(0, 0), Size(3, 2)),)),
    )

    after, response = asked(tiny, UserIntent("show the calendar"))

    assert placed(after.layout) == ("notes-1",)
    assert "No room for calendar-1." in response.user_message


def test_a_mutation_leaves_the_chart_as_it_is():
    """What the app just changed is kept, number for number."""
    before = chart({"calendar-1": "week", "notes-1": "list"}, "tiling")

    after, response = asked(before, VesselMutation("notes-1", "a note was added"))

    assert after == before
    assert response.execution_plan == ()


def test_a_resize_alone_reflows():
    """On a resize-only turn the chart is made to fit, and nothing else happens."""
    before = evolve(
        chart({"calendar-1": "week", "notes-1": "list"}, "grid"),
        dimensions=Dimensions(8, 4),
    )
    reasons = (ChartResize(Dimensions(12, 8)),)
    request = make_request(before, reasons)

    assert keyword_candidate(request).layout == encode_layout(reflow(request))


def test_a_mutation_on_a_resized_chart_makes_it_fit():
    """A resize beside a mutation is still a chart that has to fit."""
    before = evolve(
        chart({"calendar-1": "week", "notes-1": "list"}, "grid"),
        dimensions=Dimensions(6, 6),
    )

    after, _ = asked(before, ChartResize(), VesselMutation("notes-1"))

    assert set(placed(after.layout)) == {"calendar-1", "notes-1"}


def test_ids_are_the_app_s_own():
    """A vessel's id may be as long as ids get; the instance's still is one."""
    long = Vessel("x" * 128, "a very long one", (Variant("only", "one"),))
    state = ChartState(dimensions=Dimensions(4, 4), vessels=(long,))

    after, _ = asked(state, UserIntent("a very long one"))

    assert after.instances[0].vessel_id == long.id


def test_numbers_are_read_and_refused_ones_reported():
    """A number is the first one said; one that the schema refuses runs nothing."""
    days = {"type": "integer", "minimum": 1, "maximum": 14}
    params = {"type": "object", "properties": {"days": days}, "required": ["days"]}
    jump = Action("jump", "Go some days ahead", params=params)
    plan = Vessel("plan", "A plan", (Variant("main", "All", actions=(jump,)),))
    state = ChartState(dimensions=Dimensions(4, 4), vessels=(plan,))

    _, ran = asked(state, UserIntent("jump the plan 3 days"))
    request = make_request(state, [UserIntent("jump the plan 99 days")])
    refused = keyword_candidate(request)

    assert ran.execution_plan[0].params == {"days": 3}
    assert refused.execution_plan == ()
    assert "Could not run jump on plan-1." in refused.user_message


WORDS = ("show", "hide", "only", "not", "everything", "except", "another", "and", ":")
NAMES = tuple(
    name
    for vessel in VESSELS
    for name in (
        vessel.id,
        *(variant.id for variant in vessel.variants),
        *(action.id for variant in vessel.variants for action in variant.actions),
    )
)
INTENTS = (
    st.lists(
        st.sampled_from(WORDS + NAMES) | st.text(min_size=1, max_size=6), min_size=1
    )
    .map(" ".join)
    .filter(str.strip)
)


@given(requests(), INTENTS)
def test_any_answer_heals_without_a_record(request, intent):
    """Whatever is said to whatever app, the candidate is a right one."""
    spoken = evolve(
        request,
        context=evolve(
            request.context,
            update_reasons=(*request.context.update_reasons, UserIntent(intent)),
        ),
    )
    for one in (request, spoken):
        candidate = keyword_candidate(one)
        healed = mend(one, candidate)

        assert (healed.drops, healed.skips, healed.repairs) == ((), (), ())
        assert candidate.user_message.strip()
        if isinstance(healed.layout, GridLayout):
            assert not overlaps(healed.layout)


@given(st.sampled_from(("grid", "tiling")), st.lists(INTENTS, max_size=4))
def test_a_conversation_with_the_example_app_goes_on(mode, intents):
    """Turn after turn the chart stays whole."""
    state = demo_chart(mode)
    for intent in intents:
        state, _ = asked(state, UserIntent(intent))


def test_it_plans_for_an_engine():
    """The planner answers a turn of an engine, at no cost and without a network."""

    async def scenario():
        engine = create_engine(planner=keyword_planner(), clock=ManualClock())
        request = make_request(demo_chart(), [UserIntent("show my notes")])
        return await engine.handle(EngineMessage("s-1", "m-1", 0, request))

    payload = asyncio.run(scenario()).unwrap().payload
    assert placed(payload.layout) == ("notes-1",)
