"""The reference engine: one turn is `handle`, everything else is around it.

Theory of operation: `handle` is a frame. It decodes (the loop's `start`), refuses what
cannot run here (another event loop, a signal that cannot be awaited, an engine that is
closing), has the `Interpreter` take the turn to its end, and reports. Every way out is
a Result; only asyncio.CancelledError passes, after everything was given back.

An engine owns what `create_engine` was given, and closes it once. Copies that `with_`
makes own nothing: they share the sessions, so that a copy and its origin never run two
turns of one session at a time.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from inspect import iscoroutinefunction
from math import isnan
from typing import Any, Final

from attrs import evolve
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.core.diagnostics import Diagnostics
from maelstrom.core.errors import (
    AbortedError,
    EngineError,
    HistoryError,
    InternalError,
)
from maelstrom.core.history import Turn
from maelstrom.core.messages import EngineMessage, EngineOutput
from maelstrom.core.turn import start
from maelstrom.core.turn_events import Finish
from maelstrom.core.turn_state import ending
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.configuration import HANDLERS, Configuration, check
from maelstrom.effects.interpreter import Interpreter
from maelstrom.effects.interrupt import Interrupt
from maelstrom.effects.ports import Resource, SessionLock, Signal
from maelstrom.effects.report import Report
from maelstrom.effects.sessions import InProcessLock, Sessions
from maelstrom.effects.within import within

__all__ = ["ReferenceEngine"]

_MOST_TURNS: Final = 1_000
"""The largest page of history: what a client can show at once, and far more."""

_PROBE_SECONDS: Final = 2.0
"""How long `ready` waits for a store: a probe is asked every few seconds."""


class ReferenceEngine:
    """What `maelstrom.effects.create_engine` returns: a `ManagedEngine`."""

    def __init__(
        self,
        configuration: Configuration,
        sessions: Sessions,
        owned: tuple[Resource, ...] = (),
    ) -> None:
        self._config = configuration
        self._clock = configuration.clock
        self._sessions = sessions
        self._owned = list(owned)
        self._running: set[Interrupt] = set()
        self._idle = asyncio.Event()
        self._closing = False
        self._closer = asyncio.Lock()

    async def handle(
        self,
        message: EngineMessage | Mapping[str, Any] | bytes | str,
        signal: Signal | None = None,
        timeout: float | None = None,  # noqa: ASYNC109  bounds the turn, lock included
    ) -> Result[EngineOutput, EngineError]:
        """Answer one message.

        Args:
            message: An EngineMessage, its JSON as a mapping, or its text.
            signal: The caller's wish to stop; `asyncio.Event` fits.
            timeout: Seconds for the whole turn, the wait for its session included;
                None for the engine's `turn_timeout`.

        Returns:
            The output, or the error, of the turn. Nothing is raised but
            asyncio.CancelledError, where the caller's task is cancelled.
        """
        report = self._report()
        try:
            ended = await self._turn(message, signal, timeout, report)
        except asyncio.CancelledError:
            report.cancelled()
            raise
        except Exception as error:  # noqa: BLE001  nothing else crosses the boundary
            report.guard.failed("engine", error)
            ended = _bug(self._clock.now())
        report.finished(ended.diagnostics)
        await report.flush(self._clock)
        return ended.result

    async def get_history(
        self, session_id: str, limit: int = 50
    ) -> Result[tuple[Turn, ...], HistoryError]:
        """The session's newest turns, oldest first, 1 to 1,000 of them.

        Empty for a session that is not known, and where no history is configured.
        """
        store = self._config.history
        if store is None:
            return Success(())
        try:
            loaded = await store.load(session_id, max(1, min(_MOST_TURNS, limit)))
            if is_successful(loaded):
                return Success(loaded.unwrap().turns)
            failure = loaded.failure()
        except Exception as error:  # noqa: BLE001  a store of the app's own
            failure = await self._store_failed("get_history", error)
        return Failure(evolve(failure, session_id=session_id))

    async def delete_session(self, session_id: str) -> Result[None, EngineError]:
        """Forget a session, once no turn of it runs."""
        report = self._report()
        deleted: Result[None, EngineError]
        try:
            deleted = await self._delete(session_id, report)
        except Exception as error:  # noqa: BLE001  a store or lock of the app's own
            report.guard.failed("delete", error)
            deleted = Failure(InternalError("delete", "the engine failed: see the log"))
        await report.flush(self._clock)
        if is_successful(deleted):
            return Success(None)
        return Failure(evolve(deleted.failure(), session_id=session_id))

    async def ready(self) -> bool:
        """Whether a turn could run now: not closing, and a required store answers."""
        store = self._config.history
        if self._closing or not self._sessions.at_home():
            return False
        if store is None or not self._config.settings.history_required:
            return True
        try:
            probe = await within(
                self._clock, _PROBE_SECONDS, lambda: store.load("maelstrom.ready", 1)
            )
        except Exception:  # noqa: BLE001  a store that raises is not ready
            return False
        return is_successful(probe) and is_successful(probe.unwrap())

    async def aclose(self, grace: float = 0) -> None:
        """Refuse new turns, let running ones finish for `grace` seconds, then close.

        Turns that still run then end in AbortedError(shutdown); one that is recording
        is waited for. What `create_engine` was given is closed, once.
        """
        self._closing = True
        async with self._closer:
            await within(self._clock, grace, self._drained)
            for interrupt in tuple(self._running):
                interrupt.fire("shutdown")
            await self._drained()
            await self._close()

    def with_(self, **handlers: Any) -> "ReferenceEngine":
        """A copy with handlers swapped, which shares the sessions and owns nothing.

        Raises:
            ConfigError: A name that is no handler's, or not what a handler must be.
        """
        for name in handlers:
            if name not in HANDLERS:
                raise ConfigError(name, "there is no such handler to swap")
        check(handlers)
        sessions = self._sessions
        if "lock" in handlers:
            sessions = sessions.with_lock(_lock(handlers.pop("lock")))
        settings = evolve(
            self._config.settings,
            history=handlers.get("history", self._config.history) is not None,
        )
        return ReferenceEngine(
            evolve(self._config, settings=settings, **handlers), sessions
        )

    def _report(self) -> Report:
        config = self._config
        return Report(
            config.logger,
            config.instrument,
            config.on_turn,
            log_content=config.log_content,
        )

    async def _turn(
        self,
        message: EngineMessage | Mapping[str, Any] | bytes | str,
        signal: Signal | None,
        seconds: float | None,
        report: Report,
    ) -> Finish:
        began = self._clock.monotonic()
        state, command = start(message, self._config.settings, self._clock.now())
        report.started(state.message)
        if isinstance(command, Finish):
            return command
        refusal = self._refusal(signal, seconds)
        if refusal is not None:
            return ending(state, self._clock.now(), Failure(refusal))
        allowed = self._config.turn_timeout if seconds is None else seconds
        interrupt = Interrupt(self._clock, began + allowed, signal, report.guard)
        async with self._present(interrupt):
            turn = Interpreter(self._config, self._sessions, interrupt, report)
            return await turn.run(state, command)

    def _refusal(
        self, signal: Signal | None, seconds: float | None
    ) -> EngineError | None:
        """Why a turn cannot run here at all, if it cannot."""
        if not self._sessions.at_home():
            words = (
                "the engine belongs to another event loop: make one inside each loop,"
                " or share it through SyncEngine"
            )
            return InternalError("loop", words)
        if self._closing:
            return AbortedError("shutdown", "the engine is closing")
        if signal is not None and not _is_signal(signal):
            return InternalError("signal", "a signal has is_set() and async wait()")
        if seconds is not None and not _is_number(seconds):
            return InternalError("timeout", "a timeout is a number of seconds")
        return None

    @asynccontextmanager
    async def _present(self, interrupt: Interrupt) -> AsyncIterator[None]:
        """Count a turn in, so that closing waits for it, or cuts it short."""
        self._running.add(interrupt)
        self._idle.clear()
        try:
            yield
        finally:
            self._running.remove(interrupt)
            if not self._running:
                self._idle.set()

    async def _drained(self) -> None:
        if self._running:
            await self._idle.wait()

    async def _close(self) -> None:
        report = self._report()
        while self._owned:
            resource = self._owned.pop(0)
            try:
                await resource.aclose()
            except Exception as error:  # noqa: BLE001  a plug-in of the app's own
                report.guard.failed("aclose", error)
        await report.flush(self._clock)

    async def _delete(
        self, session_id: str, report: Report
    ) -> Result[None, EngineError]:
        refusal = self._refusal(None, None)
        if refusal is not None:
            return Failure(refusal)
        interrupt = Interrupt(self._clock, None, None, report.guard)
        async with self._present(interrupt), AsyncExitStack() as held:
            lease = await interrupt.run(
                lambda: self._sessions.hold(
                    session_id,
                    held,
                    self._clock,
                    self._config.lock_timeout,
                    report.guard,
                )
            )
            if not is_successful(lease):
                return Failure(lease.failure())
            if not is_successful(lease.unwrap()):
                return Failure(lease.unwrap().failure())
            if self._config.history is None:
                return Success(None)
            return await self._config.history.delete(session_id)

    async def _store_failed(self, operation: str, error: Exception) -> HistoryError:
        report = self._report()
        report.guard.failed(operation, error)
        await report.flush(self._clock)
        return HistoryError("unavailable", operation, "the store failed: see the log")


def _lock(given: SessionLock | None) -> SessionLock:
    return InProcessLock() if given is None else given


def _is_signal(signal: object) -> bool:
    return callable(getattr(signal, "is_set", None)) and iscoroutinefunction(
        getattr(signal, "wait", None)
    )


def _is_number(seconds: object) -> bool:
    return isinstance(seconds, int | float) and not (
        isinstance(seconds, bool) or isnan(seconds)
    )


def _bug(at: int) -> Finish:
    error = InternalError("engine", "the engine failed: see the log")
    return Finish(Failure(error), Diagnostics(None, at, at, "failed", error=error))
