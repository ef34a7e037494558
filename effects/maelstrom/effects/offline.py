"""Planners that ask no model: the last resort, and the script of a test."""

from collections.abc import Callable, Iterable
from inspect import isawaitable
from types import MappingProxyType
from typing import Final, TypeAlias, TypeVar, cast

from returns.result import Failure, Result, Success

from maelstrom.core.candidate import Candidate
from maelstrom.core.errors import EngineError, ProviderError
from maelstrom.core.plan_input import PlanInput
from maelstrom.core.policy import HealPolicy
from maelstrom.core.reflow import reflow
from maelstrom.core.wire import encode_layout
from maelstrom.effects.config_error import misfit
from maelstrom.effects.configuration import check
from maelstrom.effects.ports import Planner, TurnContext

__all__ = [
    "Reply",
    "ScriptedPlanner",
    "as_replies",
    "reflow_planner",
    "scripted_planner",
]

T = TypeVar("T")

_REFLOWED: Final = "I fitted everything to the space there is."
_RATIONALE: Final = "The layout was made to fit the chart, without a model."
_REFERENCE: Final = HealPolicy.reference()
_NAMES: Final = MappingProxyType({"fallback_message": "message", "heal": "policy"})


def reflow_planner(
    *, message: str = _REFLOWED, policy: HealPolicy = _REFERENCE
) -> Planner:
    """A planner that makes the current layout fit the chart: no tokens, no wait.

    It reflows whatever the reason is; `route(is_resize_only=reflow_planner(), ...)`
    gives it the turns that are its own.

    Args:
        message: What the user is told.
        policy: The engine's `heal`, where that is another than the reference.

    Raises:
        ConfigError: The message is blank.
    """
    check({"fallback_message": message, "heal": policy}, said_as=_NAMES)

    async def plan(
        plan_input: PlanInput,
        context: TurnContext,  # noqa: ARG001  the shape of a planner
    ) -> Result[Candidate, EngineError]:
        layout = reflow(plan_input.request, policy, plan_input.limits)
        return Success(Candidate(_RATIONALE, (), encode_layout(layout), message))

    return plan


Reply: TypeAlias = (
    Candidate
    | EngineError
    | BaseException
    | Result[Candidate, EngineError]
    | Callable[[PlanInput, TurnContext], object]
)
"""A candidate or an error to answer with, an exception to raise, or a planner to be."""


class ScriptedPlanner:
    """A planner that follows a script, and remembers what it was asked.

    ``asked`` holds the `PlanInput` of each attempt so far, in order.
    """

    def __init__(self, replies: Iterable[Reply]) -> None:
        self.asked: list[PlanInput] = []
        self._replies = as_replies(replies)

    async def __call__(
        self, plan_input: PlanInput, context: TurnContext
    ) -> Result[Candidate, EngineError]:
        """The next reply; `unavailable` once there is none left."""
        self.asked.append(plan_input)
        if not self._replies:
            words = "the script has no more replies"
            return Failure(ProviderError("unavailable", "scripted", words))
        reply: object = self._replies.pop(0)
        if callable(reply):
            reply = reply(plan_input, context)
        if isawaitable(reply):
            reply = await reply
        return _answer(reply)


def as_replies(replies: Iterable[T]) -> list[T]:
    """The replies of a script; raises ConfigError for one that stands alone."""
    if isinstance(replies, str | bytes) or not isinstance(replies, Iterable):
        raise misfit("replies", "a list of replies", replies)
    return list(replies)


def scripted_planner(replies: Iterable[Reply]) -> ScriptedPlanner:
    """A planner for tests, which gives these replies in turn.

    Args:
        replies: Candidates and errors to answer with, exceptions to raise, or planners
            to be for one attempt.

    Raises:
        ConfigError: ``replies`` is no list, but a single one, say.
    """
    return ScriptedPlanner(replies)


def _answer(reply: object) -> Result[Candidate, EngineError]:
    if isinstance(reply, BaseException):
        raise reply
    if isinstance(reply, Candidate):
        return Success(reply)
    if isinstance(reply, Result):
        return reply
    return Failure(cast("EngineError", reply))  # or a fault, which is then wanted
