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
from collections.abc import Mapping
from contextlib import AsyncExitStack
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
from maelstrom.core.turn_events import Command, Finish
from maelstrom.core.turn_state import State, finish
from maelstrom.effects.configuration import Configuration
from maelstrom.effects.interpreter import Interpreter
from maelstrom.effects.interrupt import Interrupt
from maelstrom.effects.ports import Signal
from maelstrom.effects.report import Report
from maelstrom.effects.sessions import Sessions
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
        owned: tuple[object, ...] = (),
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
            bug = InternalError("engine", "the engine failed: see the log")
            ended = Finish(Failure(bug), _nothing_but(bug, self._clock.now()))
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
            return loaded.map(_turns)
        except Exception as error:  # noqa: BLE001  a store of the app's own
            return Failure(await self._store_failed("get_history", error))

    async def delete_session(self, session_id: str) -> Result[None, EngineError]:
        """Forget a session, once no turn of it runs."""
        report = self._report()
        try:
            return await self._delete(session_id, report)
        except Exception as error:  # noqa: BLE001  a store or lock of the app's own
            report.guard.failed("delete", error)
            return Failure(InternalError("delete", "the engine failed: see the log"))
        finally:
            await report.flush(self._clock)

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
            for interrupt in self._running:
                interrupt.fire("shutdown")
            await self._drained()
            await self._close()

    def with_(self, **handlers: Any) -> "ReferenceEngine":
        """A copy with handlers swapped, which shares the sessions and owns nothing.

        Raises:
            ConfigError: A name that is no handler's, or not what a handler must be.
        """
        from maelstrom.effects.create import swapped

        return swapped(self._config, self._sessions, handlers)
