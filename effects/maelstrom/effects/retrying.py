"""A planner tried again: how often, how long after, and on which errors.

Theory of operation: errors are values, so tenacity looks at Results; nothing is raised
to be caught. Sleep is the clock's and jitter an argument, so that tests take no time.
A wait is at least what the provider asked for, and one that would reach the turn's
deadline is not begun: the caller then learns now, not later, that there is no answer.

Warts: what a planner raises passes through, and is the engine's to turn into an
InternalError. Tries here and the engine's retries after healing are counted apart.
"""

import random
from collections.abc import Callable

from attrs import field, frozen
from returns.pipeline import is_successful
from returns.result import Result
from tenacity import AsyncRetrying, RetryCallState, retry_if_result

from maelstrom.core.candidate import Candidate
from maelstrom.core.errors import EngineError, ProviderError
from maelstrom.core.plan_input import PlanInput
from maelstrom.effects.closing import ClosingPlanner, check_planner, close_planners
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.ports import Planner, TurnContext

__all__ = ["RetryPlan", "exponential", "is_retryable", "with_retry"]


def is_retryable(error: EngineError) -> bool:
    """Whether the model may well answer when it is asked once more."""
    return isinstance(error, ProviderError) and error.retryable


def exponential(first: float = 0.5, most: float = 8) -> Callable[[int], float]:
    """Seconds to wait after each failed try, doubling up to a bound.

    >>> wait = exponential(0.5, 3)
    >>> [wait(number) for number in (1, 2, 3, 4)]
    [0.5, 1.0, 2.0, 3]
    """

    def wait(number: int) -> float:
        # The exponent is bounded so that no number of tries overflows.
        return min(first * float(2 ** min(number - 1, 64)), most)

    return wait


@frozen(kw_only=True)
class RetryPlan:
    """How often, how long after, and on which errors to try again.

    ``attempts`` counts the first try. ``wait`` gives the seconds after the failed try
    of that number, before jitter.
    """

    attempts: int = 3
    wait: Callable[[int], float] = field(factory=exponential)
    on: Callable[[EngineError], bool] = is_retryable


def with_retry(
    planner: Planner,
    plan: RetryPlan = RetryPlan(),
    *,
    jitter: Callable[[], float] = random.random,
) -> ClosingPlanner:
    """The planner, tried again where it fails with an error that may pass.

    Waits between half and all of what the plan says, and never less than an error's
    ``retry_after_ms``. A wait that would reach the turn's deadline is not begun: the
    error is returned at once. These tries are not the engine's retries after healing.

    Args:
        planner: What to try.
        plan: How often, how long after, and on what.
        jitter: Random numbers from 0 to 1, so that clients do not come back in step.

    Raises:
        ConfigError: The plan is none, or has fewer than one attempt.
    """
    check_planner("planner", planner)
    if not isinstance(plan, RetryPlan):
        raise ConfigError("plan", "must be a RetryPlan")
    if not _is_count(plan.attempts):
        raise ConfigError("plan.attempts", "must be an integer, at least 1")
    for name, function in (("wait", plan.wait), ("on", plan.on)):
        if not callable(function):
            raise ConfigError(f"plan.{name}", "must be a function")
    if not callable(jitter):
        raise ConfigError("jitter", "must be a function")
    return _Retrying(planner, plan, jitter)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


@frozen
class _Retrying:
    planner: Planner
    plan: RetryPlan
    jitter: Callable[[], float]

    async def __call__(
        self, plan_input: PlanInput, context: TurnContext, /
    ) -> Result[Candidate, EngineError]:
        async def attempt() -> Result[Candidate, EngineError]:
            return await self.planner(plan_input, context)

        retrying = AsyncRetrying(
            retry=retry_if_result(self._may_pass),
            wait=self._seconds,
            stop=lambda state: self._is_last(state, context),
            sleep=context.clock.sleep,
            retry_error_callback=_last_result,
        )
        result: Result[Candidate, EngineError] = await retrying(attempt)
        return result

    async def aclose(self) -> None:
        await close_planners(self.planner)

    def _may_pass(self, result: Result[Candidate, EngineError]) -> bool:
        return not is_successful(result) and self.plan.on(result.failure())

    def _seconds(self, state: RetryCallState) -> float:
        spread = 0.5 + 0.5 * self.jitter()
        seconds = self.plan.wait(state.attempt_number) * spread
        error = _last_result(state).failure()
        hint = error.retry_after_ms if isinstance(error, ProviderError) else None
        return max(seconds, (hint or 0) / 1_000)

    def _is_last(self, state: RetryCallState, context: TurnContext) -> bool:
        if state.attempt_number >= self.plan.attempts:
            return True
        if context.deadline is None:
            return False
        return context.clock.monotonic() + state.upcoming_sleep >= context.deadline


def _last_result(state: RetryCallState) -> Result[Candidate, EngineError]:
    assert state.outcome is not None
    result: Result[Candidate, EngineError] = state.outcome.result()
    return result
