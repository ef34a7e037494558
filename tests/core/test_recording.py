"""What is kept of a turn, with its content and without."""

import json

from attrs import evolve
from hypothesis import given

from maelstrom.core.candidate import Candidate
from maelstrom.core.diagnostics import Attempt
from maelstrom.core.healed import Healed
from maelstrom.core.layout import GridLayout, Leaf, TilingLayout
from maelstrom.core.messages import EngineMessage
from maelstrom.core.recording import Tally, record, tally
from maelstrom.core.replay import answered
from maelstrom.core.request import ChartResize, UserIntent, VesselMutation
from maelstrom.core.wire_diagnostics import recording_to_text
from tests.core.recorded_turns import refused, turns
from tests.core.turn_samples import candidate, message, position, request

SECRETS = ("Ottoline", "Parmesan", "quince", "Zanzibar", "marzipan")


def _answer(**changes):
    whole = {
        "rationale": "Ottoline asked for it.",
        "executionPlan": [
            {"instanceId": "notes-1", "action": "Parmesan"},
            {"instanceId": "quince-1", "action": "fold"},
        ],
        "layout": candidate(position("notes-1"), position("Zanzibar", 9, 9)).layout,
        "userMessage": "Here is your marzipan.",
    }
    return json.dumps({**whole, **changes})


@given(turns())
def test_a_recording_with_content_holds_all_of_it(turn):
    """Nothing is left out, and each attempt is counted."""
    kept = record(turn, content=True)

    assert kept.diagnostics == turn
    assert len(kept.tallies) == len(turn.attempts)
    assert (kept.session_id, kept.id) == ("s", "m")


@given(turns())
def test_a_recording_without_content_says_what_happened(turn):
    """Reasons, counts, severities and kinds of errors stay; texts go."""
    kept = record(turn).diagnostics

    assert (kept.message, kept.output) == (None, None)
    assert kept.decision == turn.decision
    assert type(kept.error) is type(turn.error)
    for then, now in zip(turn.attempts, kept.attempts, strict=True):
        assert now.candidate is None
        assert all(
            not call.completion or not call.completion.text for call in now.calls
        )
        if then.healed is None:
            assert now.healed is None
            continue
        assert now.healed.severity == then.healed.severity
        for name in ("drops", "skips", "repairs", "warnings"):
            before, after = getattr(then.healed, name), getattr(now.healed, name)
            assert [one.reason for one in after] == [one.reason for one in before]


def test_what_people_and_models_wrote_is_not_in_it():
    """Not the wish, not the message, not the reasons, not an id that was made up."""
    turn = answered(message(intent="Ottoline wants quince"), _answer())

    without = recording_to_text(record(turn))
    with_it = recording_to_text(record(turn, content=True))

    assert [secret for secret in SECRETS if secret in without] == []
    assert [secret for secret in SECRETS if secret in with_it] == list(SECRETS)
    assert '"notes-1"' in without


def test_a_refused_message_keeps_codes_alone():
    """An issue's words quote the message, so its code stands in for them."""
    kept = record(refused())

    assert (kept.session_id, kept.id, kept.reasons) == ("s", "m", ())
    assert {issue.message for issue in kept.diagnostics.error.issues} == {
        "missing_field"
    }
    assert record(refused(), content=True).diagnostics == refused()


def test_the_types_of_the_reasons_are_kept():
    """What kind of reason a turn had is no content."""
    reasons = (UserIntent("x"), ChartResize(), VesselMutation("notes-1"))
    asked = EngineMessage("s", "m", 0, request(reasons=reasons))

    kept = record(answered(asked, _answer()))

    assert kept.reasons == ("user_intent", "chart_resize", "vessel_mutation")


def _counted(layout, healed):
    proposed = Candidate("", ({}, {}), layout, "x")
    return tally(Attempt(1, candidate=proposed, healed=Healed(healed, ())))


def test_pieces_are_counted_however_they_are_given():
    """Positions of a grid; leaves of a tree, flat or nested; nothing in what is none."""
    leaf = {"kind": "leaf", "instanceId": "a"}
    split = {"kind": "split", "children": [leaf, leaf, "x"]}
    shown = TilingLayout("a", (Leaf("a", "a"),))

    assert _counted({"positions": [1, 2]}, GridLayout()) == Tally(2, 0, 2, 0)
    assert _counted({"nodes": [leaf, split, 5]}, shown) == Tally(3, 1, 2, 0)
    assert _counted({"root": split}, shown) == Tally(2, 1, 2, 0)
    assert _counted("none", GridLayout()) == Tally(0, 0, 2, 0)
    assert tally(Attempt(1)) is None


def test_a_turn_without_ids_has_none():
    """A message that is no JSON names no session."""
    turn = evolve(refused(), error=None)

    assert (record(turn).session_id, record(turn).id) == (None, None)
