"""Planners made of planners: in a row, instead, or by the reason for asking.

Theory of operation: a planner is any `async (PlanInput, TurnContext) -> Result`. Each
composition here is one too, and closes the planners it was given. Errors are values,
so falling back looks at the Result; what a planner raises passes through, and is the
engine's to turn into InternalError.

Warts: an instrument wraps each stage of a pipeline once a turn, and a pipeline runs
once an attempt; so the wrapped stages are kept as long as the turn's context lives.
"""

from typing import Any, Final
from weakref import ref

from attrs import frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.core.candidate import Candidate
from maelstrom.core.errors import (
    AbortedError,
    EngineError,
    InternalError,
    ValidationError,
)
from maelstrom.core.plan_input import PlanInput
from maelstrom.core.resize import is_resize_only as _is_resize_only
from maelstrom.effects.closing import ClosingPlanner, check_planner, close_planners
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.ports import Planner, Stage, TurnContext
from maelstrom.effects.telemetry import error_attributes

__all__ = ["pipeline", "route", "with_fallback"]


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
    names: list[object] = []
    for pair in stages:
        name, stage = _pair(pair)
        if name in names:
            raise ConfigError("stages", f"two are named {name!r}")
        check_planner(f"stages.{name}", stage)
        names.append(name)
    return _Pipeline(stages)


def _pair(pair: object) -> tuple[str, object]:
    match pair:
        case (str() as name, stage) if name.strip():
            return name, stage
    raise ConfigError("stages", "must be pairs of a name and a stage")


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
        await close_planners(*(stage for _, stage in self._stages))

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


# ---------------------------------------------------------------- instead

_FINAL: Final = (AbortedError, ValidationError)
"""Another planner would be stopped by the same: the caller, or the app's customizer."""


def with_fallback(
    primary: Planner, secondary: Planner, *others: Planner
) -> ClosingPlanner:
    """The first planner that does not fail; the last one's error where all do.

    An AbortedError or a ValidationError is final. What a planner or a model adapter
    raises is a bug that ends the turn in InternalError: they are to return errors.

    Raises:
        ConfigError: A planner is not callable.
    """
    planners = (primary, secondary, *others)
    for number, planner in enumerate(planners, start=1):
        check_planner(f"planner {number}", planner)
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
            extra = error_attributes(result.failure())
            context.logger.warning("maelstrom.planner.fell_back", extra=extra)
        return await last(plan_input, context)

    async def aclose(self) -> None:
        await close_planners(*self.planners)


# ---------------------------------------------------------------- by the reason


def route(*, is_resize_only: Planner, otherwise: Planner) -> ClosingPlanner:
    """One planner for turns that only a resize of the chart caused, one for the others.

    Raises:
        ConfigError: A planner is not callable.
    """
    check_planner("is_resize_only", is_resize_only)
    check_planner("otherwise", otherwise)
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
        await close_planners(self.resized, self.otherwise)
