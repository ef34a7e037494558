"""decide: which attempt serves, and whether there is another."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.pipeline import is_successful

from maelstrom.core.diagnostics import Attempt
from maelstrom.core.errors import AbortedError
from maelstrom.core.healed import Healed
from maelstrom.core.layout import GridLayout
from maelstrom.core.retry import RetryPolicy, decide
from tests.core.turn_samples import TIMEOUT

SEVERITIES = ("none", "low", "medium", "unrecoverable")
GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "retry.json").read_text("utf-8")
)


def attempt(number, outcome, advised=None):
    """An attempt from its outcome: a severity, `error` or `deadline`."""
    if outcome == "error":
        return Attempt(number, error=TIMEOUT)
    if outcome == "deadline":
        return Attempt(number, error=AbortedError("deadline", "time was up"))
    retry = outcome in {"medium", "unrecoverable"} if advised is None else advised
    return Attempt(
        number, healed=Healed(GridLayout(), (), severity=outcome, retry=retry)
    )


def play(outcomes, budget, on_unrecoverable="reflow"):
    """Ask for attempts as long as they are wanted; what served, and how many."""
    attempts = ()
    for number, outcome in enumerate(outcomes, 1):
        attempts = (*attempts, attempt(number, outcome))
        verdict = decide(attempts, RetryPolicy(max=budget), on_unrecoverable)
        if is_successful(verdict):
            return verdict.unwrap(), number
        assert verdict.failure().attempt == number + 1
    raise AssertionError("the planner was asked once too often")


@pytest.mark.parametrize(
    "case",
    [case for case in GOLDEN if case["kind"] == "attempts"],
    ids=lambda case: case["name"],
)
def test_golden_attempts(case):
    """The conformance vectors of the retry rule."""
    served, calls = play(case["attempts"], case["retryMax"], case["onUnrecoverable"])
    assert {
        "result": served.result,
        "attempt": served.attempt - 1,
        "calls": calls,
    } == case["expect"]


outcomes = st.sampled_from((*SEVERITIES, "error", "deadline"))


@given(
    st.lists(outcomes, min_size=5, max_size=5),
    st.integers(0, 4),
    st.sampled_from(("reflow", "empty")),
)
def test_the_best_serves(given_outcomes, budget, on_unrecoverable):
    """The lowest severity serves, among equals the later; an error only if alone."""
    served, calls = play(given_outcomes, budget, on_unrecoverable)
    used = given_outcomes[:calls]
    answers = [outcome for outcome in used if outcome in SEVERITIES]
    if not answers:
        assert (served.result, served.attempt, calls) == ("error", 1, 1)
        return
    best = min(answers, key=SEVERITIES.index)
    last = max(index for index, outcome in enumerate(used, 1) if outcome == best)
    assert served.attempt == last
    blank = best == "unrecoverable" and on_unrecoverable == "reflow"
    assert served.result == ("reflow" if blank else "attempt")


@given(st.lists(outcomes, min_size=6, max_size=6), st.integers(0, 4))
def test_no_attempt_is_wasted(given_outcomes, budget):
    """Never more than the budget, and none after an answer that needs no other."""
    _, calls = play(given_outcomes, budget)
    assert calls <= budget + 1
    ends = {"none", "low", "error", "deadline"}
    assert all(outcome not in ends for outcome in given_outcomes[: calls - 1])


def test_what_no_retry_can_mend_is_not_tried_again():
    """Unrecoverable, but no retry is advised: the chart is reflowed at once."""
    verdict = decide((attempt(1, "unrecoverable", advised=False),), RetryPolicy())
    assert verdict.unwrap().result == "reflow"


@pytest.mark.parametrize("wrong", [-1, 1.5, "1", None, True])
def test_a_budget_is_a_whole_number(wrong):
    """A policy that makes no sense cannot be built."""
    with pytest.raises((TypeError, ValueError)):
        RetryPolicy(max=wrong)
