"""A small app, its messages, and what a planner might answer: for tests of the turn."""

from maelstrom.core.candidate import Candidate
from maelstrom.core.completion import Completion, ModelCall
from maelstrom.core.errors import ProviderError
from maelstrom.core.layout import Cell, GridLayout, Position
from maelstrom.core.messages import EngineMessage
from maelstrom.core.prompt import Prompt
from maelstrom.core.request import (
    ChartRequest,
    Context,
    Dimensions,
    Instance,
    UserIntent,
)
from maelstrom.core.vessel import Action, Size, Variant, Vessel

NOTES = Vessel(
    "notes",
    "Short notes",
    (
        Variant(
            "list",
            "All notes",
            min_size=Size(2, 2),
            actions=(Action("fold", "Fold it", to="folded", idempotent=True),),
        ),
        Variant("folded", "One line", actions=(Action("unfold", "Open", to="list"),)),
    ),
)
CLOCK = Vessel("clock", "The time", (Variant("small", "A small clock"),))

CALL = ModelCall("demo", "demo-1", Prompt((), ()), 5, Completion("{}", "demo-1"))
TIMEOUT = ProviderError("timeout", "demo", "no answer in time")


def request(intent="Show my notes", *, reasons=None, columns=6, rows=4):
    """A grid of six by four with a list of notes on it, and a clock parked."""
    return ChartRequest(
        Context(reasons or (UserIntent(intent),), Dimensions(columns, rows), "grid"),
        (Instance("notes-1", "notes", "list"), Instance("clock-1", "clock", "small")),
        (NOTES, CLOCK),
        GridLayout((Position("notes-1", Cell(0, 0), Size(3, 3)),)),
    )


def message(message_id="m1", intent="Show my notes", *, session="s1", **options):
    """A message of session `s1`, sent on the first day of 2026."""
    payload = request(intent, **options)
    return EngineMessage(session, message_id, 1_767_225_600_000, payload)


def position(instance_id, row=0, column=0, width=2, height=2, **more):
    """A raw position."""
    return {
        "instanceId": instance_id,
        "position": {"row": row, "column": column},
        "size": {"width": width, "height": height},
        **more,
    }


def candidate(*positions, plan=(), say="Here you are.", rationale="As asked."):
    """A candidate with these raw positions."""
    layout = {"type": "grid", "positions": list(positions)}
    return Candidate(rationale, tuple(plan), layout, say)


GOOD = candidate(position("notes-1", 1, 1))
"""Heals without a record: severity none."""
LOW = candidate(position("notes-1"), position("clock-1", 99, 0), say="Low.")
"""One piece is outside: severity low."""
MEDIUM = candidate(
    position("notes-1"),
    plan=[{"instanceId": "notes-1", "action": "fly"}],
    say="Medium.",
)
"""Its only action does not exist: severity medium."""
LOST = candidate(position("notes-1", 99, 99), say="All is lost.")
"""Nothing survives: unrecoverable."""
BLANK = candidate(position("notes-1"), say=" \n")
"""Says nothing: a ParseError."""

BY_SEVERITY = {"none": GOOD, "low": LOW, "medium": MEDIUM, "unrecoverable": LOST}
