"""Planners made of planners: in a row, again, instead, or by the reason for asking.

Theory of operation: a planner is any `async (PlanInput, TurnContext) -> Result`. Each
composition here is one too, and closes the planners it was given. Errors are values,
so trying again and falling back look at the Result; what a planner raises passes
through, and is the engine's to turn into InternalError.

Warts: an instrument wraps each stage of a pipeline once a turn, and a pipeline runs
once an attempt; so the wrapped stages are kept as long as the turn's context lives.
"""

import random
from collections.abc import Callable
from typing import Any, Final, Protocol
from weakref import ref

from attrs import field, frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success
from tenacity import AsyncRetrying, RetryCallState, retry_if_result

from maelstrom.core.candidate import Candidate
from maelstrom.core.errors import (
    AbortedError,
    EngineError,
    InternalError,
    ProviderError,
    ValidationError,
)
from maelstrom.core.plan_input import PlanInput
from maelstrom.core.resize import is_resize_only as _is_resize_only
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.ports import Planner, Stage, TurnContext

__all__ = [
    "ClosingPlanner",
    "RetryPlan",
    "exponential",
    "is_retryable",
    "pipeline",
    "route",
    "with_fallback",
    "with_retry",
]


class ClosingPlanner(Protocol):
    """A planner that closes what it holds."""

    async def __call__(
        self, plan_input: PlanInput, context: TurnContext, /
    ) -> Result[Candidate, EngineError]:
        """Plan one attempt."""

    async def aclose(self) -> None:
        """Close what is open."""


def _check_planner(name: str, planner: object) -> None:
    if not callable(planner):
        raise ConfigError(
            name, "must be an async function of PlanInput and TurnContext"
        )


async def _close(*planners: object) -> None:
    """Close each planner that can be closed, once; the first that raises, raises."""
    closing = list(
        dict.fromkeys(getattr(planner, "aclose", None) for planner in planners)
    )
    failed: list[Exception] = []
    for close in closing:
        if close is not None:
            try:
                await close()
            except Exception as error:  # noqa: BLE001  the others are closed all the same
                failed.append(error)
    if failed:
        raise failed[0]


# ---------------------------------------------------------------- in a row


def pipeline(*stages: tuple[str, Stage]) -> ClosingPlanner:
    """A planner of named stages, each given what the one before made.

    The first stage gets the `PlanInput`; the first that yields a Candidate is the
    planner; later ones may change the candidate. The first failure ends the attempt.
    `Instrument.stage` wraps each stage once a turn.

    Raises:
        ConfigError: No stage, a name that is none or not unique, a stage not callable.
    """
    if not stages:
        raise ConfigError("stages", "must be at least one")
    names: list[str] = []
    for pair in stages:
        if not isinstance(pair, tuple) or len(pair) != 2:  # noqa: PLR2004  name and stage
            raise ConfigError("stages", "must be pairs of a name and a stage")
        name, stage = pair
        if not isinstance(name, str) or not name.strip() or name in names:
            raise ConfigError("stages", f"{name!r} is no name of its own")
        _check_planner(f"stages.{name}", stage)
        names.append(name)
    return _Pipeline(stages)


class _Pipeline:
    def __init__(self, stages: tuple[tuple[str, Stage], ...]) -> None:
        self._stages = stages
        self._wrapped: dict[int, tuple[ref[TurnContext], tuple[Stage, ...]]] = {}

    async def __call__(
        self, plan_input: PlanInput, context: TurnContext, /
    ) -> Result[Candidate, EngineError]:
        value: Any = plan_input
        for stage in self._stages_of(context):
            outcome = await stage(value, context)
            if not is_successful(outcome):
                return Failure(outcome.failure())
            value = outcome.unwrap()
        if not isinstance(value, Candidate):
            words = "the last stage gave no candidate"
            return Failure(InternalError(self._stages[-1][0], words))
        return Success(value)

    async def aclose(self) -> None:
        await _close(*(stage for _, stage in self._stages))

    def _stages_of(self, context: TurnContext) -> tuple[Stage, ...]:
        key = id(context)
        held = self._wrapped.get(key)
        if held is not None and held[0]() is context:
            return held[1]
        wrapped = tuple(
            context.instrument.stage(name, stage) for name, stage in self._stages
        )
        self._wrapped[key] = (ref(context, lambda _: self._forget(key)), wrapped)
        return wrapped

    def _forget(self, key: int) -> None:
        self._wrapped.pop(key, None)


# ---------------------------------------------------------------- again


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
        return min(first * 2 ** min(number - 1, 64), most)

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
    _check_planner("planner", planner)
    if not isinstance(plan, RetryPlan):
        raise ConfigError("plan", "must be a RetryPlan")
    attempts = plan.attempts
    if not isinstance(attempts, int) or isinstance(attempts, bool) or attempts < 1:
        raise ConfigError("plan.attempts", "must be an integer, at least 1")
    for name, function in (("wait", plan.wait), ("on", plan.on)):
        if not callable(function):
            raise ConfigError(f"plan.{name}", "must be a function")
    if not callable(jitter):
        raise ConfigError("jitter", "must be a function")
    return _Retrying(planner, plan, jitter)


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
        await _close(self.planner)

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


# ---------------------------------------------------------------- instead

_FINAL: Final = (AbortedError, ValidationError)
"""Another planner would be stopped by the same: the caller, or the app's customizer."""


def with_fallback(
    primary: Planner, secondary: Planner, *others: Planner
) -> ClosingPlanner:
    """The first planner that does not fail; the last one's error where all do.

    An AbortedError or a ValidationError is final.

    Raises:
        ConfigError: A planner is not callable.
    """
    planners = (primary, secondary, *others)
    for number, planner in enumerate(planners, start=1):
        _check_planner(f"planner {number}", planner)
    return _Fallback(planners)


@frozen
class _Fallback:
    planners: tuple[Planner, ...]

    async def __call__(
        self, plan_input: PlanInput, context: TurnContext, /
    ) -> Result[Candidate, EngineError]:
        *firsts, last = self.planners
        for planner in firsts:
            result = await planner(plan_input, context)
            if is_successful(result) or isinstance(result.failure(), _FINAL):
                return result
            extra = {"error.type": type(result.failure()).__name__}
            context.logger.warning("maelstrom.planner.fell_back", extra=extra)
        return await last(plan_input, context)

    async def aclose(self) -> None:
        await _close(*self.planners)


# ---------------------------------------------------------------- by the reason


def route(*, is_resize_only: Planner, otherwise: Planner) -> ClosingPlanner:
    """One planner for turns that only a resize of the chart caused, one for the others.

    Raises:
        ConfigError: A planner is not callable.
    """
    _check_planner("is_resize_only", is_resize_only)
    _check_planner("otherwise", otherwise)
    return _Route(is_resize_only, otherwise)


@frozen
class _Route:
    resized: Planner
    otherwise: Planner

    async def __call__(
        self, plan_input: PlanInput, context: TurnContext, /
    ) -> Result[Candidate, EngineError]:
        planner = (
            self.resized if _is_resize_only(plan_input.request) else self.otherwise
        )
        return await planner(plan_input, context)

    async def aclose(self) -> None:
        await _close(self.resized, self.otherwise)
