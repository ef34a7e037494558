"""What healing found: one record a piece, and the result that they leave.

These records stay inside the engine: they feed the retry decision, the diagnostics,
the logs and the instrument, and are not part of the response. Reasons are named in
`maelstrom.core.reasons`. `path` is where the piece stood in the candidate as given.
"""

from typing import Literal, TypeAlias

from attrs import frozen

from maelstrom.core.json_value import Path
from maelstrom.core.layout import Layout
from maelstrom.core.request import Instance
from maelstrom.core.response import ActionExecution

__all__ = [
    "Drop",
    "Feedback",
    "FeedbackItem",
    "Healed",
    "Repair",
    "RetryAdvised",
    "Severity",
    "Skip",
    "Warning",
]

Severity: TypeAlias = Literal["none", "low", "medium", "unrecoverable"]


@frozen
class Drop:
    """A layout piece that is gone; ``instance_id`` is None for splits and slots."""

    reason: str
    path: Path
    instance_id: str | None = None


@frozen
class Skip:
    """A plan entry that is gone; ``detail`` is the schema keyword that failed, say."""

    reason: str
    index: int
    instance_id: str | None = None
    action: str | None = None
    detail: str | None = None


@frozen
class Repair:
    """A piece that stayed, changed; ``lossless`` where its meaning is unchanged."""

    reason: str
    path: Path
    instance_id: str | None = None
    lossless: bool = True


@frozen
class Warning:  # noqa: A001  the word of the protocol; nothing here uses the builtin
    """Something missing that costs no piece."""

    reason: str
    path: Path


@frozen
class Healed:
    """A candidate made coherent, and all that it took.

    ``new_instances`` are as declared, in the order of the layout.
    """

    layout: Layout
    plan: tuple[ActionExecution, ...]
    new_instances: tuple[Instance, ...] = ()
    drops: tuple[Drop, ...] = ()
    skips: tuple[Skip, ...] = ()
    repairs: tuple[Repair, ...] = ()
    warnings: tuple[Warning, ...] = ()
    severity: Severity = "none"
    retry: bool = False


@frozen
class FeedbackItem:
    """One thing that was wrong with the attempt before; texts are escaped and cut."""

    reason: str
    instance_id: str | None = None
    action: str | None = None
    detail: str | None = None


@frozen
class Feedback:
    """What the next attempt is told: its number, and at most 20 distinct faults."""

    attempt: int
    items: tuple[FeedbackItem, ...]


@frozen
class RetryAdvised:
    """The user would see a no-op: another attempt is worth its wait."""

    healed: Healed
    severity: Severity
    feedback: tuple[FeedbackItem, ...]
