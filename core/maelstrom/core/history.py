"""Turns that were recorded, and the window of them that reaches the prompt.

A turn holds the healed answer, never raw model text. Only finished, successful turns
are recorded: a failed turn leaves nothing behind.
"""

from typing import Final

from attrs import frozen

from maelstrom.core.healed import Severity
from maelstrom.core.layout import Layout, LayoutMode
from maelstrom.core.request import Dimensions, Instance, UpdateReason
from maelstrom.core.response import ActionExecution

__all__ = ["SCHEMA_VERSION", "After", "Loaded", "Turn"]

SCHEMA_VERSION: Final = 1
"""The version that this release writes; a newer one is refused by name."""


@frozen
class After:
    """The chart once a client has applied the turn's answer."""

    instances: tuple[Instance, ...]
    dimensions: Dimensions
    layout_mode: LayoutMode


@frozen(kw_only=True)
class Turn:
    """One finished turn of a session.

    ``seq`` counts the session's turns from 1 and survives trimming. ``digest`` is the
    SHA-256 of the request's canonical JSON, in hex. ``timestamp`` (milliseconds since
    the Unix epoch) is the output's, so that a replay is equal to the byte.
    """

    schema: int = SCHEMA_VERSION
    seq: int
    request_id: str
    digest: str
    timestamp: int
    reasons: tuple[UpdateReason, ...]
    user_message: str
    rationale: str
    execution_plan: tuple[ActionExecution, ...]
    layout: Layout
    after: After
    severity: Severity
    attempts: int


@frozen
class Loaded:
    """What a store holds of a session: its newest turns, oldest first.

    ``seq`` is the sequence number of the newest turn ever recorded, 0 where none was.
    """

    turns: tuple[Turn, ...] = ()
    seq: int = 0
