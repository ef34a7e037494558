"""Performs what the loop of a turn asks for, and tells it what became of it.

Theory of operation: `run` takes a turn from its first command to Finish, in the
caller's own task. Each command becomes one effect, and each effect ends in one event:
what a plug-in raises is logged and becomes `Crashed`. Everything but the recording can
be cut short (`maelstrom.effects.interrupt`). Recording runs in a task of its own, and
is waited for whatever happens. What was had for the turn (its place in the queue, the
session) is on an exit stack, and given back wherever a cut falls.

asyncio.CancelledError, and other exceptions that end a program, pass.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from inspect import isawaitable
from typing import TypeVar, assert_never, get_args

from returns.pipeline import is_successful
from returns.result import Failure, Result

from maelstrom.core.candidate import Candidate
from maelstrom.core.completion import ModelCall
from maelstrom.core.errors import EngineError, HistoryError, InternalError
from maelstrom.core.plan_input import PlanInput
from maelstrom.core.turn import advance
from maelstrom.core.turn_events import (
    Aborted,
    Command,
    Crashed,
    Event,
    Finish,
    HistoryFailed,
    HistoryLoaded,
    HoldSession,
    LoadHistory,
    Plan,
    PlanFailed,
    Planned,
    RecordFailed,
    RecordTurn,
    SessionHeld,
    SessionRefused,
    TurnRecorded,
)
from maelstrom.core.turn_state import State, finish
from maelstrom.effects.configuration import Configuration
from maelstrom.effects.guard import BrokenContractError
from maelstrom.effects.interrupt import Interrupt
from maelstrom.effects.local_time import local_time
from maelstrom.effects.patience import patiently
from maelstrom.effects.ports import HistoryStore, Lease, TurnContext
from maelstrom.effects.report import Report
from maelstrom.effects.sessions import Sessions
from maelstrom.effects.settled import settled

__all__ = ["Interpreter"]

_T = TypeVar("_T")

_ERRORS = get_args(EngineError)


class Interpreter:
    """One turn's effects."""

    def __init__(
        self,
        configuration: Configuration,
        sessions: Sessions,
        interrupt: Interrupt,
        report: Report,
    ) -> None:
        self._config = configuration
        self._clock = configuration.clock
        self._sessions = sessions
        self._interrupt = interrupt
        self._report = report
        self._held = AsyncExitStack()
        self._lease: Lease | None = None
        self._calls: list[ModelCall] = []
        self._context: TurnContext | None = None

    async def run(self, state: State, command: Command) -> Finish:
        """Take a turn to its end; the session is given back by then."""
        async with self._held, self._interrupt.watching():
            while not isinstance(command, Finish):
                event = await self._perform(command)
                state, command = self._advance(state, event)
                self._report.advanced(event, state, command)
            self._check_lease()
        return command

    def _advance(self, state: State, event: Event) -> tuple[State, Command]:
        try:
            return advance(state, event)
        except Exception as error:  # noqa: BLE001  a bug of ours ends this turn alone
            self._report.guard.failed("turn", error)
            bug = InternalError("turn", "the turn could not go on: see the log")
            return finish(state, event.at, Failure(bug))

    async def _perform(self, command: Command) -> Event:
        match command:
            case HoldSession():
                return await self._cuttable("lock", lambda: self._hold(command))
            case LoadHistory():
                return await self._cuttable("load", lambda: self._load(command))
            case Plan():
                return await self._cuttable("plan", lambda: self._plan(command))
            case RecordTurn():
                return await self._record(command)
            case Finish():
                return Crashed("turn", self._clock.now())
            case _:
                assert_never(command)

    async def _cuttable(
        self, stage: str, work: Callable[[], Awaitable[Event]]
    ) -> Event:
        """An effect that may be cut short; whatever it raises becomes `Crashed`."""
        self._calls = []
        outcome = await self._interrupt.run(lambda: self._caught(stage, work))
        if is_successful(outcome):
            return outcome.unwrap()
        calls = tuple(self._calls)
        return Aborted(outcome.failure(), self._clock.now(), calls=calls)

    async def _caught(self, stage: str, work: Callable[[], Awaitable[Event]]) -> Event:
        try:
            return await work()
        except Exception as error:  # noqa: BLE001  a plug-in of the app's own
            self._report.guard.failed(stage, error)
            return Crashed(stage, self._clock.now(), calls=tuple(self._calls))

    async def _hold(self, command: HoldSession) -> Event:
        began = self._clock.monotonic()
        lease = await self._sessions.hold(
            command.session_id,
            self._held,
            self._clock,
            self._config.lock_timeout,
            self._report.guard,
        )
        if not is_successful(lease):
            return SessionRefused(lease.failure(), self._clock.now())
        self._lease = lease.unwrap()
        self._report.waited(round((self._clock.monotonic() - began) * 1_000))
        return SessionHeld(self._clock.now())

    async def _load(self, command: LoadHistory) -> Event:
        store, session_id = self._store(), command.session_id
        found = await self._tried(lambda: store.find(session_id, command.request_id))
        if not is_successful(found):
            return HistoryFailed(found.failure(), self._clock.now())
        turn = found.unwrap()
        if turn is not None:
            return HistoryLoaded(turn, (), turn.seq, self._clock.now())
        loaded = await self._tried(lambda: store.load(session_id, command.limit))
        if not is_successful(loaded):
            return HistoryFailed(loaded.failure(), self._clock.now())
        held = loaded.unwrap()
        return HistoryLoaded(None, held.turns, held.seq, self._clock.now())

    async def _plan(self, command: Plan) -> Event:
        given = PlanInput(
            command.message,
            local_time(command.message),
            command.history,
            command.attempt,
            command.feedback,
            self._config.settings.limits,
        )
        asked: object = self._config.planner(given, self._turn_context(command))
        outcome: object = await asked if isawaitable(asked) else asked
        at, calls = self._clock.now(), tuple(self._calls)
        if isinstance(outcome, Result) and is_successful(outcome):
            candidate = outcome.unwrap()
            if isinstance(candidate, Candidate):
                return Planned(candidate, calls, at)
        elif isinstance(outcome, Result) and isinstance(outcome.failure(), _ERRORS):
            return PlanFailed(outcome.failure(), calls, at)
        words = "the planner has to give a Result of a Candidate or of an EngineError"
        raise BrokenContractError(f"{words}, and gave {type(outcome).__name__}")

    async def _record(self, command: RecordTurn) -> Event:
        """Once begun, it is neither cut nor cancelled, only waited for."""
        recording = asyncio.create_task(
            self._caught("record", lambda: self._append(command))
        )
        await settled(recording)
        return recording.result()

    async def _append(self, command: RecordTurn) -> Event:
        store = self._store()
        done = await self._tried(
            lambda: store.append(command.session_id, command.turn, command.expected_seq)
        )
        if is_successful(done):
            return TurnRecorded(self._clock.now())
        return RecordFailed(done.failure(), self._clock.now())

    def _store(self) -> HistoryStore:
        assert self._config.history is not None, "asked for only where there is one"
        return self._config.history

    async def _tried(
        self, work: Callable[[], Awaitable[Result[_T, HistoryError]]]
    ) -> Result[_T, HistoryError]:
        """Where history is required its failure is the caller's to see, at once."""
        if self._config.settings.history_required:
            return await work()
        return await patiently(self._clock, work)

    def _turn_context(self, command: Plan) -> TurnContext:
        """The same for each attempt of the turn: stages are wrapped once a turn."""
        if self._context is None:
            self._context = TurnContext(
                command.message.session_id,
                command.message.id,
                self._report.logger,
                self._report.instrument,
                self._clock,
                self._config.ids,
                self._record_call,
                self._interrupt.deadline,
                self._config.log_content,
            )
        return self._context

    def _record_call(self, call: ModelCall) -> None:
        self._calls.append(call)

    def _check_lease(self) -> None:
        try:
            if self._lease is not None and self._lease.lost():
                words = "maelstrom: the session's lock was lost during the turn"
                self._report.logger.warning(words, extra={})
        except Exception as error:  # noqa: BLE001  a lock of the app's own
            self._report.guard.failed("lock", error)
