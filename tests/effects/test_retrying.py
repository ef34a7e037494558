"""Trying again: how often, how long after, on which errors, and never too late."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.result import Failure, Success

from maelstrom.adapters.testing.clock import ManualClock
from maelstrom.core.candidate import Candidate
from maelstrom.core.errors import KINDS, ParseError, ProviderError
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.retrying import RetryPlan, exponential, is_retryable, with_retry
from tests.core.prompt_inputs import plan_input
from tests.effects.fakes import FakeAdapter, context

GOOD = Success(Candidate("", (), {"type": "grid", "positions": []}, "Done."))


def _failure(kind="overloaded", retry_after_ms=None):
    return Failure(ProviderError(kind, "fake", "no", retry_after_ms=retry_after_ms))


def _run(replies, plan=None, *, jitter=1.0, deadline=None):
    """The result, the pauses in seconds, and how many replies were not asked for."""
    replies = list(replies)
    clock = ManualClock(auto=True)

    async def planner(plan_input, context):
        return replies.pop(0)

    again = with_retry(planner, plan or RetryPlan(), jitter=lambda: jitter)
    result = asyncio.run(again(plan_input(), context(clock, deadline=deadline)))
    return result, clock.slept, len(replies)


def test_tries_again_until_it_works() -> None:
    """Waits double, and the first answer that is one ends it."""
    assert _run([_failure(), _failure(), GOOD, GOOD]) == (GOOD, [0.5, 1.0], 1)


def test_the_last_error_is_the_result() -> None:
    """The attempts count the first one."""
    last = _failure("timeout")

    assert _run([_failure(), last, GOOD], RetryPlan(attempts=2)) == (last, [0.5], 1)
    assert _run([last, GOOD], RetryPlan(attempts=1)) == (last, [], 1)


@pytest.mark.parametrize("kind", KINDS)
def test_only_errors_that_may_pass_are_tried_again(kind) -> None:
    """The table of kinds decides."""
    result, _, left = _run([_failure(kind), GOOD])

    assert (result == GOOD) is KINDS[kind]
    assert left == (0 if KINDS[kind] else 1)


def test_other_errors_may_be_tried_again_by_the_plan() -> None:
    """A blank message is not retryable by itself."""
    blank = Failure(ParseError("userMessage", "blank"))
    plan = RetryPlan(on=lambda error: isinstance(error, ParseError))

    assert not is_retryable(blank.failure())
    assert _run([blank, GOOD], plan)[0] == GOOD


def test_a_hint_is_the_least_wait() -> None:
    """Whatever the plan and the jitter say."""
    hinted = [_failure("rate_limited", 7_000), GOOD]

    assert _run(hinted, jitter=0.0) == (GOOD, [7.0], 0)
    assert _run([_failure("rate_limited", 10), GOOD]) == (GOOD, [0.5], 0)


def test_a_wait_beyond_the_deadline_fails_at_once() -> None:
    """The caller learns now what it would learn later."""
    hinted = _failure("rate_limited", 7_000)

    assert _run([hinted, GOOD], deadline=7.0) == (hinted, [], 1)
    assert _run([hinted, GOOD], deadline=7.1) == (GOOD, [7.0], 0)


@given(st.floats(min_value=0, max_value=1), st.integers(min_value=1, max_value=2_000))
def test_waits_stay_between_half_and_all(jitter, number) -> None:
    """Jitter spreads clients; no number of tries makes a wait overflow."""
    wait = exponential(0.5, 8)
    _, (slept,), _ = _run([_failure(), GOOD], jitter=jitter)

    assert 0.25 <= slept <= 0.5
    assert 0.5 <= wait(number) <= 8


def test_what_a_planner_raises_passes() -> None:
    """It is not an error value, and is not tried again."""

    async def broken(plan_input, context):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(with_retry(broken)(plan_input(), context()))


def test_a_cancelled_pause_ends_the_turn() -> None:
    """Cancelling is no reason to try again."""

    async def scenario():
        async def planner(plan_input, context):
            return _failure()

        turn = asyncio.create_task(
            with_retry(planner)(plan_input(), context(ManualClock()))
        )
        for _ in range(9):
            await asyncio.sleep(0)
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn

    asyncio.run(scenario())


def test_closing_reaches_the_planner() -> None:
    """A planner without aclose is left as it is."""

    async def plain(plan_input, context):
        return GOOD

    class Closing(FakeAdapter):
        async def __call__(self, plan_input, context):
            return GOOD

    closing = Closing()
    asyncio.run(with_retry(closing).aclose())
    asyncio.run(with_retry(plain).aclose())

    assert closing.closed == 1


@pytest.mark.parametrize(
    ("arguments", "options", "field"),
    [
        ((None,), {}, "planner"),
        ((print, 3), {}, "plan"),
        ((print, RetryPlan(attempts=0)), {}, "plan.attempts"),
        ((print, RetryPlan(attempts=True)), {}, "plan.attempts"),
        ((print, RetryPlan(wait=1)), {}, "plan.wait"),
        ((print, RetryPlan(on=("timeout",))), {}, "plan.on"),
        ((print,), {"jitter": 0.5}, "jitter"),
    ],
)
def test_plans_are_checked(arguments, options, field) -> None:
    """What cannot work is refused when it is made."""
    with pytest.raises(ConfigError) as raised:
        with_retry(*arguments, **options)

    assert raised.value.field == field
