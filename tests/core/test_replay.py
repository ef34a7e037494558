"""A recorded turn run again: over what was said then, it ends as it did."""

import json

import pytest
from attrs import evolve
from hypothesis import assume, given
from returns.pipeline import is_successful

from maelstrom.core.answer import decode_candidate
from maelstrom.core.completion import Completion, ModelCall
from maelstrom.core.diagnostics import Attempt
from maelstrom.core.errors import HistoryError, ProviderError
from maelstrom.core.healed import Drop
from maelstrom.core.layout import GridLayout
from maelstrom.core.policy import HealPolicy
from maelstrom.core.prompt import Prompt
from maelstrom.core.replay import answered, compare, replay
from maelstrom.core.wire import encode_candidate
from tests.core.recorded_turns import busy, refused, turns
from tests.core.turn_samples import BLANK, GOOD, LOST, LOW, TIMEOUT, candidate, message

SAYS = json.dumps(encode_candidate(LOW))


def _differences(turn):
    return replay(turn).unwrap().differences


@given(turns())
def test_a_turn_run_again_ends_the_same(turn):
    """Whatever it was: each attempt, the decision and the output are equal again."""
    assume("nan" not in repr(turn))  # which is not equal to itself

    again = replay(turn).unwrap()

    assert again.differences == ()
    assert again.diagnostics.output == turn.output
    assert again.diagnostics.decision == turn.decision


def test_a_saved_answer_is_a_turn():
    """A request and a raw text make the turn that they would have been."""
    turn = answered(message(), f"```json\n{SAYS}\n```")

    assert turn.decision == "served"
    assert [drop.reason for drop in turn.attempts[0].healed.drops] == [
        "position_overflow"
    ]
    assert _differences(turn) == ()
    gentle = answered(message(), SAYS, HealPolicy.gentle())
    assert gentle.attempts[0].healed.drops == ()
    assert answered(message(), "Sorry, no.").error.kind == "malformed_json"


def test_what_became_different_is_said():
    """A healing that makes something else of an answer shows attempt by attempt."""
    turn = answered(message(), SAYS)
    healed = turn.attempts[0].healed
    drop = Drop("position_overlap", ("layout", "positions", 1), "clock-1")
    other = evolve(healed, drops=(drop,), severity="none")
    before = evolve(turn, attempts=(evolve(turn.attempts[0], healed=other),))

    assert _differences(before) == (
        "attempt 1: severity: none, now low",
        "attempt 1: drops: not the same",
    )


def test_a_difference_need_not_change_the_severity():
    """Another layout of the same severity is another layout."""
    turn = answered(message(), SAYS)
    healed = evolve(turn.attempts[0].healed, layout=GridLayout())
    attempt = evolve(turn.attempts[0], healed=healed)

    assert _differences(evolve(turn, attempts=(attempt,))) == (
        "attempt 1: layout: not the same",
    )


def test_an_answer_that_reads_otherwise_is_said():
    """So is one that could not be read, and now can."""
    turn = answered(message(), SAYS)
    attempt = turn.attempts[0]
    other = evolve(attempt, candidate=GOOD)
    assert _differences(evolve(turn, attempts=(other,))) == (
        "attempt 1: the answer reads otherwise",
    )

    error = ProviderError("malformed_json", "saved", "no")
    failed = Attempt(1, attempt.calls, error=error)
    before = evolve(
        turn,
        decision="failed",
        served=None,
        output=None,
        attempts=(failed,),
        error=error,
    )
    words = _differences(before)
    assert "decision: failed, now served" in words
    assert "served attempt: None, now 1" in words
    assert "error: ProviderError (no), now none" in words
    assert "attempt 1: error: ProviderError (no), now none" in words
    assert words[-1] == "the output is another"


def test_an_answer_that_was_read_strictly_is_read_strictly_again():
    """With salvage off a malformed piece fails the attempt, then as now."""
    text = json.dumps(encode_candidate(candidate({"instanceId": "notes-1"})))
    error = decode_candidate(text, "grid", salvage=False).failure()
    error = evolve(error, provider="demo")
    said = ModelCall("demo", "d", Prompt((), ()), 1, Completion(text, "d"), error)
    turn = evolve(
        answered(message(), text),
        decision="failed",
        served=None,
        output=None,
        error=error,
        attempts=(Attempt(1, (said,), error=error),),
    )

    assert _differences(turn) == ()


def test_a_fallback_s_candidate_stands_for_itself():
    """Where a call failed and another planner answered, its candidate is healed again."""
    call = ModelCall("demo", "d", Prompt((), ()), 1, Completion("no", "d"), TIMEOUT)
    turn = answered(message(), json.dumps(encode_candidate(GOOD)))
    attempt = evolve(turn.attempts[0], calls=(call,))

    assert _differences(evolve(turn, attempts=(attempt,))) == ()


def test_fewer_attempts_than_then_are_said():
    """An answer that is good enough now needs no second one."""
    turn = answered(message(), SAYS)
    lost = answered(message(), json.dumps(encode_candidate(LOST))).attempts[0]
    attempts = (
        evolve(turn.attempts[0], healed=lost.healed),
        evolve(turn.attempts[0], number=2),
    )
    words = _differences(evolve(turn, attempts=attempts, served=2))

    assert "attempts: 2, now 1" in words
    assert "served attempt: 2, now 1" in words


def test_a_turn_that_its_history_failed_is_compared_up_to_there():
    """The store is no part of a replay."""
    turn = answered(message(), SAYS)
    error = HistoryError("conflict", "append", "another turn was first")
    failed = evolve(turn, decision="failed", served=None, output=None, error=error)

    assert _differences(failed) == ()


def test_a_turn_that_served_what_was_lost_does_so_again():
    """Where nothing is to be reflowed, what survived is served: nothing."""
    turn = answered(message(), json.dumps(encode_candidate(LOST)))
    assert turn.decision == "reflowed"
    healed = turn.attempts[0].healed
    payload = evolve(
        turn.output.payload, user_message=LOST.user_message, layout=healed.layout
    )
    output = evolve(turn.output, payload=payload)

    assert _differences(evolve(turn, decision="served", output=output)) == ()


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (refused(), "it holds no request to run again"),
        (busy(message()), "it ended before a planner was asked"),
        (
            evolve(answered(message(), SAYS), decision="replayed"),
            "it was answered from the history, and no planner was asked",
        ),
    ],
)
def test_there_may_be_nothing_to_run(turn, words):
    """A turn that asked no planner cannot be run again, and says why."""
    assert replay(turn).failure() == words


def test_an_attempt_without_anything_is_an_error():
    """A recording that was cut by hand ends in an error, not in a guess."""
    turn = answered(message(), SAYS)
    empty = evolve(turn, attempts=(Attempt(1),))

    again = replay(empty).unwrap()

    assert "the recording holds no answer" in again.diagnostics.error.message


def test_two_equal_turns_do_not_differ():
    """Comparison is reflexive, and ids in errors do not count."""
    turn = answered(message(), json.dumps(encode_candidate(BLANK)))

    assert compare(turn, turn) == ()
    assert compare(turn, evolve(turn, error=evolve(turn.error, id=None))) == ()
    assert is_successful(replay(turn))
