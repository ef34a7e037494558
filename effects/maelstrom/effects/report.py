"""What is said about a turn, and to whom: logger, instrument and observer.

Events go to the instrument as they happen, and to the logger under the same name and
with the same attributes. The observer gets the diagnostics, whole, once the turn is
over. Content (prompts, user text, model text) goes to the logger alone, at debug, and
only where `log_content` says so; ids that a model made up are content too.

Names and attributes are `maelstrom.effects.telemetry`'s; that none of the three can
fail a turn is `maelstrom.effects.guard`'s.
"""

from maelstrom.core.diagnostics import Attempt, Diagnostics
from maelstrom.core.errors import EngineError, HistoryError, InternalError
from maelstrom.core.messages import EngineMessage
from maelstrom.core.request import UserIntent
from maelstrom.core.turn_events import (
    Command,
    Event,
    Finish,
    HistoryFailed,
    Plan,
    Planned,
    RecordFailed,
)
from maelstrom.core.turn_state import State
from maelstrom.effects import telemetry
from maelstrom.effects.guard import Guard, GuardedInstrument, GuardedLogger
from maelstrom.effects.ports import Attributes, Clock, Instrument, Logger, Observer

__all__ = ["Report"]


class Report:
    """What is said about one turn. Its ``logger`` and ``instrument`` are the planner's."""

    def __init__(
        self,
        logger: Logger,
        instrument: Instrument,
        observer: Observer | None,
        *,
        log_content: bool,
    ) -> None:
        self.guard = Guard(logger)
        self.logger = GuardedLogger(self.guard)
        self.instrument = GuardedInstrument(instrument, self.guard)
        self._observer = observer
        self._log_content = log_content
        self._ids: Attributes = {}

    def started(self, message: EngineMessage | None) -> None:
        """The turn has begun; None where the message could not be decoded."""
        self._ids = telemetry.ids_of(message)
        if message is None:
            return
        self._say("debug", telemetry.TURN_STARTED, telemetry.started(message))
        for reason in message.payload.context.update_reasons:
            if isinstance(reason, UserIntent):
                self._content("intent", reason.intent)

    def waited(self, milliseconds: int) -> None:
        """The session is held, after so long."""
        attributes = {"maelstrom.milliseconds": milliseconds}
        self._say("debug", telemetry.LOCK_WAITED, attributes)

    def advanced(self, event: Event, state: State, command: Command) -> None:
        """The loop took an event, and gave the next command."""
        if isinstance(event, HistoryFailed | RecordFailed):
            self._history_failed(event.error, command)
        if isinstance(event, Planned) and state.attempts:
            self._attempted(state.attempts[-1])
        if isinstance(command, Plan) and command.attempt > 1:
            attributes = {"maelstrom.attempt": command.attempt}
            self._say("info", telemetry.TURN_RETRIED, attributes)

    def finished(self, diagnostics: Diagnostics) -> None:
        """The turn is over, and its session given back."""
        error = diagnostics.error
        if error is not None and diagnostics.message is None:
            self._ids = telemetry.ids_in(error)
        level = _level(error)
        self._say(level, telemetry.TURN_FINISHED, telemetry.finished(diagnostics))
        if self._observer is not None:
            self.guard.call("on_turn", self._observer, diagnostics)

    def cancelled(self) -> None:
        """The caller's task was cancelled: nobody waits for what is kept."""
        self._say("info", telemetry.TURN_FINISHED, {"error.type": "cancelled"})
        self.guard.discard()

    async def flush(self, clock: Clock) -> None:
        """Await what of all this is to be awaited."""
        await self.guard.flush(clock)

    def _attempted(self, attempt: Attempt) -> None:
        healed = attempt.healed
        if healed is None:
            return
        attributes = telemetry.healed(attempt.number, healed)
        self._say("info", telemetry.TURN_HEALED, attributes)
        for drop in healed.drops:
            path = ".".join(map(str, drop.path))
            where = {"maelstrom.reason": drop.reason, "maelstrom.path": path}
            self._log("info", "maelstrom.heal.dropped", where)
        if attempt.candidate is not None:
            self._content("userMessage", attempt.candidate.user_message)
            self._content("rationale", attempt.candidate.rationale)

    def _history_failed(self, error: HistoryError, command: Command) -> None:
        goes_on = not isinstance(command, Finish)
        level = "warning" if goes_on else "error"
        self._say(level, telemetry.HISTORY_FAILED, telemetry.history_failed(error))

    def _say(self, level: str, name: str, attributes: Attributes) -> None:
        whole = {**self._ids, **attributes}
        self.guard.log(level, name, whole)
        self.instrument.event(name, whole)

    def _log(self, level: str, name: str, attributes: Attributes) -> None:
        self.guard.log(level, name, {**self._ids, **attributes})

    def _content(self, what: str, text: str) -> None:
        if self._log_content:
            content = {"maelstrom.what": what, "maelstrom.text": text}
            self._log("debug", "maelstrom.content", content)


def _level(error: EngineError | None) -> str:
    if error is None:
        return "info"
    return "error" if isinstance(error, InternalError) else "warning"
