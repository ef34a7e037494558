"""What is said about a turn, and to whom: logger, instrument and observer.

Events go to the instrument as they happen, and to the logger under the same name and
with the same attributes. The observer gets the diagnostics, whole, once the turn is
over. Content (prompts, user text, model text) goes to the logger alone, at debug, and
only where `log_content` says so; ids that a model made up are content too.

Names and attributes are `maelstrom.effects.telemetry`'s; that none of the three can
fail a turn is `maelstrom.effects.guard`'s.
"""

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from returns.pipeline import is_successful

from maelstrom.core.completion import ModelCall
from maelstrom.core.diagnostics import Attempt, Diagnostics
from maelstrom.core.errors import (
    EngineError,
    HistoryError,
    InternalError,
    RequestValidationError,
)
from maelstrom.core.messages import EngineMessage
from maelstrom.core.request import UserIntent
from maelstrom.core.turn_events import (
    Command,
    Event,
    Finish,
    HistoryFailed,
    Plan,
    RecordFailed,
)
from maelstrom.core.turn_state import State
from maelstrom.effects import telemetry
from maelstrom.effects.guard import Guard, GuardedInstrument, GuardedLogger
from maelstrom.effects.ports import Attributes, Clock, Instrument, Logger, Observer

__all__ = ["Report"]
