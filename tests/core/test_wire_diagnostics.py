"""A recorded turn as text, and back."""

import json
from math import isnan

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.core.candidate import Candidate
from maelstrom.core.limits import Limits
from maelstrom.core.recording import record
from maelstrom.core.replay import answered
from maelstrom.core.wire import encode_message, encode_output
from maelstrom.core.wire_diagnostics import recording_from_text, recording_to_text
from tests.core.recorded_turns import ERRORS, OTHERS, refused, turns
from tests.core.turn_samples import message

ANSWER = (
    '{"rationale": "", "executionPlan": [], "userMessage": "Hm.",'
    ' "layout": {"type": "grid", "positions": [{"instanceId": "clock-1"}]}}'
)
TURN = answered(message(), ANSWER)


def _again(recording):
    return recording_from_text(recording_to_text(recording)).unwrap()


@given(turns(), st.booleans())
def test_a_recording_is_read_as_it_was_written(turn, content):
    """Text and back is the identity, whatever the turn and whatever is kept of it."""
    recording = record(turn, content)
    text = recording_to_text(recording)

    # by text: a model may write NaN, which is not equal to itself
    assert recording_to_text(recording_from_text(text).unwrap()) == text
    if "NaN" not in text:
        assert _again(recording) == recording


@pytest.mark.parametrize("error", [*ERRORS, *OTHERS, refused().error])
def test_every_error_is_read_as_it_was_written(error):
    """Each member of the union has its tag."""
    recording = record(evolve(TURN, error=error, output=None), content=True)

    assert _again(recording) == recording


def test_message_and_output_stand_as_on_the_wire():
    """They can be cut out and sent."""
    turn = json.loads(recording_to_text(record(TURN, content=True)))["diagnostics"]

    assert turn["message"] == encode_message(TURN.message)
    assert turn["output"] == encode_output(TURN.output)


def test_the_limits_of_a_message_are_its_engine_s():
    """A message that an engine with wider limits took in is read under them."""
    limits = Limits(intent_characters=100_000)
    wide = answered(message(intent="x" * 50_000), ANSWER)
    recording = record(evolve(wide, limits=limits), content=True)

    assert _again(recording).diagnostics.limits == limits


def test_what_is_no_json_is_written_as_what_it_looks_like():
    """A planner of the app's own may put anything into a candidate."""
    odd = Candidate("", (), {"positions": [1 + 2j, float("nan"), "\ud800"]}, "x")
    attempt = evolve(TURN.attempts[0], candidate=odd)
    recording = record(evolve(TURN, attempts=(attempt,)), content=True)

    read = _again(recording).diagnostics.attempts[0].candidate.layout["positions"]

    assert (read[0], isnan(read[1]), read[2]) == ("(1+2j)", True, "\ud800")


def _spoiled(**changes):
    value = json.loads(recording_to_text(record(TURN, content=True)))
    turn = value["diagnostics"]
    attempt = turn["attempts"][0]
    for path, new in changes.items():
        {"top": value, "turn": turn, "attempt": attempt}[path].update(new)
    return json.dumps(value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "Expecting"),
        ("[]", "not a recording"),
        ("{}", "not a recording"),
        (_spoiled(top={"maelstrom": "cookbook"}), "not a recording"),
        (_spoiled(top={"schema": 2}), "written as version 2, this release reads 1"),
        (_spoiled(top={"schema": True}), "written as version True"),
        (_spoiled(top={"mood": "good"}), "mood"),
        (_spoiled(top={"content": 1}), "content"),
        (_spoiled(turn={"started": True}), "started"),
        (_spoiled(turn={"decision": "guessed"}), "decision"),
        (_spoiled(turn={"attempts": "abc"}), "attempts"),
        (_spoiled(turn={"attempts": ["abc"]}), "attempts"),
        (_spoiled(turn={"message": 5}), "message"),
        (_spoiled(turn={"message": {}}), "message"),
        (_spoiled(turn={"error": {"type": "bad_mood"}}), "error"),
        (_spoiled(turn={"error": {"type": 5}}), "error"),
        (_spoiled(turn={"error": 5}), "error"),
        (_spoiled(turn={"heal": {"overlap": "squash"}}), "heal"),
        (_spoiled(attempt={"healed": {"layout": {"type": "round"}}}), "layout"),
        (_spoiled(attempt={"number": "1"}), "number"),
    ],
)
def test_a_text_that_is_no_recording_says_why(text, words):
    """Nothing is coerced and nothing is guessed; the message names the place."""
    assert words in recording_from_text(text).failure()


def test_weights_are_numbers_and_nothing_else():
    """Whole or not, as the wire has them."""
    leaf = {"kind": "leaf", "id": "a", "instanceId": "clock-1", "weight": 2}
    layout = {"type": "tiling", "root": "a", "nodes": [leaf]}
    healed = {"layout": layout, "plan": []}

    read = recording_from_text(_spoiled(attempt={"healed": healed})).unwrap()
    assert read.diagnostics.attempts[0].healed.layout.nodes[0].weight == 2

    leaf["weight"] = "2"
    assert (
        "weight" in recording_from_text(_spoiled(attempt={"healed": healed})).failure()
    )
