"""What the loop of a turn asks for, what it is told, and how it is set.

A `Command` is an imperative: the interpreter performs it and answers with one `Event`,
in the past tense. Each event carries ``at``, milliseconds since the Unix epoch: the
loop itself knows no clock.
"""

from typing import TypeAlias

from attrs import field, frozen
from returns.result import Result

from maelstrom.core.candidate import Candidate
from maelstrom.core.completion import ModelCall
from maelstrom.core.diagnostics import Diagnostics
from maelstrom.core.errors import (
    AbortedError,
    EngineError,
    HistoryError,
    SessionBusyError,
)
from maelstrom.core.healed import Feedback
from maelstrom.core.history import Turn
from maelstrom.core.limits import Limits
from maelstrom.core.messages import EngineMessage, EngineOutput
from maelstrom.core.policy import HealPolicy
from maelstrom.core.request import ChartRequest
from maelstrom.core.retry import OnUnrecoverable, RetryPolicy

__all__ = [
    "FALLBACK_MESSAGE",
    "Aborted",
    "Command",
    "Crashed",
    "Event",
    "Finish",
    "HistoryFailed",
    "HistoryLoaded",
    "HoldSession",
    "LoadHistory",
    "Plan",
    "PlanFailed",
    "Planned",
    "RecordFailed",
    "RecordTurn",
    "SessionHeld",
    "SessionRefused",
    "TurnRecorded",
    "TurnSettings",
]

FALLBACK_MESSAGE = (
    "I could not arrange that, so I left things as they were. Please try it again, "
    "perhaps in other words."
)
"""Said where the chart was reflowed: the model's own message claims what never was."""


@frozen(kw_only=True)
class TurnSettings:
    """How turns are decided; part of the engine's configuration.

    ``history`` says whether a store is configured at all. The window that reaches the
    prompt is bounded by ``history_turns`` and ``history_chars`` (characters).
    """

    retry: RetryPolicy = field(factory=RetryPolicy)
    heal: HealPolicy = field(factory=HealPolicy)
    limits: Limits = field(factory=Limits)
    on_unrecoverable: OnUnrecoverable = "reflow"
    fallback_message: str = FALLBACK_MESSAGE
    history: bool = False
    history_required: bool = False
    history_turns: int = 10
    history_chars: int = 24_000


@frozen
class HoldSession:
    """Wait for the session, and hold it until the turn is finished."""

    session_id: str


@frozen
class LoadHistory:
    """Look for a turn with this id; where there is none, load the newest ``limit``."""

    session_id: str
    request_id: str
    limit: int


@frozen
class Plan:
    """Ask the planner; ``attempt`` counts from 1, ``feedback`` is set from 2 on."""

    message: EngineMessage
    history: tuple[Turn, ...]
    attempt: int
    feedback: Feedback | None = None

    @property
    def request(self) -> ChartRequest:
        """The request of the message."""
        return self.message.payload


@frozen
class RecordTurn:
    """Append the turn, if the session still stands at ``expected_seq``."""

    session_id: str
    turn: Turn
    expected_seq: int


@frozen
class Finish:
    """The turn is over: what the caller gets, and all that is known of it."""

    result: Result[EngineOutput, EngineError]
    diagnostics: Diagnostics


Command: TypeAlias = HoldSession | LoadHistory | Plan | RecordTurn | Finish


@frozen
class SessionHeld:
    """The session is ours."""

    at: int


@frozen
class SessionRefused:
    """Too many wait for the session, or it was not had in time."""

    error: SessionBusyError
    at: int


@frozen
class HistoryLoaded:
    """What the store holds: the turn with the message's id, if there is one.

    ``window`` holds the newest turns, oldest first, ``seq`` the number of the newest
    turn that was ever recorded.
    """

    found: Turn | None
    window: tuple[Turn, ...]
    seq: int
    at: int


@frozen
class HistoryFailed:
    """The history could not be read."""

    error: HistoryError
    at: int


@frozen
class Planned:
    """The planner proposed this; ``calls`` are the model calls that it took."""

    candidate: Candidate
    calls: tuple[ModelCall, ...]
    at: int


@frozen
class PlanFailed:
    """The planner answered with an error."""

    error: EngineError
    calls: tuple[ModelCall, ...]
    at: int


@frozen
class TurnRecorded:
    """The turn is in the store."""

    at: int


@frozen
class RecordFailed:
    """The turn is not in the store."""

    error: HistoryError
    at: int


@frozen
class Aborted:
    """The caller's signal, the turn's deadline or the engine's closing cut in."""

    error: AbortedError
    at: int
    calls: tuple[ModelCall, ...] = field(default=(), kw_only=True)


@frozen
class Crashed:
    """A plug-in raised; ``stage`` says which: lock, load, plan or record."""

    stage: str
    at: int
    calls: tuple[ModelCall, ...] = field(default=(), kw_only=True)


Event: TypeAlias = (
    SessionHeld
    | SessionRefused
    | HistoryLoaded
    | HistoryFailed
    | Planned
    | PlanFailed
    | TurnRecorded
    | RecordFailed
    | Aborted
    | Crashed
)
