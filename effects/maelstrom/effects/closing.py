"""What all planners made of planners share: checking them, and closing them."""

from collections.abc import Awaitable
from typing import Final, Protocol

from returns.result import Result

from maelstrom.core.candidate import Candidate
from maelstrom.core.errors import EngineError
from maelstrom.core.plan_input import PlanInput
from maelstrom.effects.arity import takes
from maelstrom.effects.config_error import misfit
from maelstrom.effects.ports import TurnContext

__all__ = ["PLANNER", "ClosingPlanner", "check_planner", "close_planners", "is_planner"]

PLANNER: Final = (
    "an async function of PlanInput and TurnContext, as keyword_planner() gives one"
)


class ClosingPlanner(Protocol):
    """A planner that closes what it holds."""

    def __call__(
        self, plan_input: PlanInput, context: TurnContext, /
    ) -> Awaitable[Result[Candidate, EngineError]]:
        """Plan one attempt."""
        ...

    async def aclose(self) -> None:
        """Close what is open."""
        ...


def check_planner(name: str, planner: object) -> None:
    """Raise ConfigError, naming the argument, where it is no planner."""
    if not is_planner(planner):
        raise misfit(name, PLANNER, planner)


def is_planner(value: object) -> bool:
    """Whether it can be called with two arguments, as far as can be told."""
    return takes(value, 2)


async def close_planners(*planners: object) -> None:
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
