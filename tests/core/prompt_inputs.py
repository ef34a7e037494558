"""Plan inputs that the tests of prompts share: the example app in ordinary turns."""

import attrs

from maelstrom.adapters.demo import VESSELS
from maelstrom.core.healed import Feedback, FeedbackItem
from maelstrom.core.history import After, Turn
from maelstrom.core.layout import (
    Cell,
    GridLayout,
    Leaf,
    Position,
    Split,
    TilingLayout,
)
from maelstrom.core.messages import EngineMessage
from maelstrom.core.plan_input import PlanInput
from maelstrom.core.request import (
    ChartRequest,
    ChartResize,
    Context,
    Dimensions,
    Instance,
    UserIntent,
    VesselMutation,
)
from maelstrom.core.response import ActionExecution
from maelstrom.core.vessel import Size

ASKED = (UserIntent("Show me next week"),)
INSTANCES = (
    Instance("calendar-1", "calendar", "month"),
    Instance("notes-1", "notes", "list"),
)
LAYOUTS = {
    "grid": GridLayout((Position("calendar-1", Cell(0, 0), Size(6, 5)),)),
    "tiling": TilingLayout(
        "s",
        (
            Split("s", "row", ("c", "n")),
            Leaf("c", "calendar-1", weight=2.0),
            Leaf("n", "notes-1"),
        ),
    ),
}
ANSWERS = {
    "grid": GridLayout(
        (
            Position("calendar-1", Cell(0, 0), Size(6, 5)),
            Position(
                "weather-1",
                Cell(0, 6),
                Size(4, 3),
                vessel_id="weather",
                variant="current",
            ),
        )
    ),
    "tiling": TilingLayout(
        "s",
        (
            Split("s", "row", ("c", "w")),
            Leaf("c", "calendar-1", weight=2.0),
            Leaf("w", "weather-1", vessel_id="weather", variant="current"),
        ),
    ),
}


def plan_input(mode="grid", reasons=ASKED, **changes):
    """An attempt's input on the example app's chart."""
    request = ChartRequest(
        Context(reasons, Dimensions(12, 8), mode, locale="en-GB"),
        INSTANCES,
        VESSELS,
        LAYOUTS[mode],
    )
    message = EngineMessage("session", "message", 1_767_225_600_000, request)
    return PlanInput(message, "Thursday, 2026-01-01 00:00 (UTC)", **changes)


def past_turn(mode="grid", number=1, reasons=None):
    """A recorded turn of the example app."""
    return Turn(
        seq=number,
        request_id=f"request-{number}",
        digest="0" * 64,
        timestamp=1_767_225_600_000 + number,
        reasons=reasons or (UserIntent(f"And the weather? ({number})"),),
        user_message="Here is the weather, beside your calendar.",
        rationale="The weather was asked for.",
        execution_plan=(
            ActionExecution("weather-1", "setLocation", {"city": "<Oslo>"}),
        ),
        layout=ANSWERS[mode],
        after=After(
            (*INSTANCES, Instance("weather-1", "weather", "current")),
            Dimensions(12, 8),
            mode,
        ),
        severity="none",
        attempts=1,
    )


def with_request(given, **changes):
    """The input with fields of its request changed."""
    request = attrs.evolve(given.request, **changes)
    return attrs.evolve(given, message=attrs.evolve(given.message, payload=request))


FEEDBACK = Feedback(
    2,
    (
        FeedbackItem("position_overflow", "weather-1"),
        FeedbackItem("action_not_valid", "calendar-1", "showTides"),
        FeedbackItem("params_parse_failed", "weather-1", "setLocation", "required"),
    ),
)


def golden_inputs(mode):
    """The turns whose prompts are kept as files, by name."""
    resized = (ChartResize(Dimensions(16, 9)),)
    mutated = (VesselMutation("calendar-1", "An event was moved to Friday"),)
    return {
        "ordinary": plan_input(mode, history=(past_turn(mode),)),
        "resize": plan_input(mode, resized),
        "mutation": plan_input(mode, mutated),
        "retry": plan_input(mode, attempt=2, feedback=FEEDBACK),
    }
