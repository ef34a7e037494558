"""What a planner is given to plan one attempt."""

from attrs import field, frozen

from maelstrom.core.healed import Feedback
from maelstrom.core.history import Turn
from maelstrom.core.limits import Limits
from maelstrom.core.messages import EngineMessage
from maelstrom.core.request import ChartRequest

__all__ = ["PlanInput"]


@frozen
class PlanInput:
    """One attempt's input.

    ``local_time`` is the message's time in its zone, in words ("Thursday, 2026-01-01
    09:00 (Europe/Oslo)"), None where its timestamp is no date. ``history`` is the
    window, oldest first. ``attempt`` counts from 1; ``feedback`` is set from 2 on.
    ``limits`` are the engine's: they bound the prompt and the answer.
    """

    message: EngineMessage
    local_time: str | None = None
    history: tuple[Turn, ...] = ()
    attempt: int = 1
    feedback: Feedback | None = None
    limits: Limits = field(factory=Limits)

    @property
    def request(self) -> ChartRequest:
        """The request of the message."""
        return self.message.payload
