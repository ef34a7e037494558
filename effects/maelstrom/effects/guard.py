"""Calls to the app's own logger, instrument and observer, which may not fail a turn.

Theory of operation: each call goes through a `Guard`. What it raises is logged, or
swallowed where it was the logger that raised. What it returns may have to be awaited
(all three may be async), and the caller may not be able to: so it is kept, and awaited
in order by `flush`, after the session was given back. A turn that is cancelled closes
what was kept. Nothing is left running.
"""

import traceback
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from inspect import isawaitable, iscoroutine
from pathlib import Path
from typing import Any, Final

from returns.pipeline import is_successful
from returns.result import Result

from maelstrom.core.errors import EngineError
from maelstrom.effects.ports import (
    Attributes,
    Clock,
    Instrument,
    Logger,
    Stage,
    TurnContext,
)
from maelstrom.effects.within import within

__all__ = ["BrokenContractError", "Guard", "GuardedInstrument", "GuardedLogger"]

_PATIENCE: Final = 5.0
"""Seconds for all that is kept of one turn: a hanging observer hangs no caller."""


class BrokenContractError(TypeError):
    """An object of the app's does not do what its port asks; the words say what that is."""


class Guard:
    """Calls what may fail; keeps what is to be awaited."""

    def __init__(self, logger: Logger) -> None:
        self._logger = logger
        self._kept: list[tuple[str, Awaitable[object]]] = []

    def call(self, who: str, function: Callable[..., object], *args: object) -> None:
        """Call, and keep what it returns if that is to be awaited."""
        try:
            self._keep(who, function(*args))
        except Exception as error:  # noqa: BLE001  a plug-in of the app's own
            self.failed(who, error)

    def log(self, level: str, message: str, extra: Mapping[str, object]) -> None:
        """Log; a logger that fails has nobody left to tell."""
        with suppress(Exception):
            self._keep("logger", getattr(self._logger, level)(message, extra=extra))

    def failed(self, who: str, error: BaseException) -> None:
        """Log an exception of a plug-in, with its trace."""
        trace = "".join(traceback.format_exception(error))
        if who != "logger":
            extra = {
                "maelstrom.stage": who,
                "error.type": type(error).__name__,
                "maelstrom.exception": trace,
            }
            ours = isinstance(error, BrokenContractError)
            words = str(error) if ours else f"{who} raised {_named(error)}"
            self.log("error", f"maelstrom: {words}", extra)

    async def flush(self, clock: Clock) -> None:
        """Await what was kept, in order, for a few seconds at most."""
        try:
            done = await within(clock, _PATIENCE, self._flush)
            if not is_successful(done):
                words = "maelstrom: telemetry took too long and was cut off"
                self.log("warning", words, {"maelstrom.seconds": _PATIENCE})
        finally:
            self.discard()

    def discard(self) -> None:
        """Close what was kept."""
        while self._kept:
            _, awaitable = self._kept.pop()
            if iscoroutine(awaitable):
                awaitable.close()

    async def _flush(self) -> None:
        while self._kept:
            who, awaitable = self._kept.pop(0)
            try:
                await awaitable
            except Exception as error:  # noqa: BLE001  a plug-in of the app's own
                self.failed(who, error)

    def _keep(self, who: str, outcome: object) -> None:
        if isawaitable(outcome):
            self._kept.append((who, outcome))


def _named(error: BaseException) -> str:
    """The type, and where it was raised; its message may hold what users wrote."""
    frames = traceback.extract_tb(error.__traceback__)
    at = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{at}"


class GuardedLogger:
    """The app's logger, as a planner may use it: sync, and never failing."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    def debug(self, message: str, *, extra: Mapping[str, object]) -> None:
        """For a developer who looks closely."""
        self._guard.log("debug", message, extra)

    def info(self, message: str, *, extra: Mapping[str, object]) -> None:
        """What happened as it should."""
        self._guard.log("info", message, extra)

    def warning(self, message: str, *, extra: Mapping[str, object]) -> None:
        """What went on with something missing."""
        self._guard.log("warning", message, extra)

    def error(self, message: str, *, extra: Mapping[str, object]) -> None:
        """What somebody should look at."""
        self._guard.log("error", message, extra)


class GuardedInstrument:
    """The app's instrument, as a planner may use it: sync, and never failing."""

    def __init__(self, instrument: Instrument, guard: Guard) -> None:
        self._instrument = instrument
        self._guard = guard

    def event(self, name: str, attributes: Attributes) -> None:
        """Something happened."""
        self._guard.call("instrument", self._instrument.event, name, attributes)

    def stage(self, name: str, stage: Stage) -> Stage:
        """Wrap a stage; where the wrapping fails, the stage runs as it is."""
        run = _Observed(stage)
        try:
            wrapped = self._instrument.stage(name, run)
        except Exception as error:  # noqa: BLE001  a plug-in of the app's own
            self._guard.failed("instrument", error)
            return stage

        async def guarded(value: Any, context: TurnContext) -> Result[Any, EngineError]:
            run.forget()
            try:
                outcome = await wrapped(value, context)
                if isinstance(outcome, Result):
                    return outcome
            except Exception as error:
                if error is run.raised:
                    raise
                self._guard.failed("instrument", error)
            if run.raised is not None:
                raise run.raised
            if run.outcome is not None:
                return run.outcome
            return await stage(value, context)

        return guarded


class _Observed:
    """A stage that remembers how it went, in case its wrapping does not."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.forget()

    def forget(self) -> None:
        self.raised: Exception | None = None
        self.outcome: Result[Any, EngineError] | None = None

    async def __call__(
        self, value: Any, context: TurnContext
    ) -> Result[Any, EngineError]:
        try:
            self.outcome = await self._stage(value, context)
        except Exception as error:
            self.raised = error
            raise
        return self.outcome
