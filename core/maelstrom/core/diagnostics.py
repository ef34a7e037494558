"""All that is known of a turn, for the app's own eyes: never on the wire by itself."""

from typing import Literal, TypeAlias

from attrs import field, frozen

from maelstrom.core.candidate import Candidate
from maelstrom.core.completion import ModelCall
from maelstrom.core.errors import EngineError
from maelstrom.core.healed import Healed
from maelstrom.core.limits import Limits
from maelstrom.core.messages import EngineMessage, EngineOutput
from maelstrom.core.policy import HealPolicy

__all__ = ["Attempt", "Decision", "Diagnostics"]

Decision: TypeAlias = Literal["served", "reflowed", "replayed", "failed"]
"""How a turn ended.

``served`` is the healed answer of an attempt; ``reflowed`` the chart as it was, made to
fit, since nothing was recoverable; ``replayed`` the recorded output of an earlier turn
with this id; ``failed`` an error.
"""


@frozen
class Attempt:
    """One attempt: what was called, what came of it."""

    number: int
    calls: tuple[ModelCall, ...] = ()
    candidate: Candidate | None = None
    healed: Healed | None = None
    error: EngineError | None = None


@frozen
class Diagnostics:
    """A finished turn; ``served`` is the number of the attempt that the answer rests on.

    Times are milliseconds since the Unix epoch. ``message`` is None where it could not
    be decoded. ``heal`` and ``limits`` are what the turn was decided under: with them
    it can be run again.
    """

    message: EngineMessage | None
    started: int
    finished: int
    decision: Decision
    attempts: tuple[Attempt, ...] = ()
    served: int | None = None
    output: EngineOutput | None = None
    error: EngineError | None = None
    notes: tuple[str, ...] = ()
    heal: HealPolicy = field(factory=HealPolicy, kw_only=True)
    limits: Limits = field(factory=Limits, kw_only=True)
