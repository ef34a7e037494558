"""A logger, an instrument and an observer that remember what they were told."""

from collections.abc import Mapping

from attrs import field, frozen

from maelstrom.core.diagnostics import Diagnostics
from maelstrom.effects.ports import Attributes, Stage

__all__ = ["LogRecord", "RecordingInstrument", "RecordingLogger", "RecordingObserver"]


@frozen
class LogRecord:
    """One line of a log."""

    level: str
    message: str
    extra: Mapping[str, object] = field(factory=dict)


class RecordingLogger:
    """A `Logger` whose lines stand in ``records``.

    >>> logger = RecordingLogger()
    >>> logger.info("hello", extra={"to": "you"})
    >>> logger.records
    [LogRecord(level='info', message='hello', extra={'to': 'you'})]
    """

    def __init__(self) -> None:
        self.records: list[LogRecord] = []

    def messages(self, level: str | None = None) -> list[str]:
        """The messages of a level, or all of them, in order."""
        return [
            record.message
            for record in self.records
            if level is None or record.level == level
        ]

    def debug(self, message: str, *, extra: Mapping[str, object]) -> None:
        """Remember a line at debug."""
        self.records.append(LogRecord("debug", message, extra))

    def info(self, message: str, *, extra: Mapping[str, object]) -> None:
        """Remember a line at info."""
        self.records.append(LogRecord("info", message, extra))

    def warning(self, message: str, *, extra: Mapping[str, object]) -> None:
        """Remember a line at warning."""
        self.records.append(LogRecord("warning", message, extra))

    def error(self, message: str, *, extra: Mapping[str, object]) -> None:
        """Remember a line at error."""
        self.records.append(LogRecord("error", message, extra))


class RecordingInstrument:
    """An `Instrument` whose events stand in ``events``, its stages' names in ``stages``."""

    def __init__(self) -> None:
        self.events: list[tuple[str, Attributes]] = []
        self.stages: list[str] = []

    @property
    def names(self) -> list[str]:
        """The names of the events, in order."""
        return [name for name, _ in self.events]

    def stage(self, name: str, stage: Stage) -> Stage:
        """Remember the stage's name, and leave it as it is."""
        self.stages.append(name)
        return stage

    def event(self, name: str, attributes: Attributes) -> None:
        """Remember an event."""
        self.events.append((name, attributes))


class RecordingObserver:
    """An `Observer` whose diagnostics stand in ``turns``."""

    def __init__(self) -> None:
        self.turns: list[Diagnostics] = []

    def __call__(self, diagnostics: Diagnostics) -> None:
        """Remember a turn."""
        self.turns.append(diagnostics)
