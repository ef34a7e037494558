"""The loop of a turn, as a value: it awaits nothing and knows no clock.

Theory of operation: `start` gives the first `Command`, `advance` takes what became of
it (an `Event`) and gives the next, until `Finish`. Which event may answer which command
is the table `_TRANSITIONS`; whatever is not in it ends the turn in
InternalError(stage="turn"). The way is

    HoldSession -> LoadHistory -> Plan ... Plan -> RecordTurn -> Finish

with LoadHistory and RecordTurn left out where there is no history, so a turn takes at
most 5 + retry.max commands. Errors leave the loop stamped with the message's ids.

Rules that are not visible in the table:

- A failure of the history ends the turn only where history is required; else the turn
  goes on, unrecorded if it was the load that failed. A conflict always ends it.
- The deadline and a crash of the planner end one attempt, and the best earlier answer
  serves (`maelstrom.core.retry`). A signal or the engine's closing ends the turn.
- The answer is settled, and gets its timestamp, before it is recorded. So a replay,
  which is made from the record alone, is equal to the byte.
- Nothing aborts a record that has begun.

Wart: a finished state answers any event with the same Finish once more.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from attrs import evolve
from returns.pipeline import is_successful
from returns.result import Failure, Success

from maelstrom.core.diagnostics import Attempt
from maelstrom.core.digest import digest
from maelstrom.core.errors import (
    EngineError,
    HistoryError,
    InternalError,
    Issue,
    RequestValidationError,
)
from maelstrom.core.feedback import build_feedback
from maelstrom.core.heal import mend
from maelstrom.core.healed import Feedback
from maelstrom.core.messages import EngineMessage
from maelstrom.core.retry import Served, decide
from maelstrom.core.settle import answer_of, checked, reflowed, replay_of, turn_of
from maelstrom.core.turn_events import (
    Aborted,
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
    TurnSettings,
)
from maelstrom.core.turn_state import State, Step, awaiting, finish, stamped
from maelstrom.core.window import reach, window
from maelstrom.core.wire import check_message, decode_message

__all__ = ["State", "Step", "advance", "start"]

_Tried: TypeAlias = Planned | PlanFailed | Crashed | Aborted


def start(
    message: EngineMessage | Mapping[str, Any] | bytes | str,
    settings: TurnSettings,
    at: int = 0,
) -> Step:
    """Decode a message and give the first command: a failure finishes at once.

    Args:
        message: An EngineMessage (its rules are checked too), its JSON as a mapping,
            or its text.
        settings: How the turn is decided.
        at: Milliseconds since the Unix epoch.
    """
    if isinstance(message, EngineMessage):
        decoded = check_message(message, settings.limits)
    else:
        decoded = decode_message(message, settings.limits)
    valid = decoded.unwrap() if is_successful(decoded) else None
    command = HoldSession(valid.session_id if valid else "")
    state = State(settings=settings, started=at, message=valid, awaited=command)
    if not is_successful(decoded):
        return finish(state, at, Failure(decoded.failure()))
    return state, command


def advance(state: State, event: Event) -> Step:
    """Take what became of the last command, and give the next one."""
    awaited = state.awaited
    if isinstance(awaited, Finish):
        return state, awaited
    step = _TRANSITIONS.get((type(awaited), type(event)), _misfit)
    return step(state, event)


def _fail(
    state: State, event: SessionRefused | HistoryFailed | RecordFailed | Aborted
) -> Step:
    return finish(state, event.at, Failure(event.error))


def _crashed(state: State, event: Crashed) -> Step:
    return finish(state, event.at, Failure(_crash(event)))


def _crash(event: Crashed) -> InternalError:
    return InternalError(event.stage, f"{event.stage} raised: see the log")


def _misfit(state: State, event: Event) -> Step:
    words = f"{type(event).__name__} is no answer to {type(state.awaited).__name__}"
    return finish(state, event.at, Failure(InternalError("turn", words)))


def _held(state: State, _event: SessionHeld) -> Step:
    if not state.settings.history:
        return _plan(state, None)
    message = state.asked
    known = evolve(state, digest=digest(message.payload))
    limit = reach(state.settings.history_turns)
    return awaiting(known, LoadHistory(message.session_id, message.id, limit))


def _loaded(state: State, event: HistoryLoaded) -> Step:
    settings, found = state.settings, event.found
    if found is None:
        turns = window(event.window, settings.history_turns, settings.history_chars)
        return _plan(evolve(state, window=turns, seq=event.seq), None)
    if found.digest != state.digest:
        words = (
            "another message of the session had this id and asked for something else"
        )
        issue = Issue(("id",), "duplicate_id", words)
        return finish(state, event.at, Failure(RequestValidationError((issue,))))
    output = replay_of(state.asked, found)
    replay = evolve(state, output=output, decision="replayed")
    return finish(replay, event.at, Success(output))


def _history_failed(state: State, event: HistoryFailed) -> Step:
    if _ends_turn(state, event.error):
        return _fail(state, event)
    return _plan(evolve(state, notes=(*state.notes, "history_not_loaded")), None)


def _ends_turn(state: State, error: HistoryError) -> bool:
    return state.settings.history_required or error.kind == "conflict"


def _plan(state: State, feedback: Feedback | None) -> Step:
    command = Plan(state.asked, state.window, _number(state), feedback)
    return awaiting(state, command)


def _planned(state: State, event: Planned) -> Step:
    candidate = checked(event.candidate)
    if not is_successful(candidate):
        return _attempt_failed(state, candidate.failure(), event)
    fit, settings = candidate.unwrap(), state.settings
    healed = mend(state.asked.payload, fit, settings.heal, settings.limits)
    return _decided(state, Attempt(_number(state), event.calls, fit, healed), event.at)


def _plan_failed(state: State, event: PlanFailed) -> Step:
    return _attempt_failed(state, event.error, event)


def _plan_crashed(state: State, event: Crashed) -> Step:
    return _attempt_failed(state, _crash(event), event)


def _plan_aborted(state: State, event: Aborted) -> Step:
    if event.error.cause == "deadline":
        return _attempt_failed(state, event.error, event)
    return _fail(_tried(state, _failed(state, event.error, event)), event)


def _attempt_failed(state: State, error: EngineError, event: _Tried) -> Step:
    return _decided(state, _failed(state, error, event), event.at)


def _failed(state: State, error: EngineError, event: _Tried) -> Attempt:
    named = stamped(error, state.message)
    return Attempt(_number(state), event.calls, error=named)


def _number(state: State) -> int:
    return len(state.attempts) + 1


def _tried(state: State, attempt: Attempt) -> State:
    return evolve(state, attempts=(*state.attempts, attempt))


def _decided(state: State, attempt: Attempt, at: int) -> Step:
    state = _tried(state, attempt)
    settings = state.settings
    verdict = decide(state.attempts, settings.retry, settings.on_unrecoverable)
    if is_successful(verdict):
        return _serve(state, verdict.unwrap(), at)
    assert attempt.healed is not None
    items = build_feedback(attempt.healed.drops, attempt.healed.skips)
    return _plan(state, Feedback(verdict.failure().attempt, items))


def _serve(state: State, served: Served, at: int) -> Step:
    message, attempt = state.asked, state.attempts[served.attempt - 1]
    if attempt.healed is None:
        assert attempt.error is not None
        return finish(state, at, Failure(attempt.error))
    if served.result == "reflow":
        output = reflowed(message, attempt, state.settings, at)
    else:
        output = answer_of(message, attempt, at)
    state = evolve(
        state,
        output=output,
        served=attempt.number,
        decision="reflowed" if served.result == "reflow" else "served",
    )
    if state.seq is None:
        return finish(state, at, Success(output))
    turn = turn_of(
        message.payload,
        output,
        seq=state.seq + 1,
        digest=state.digest,
        severity=attempt.healed.severity,
        attempts=len(state.attempts),
    )
    return awaiting(state, RecordTurn(message.session_id, turn, state.seq))


def _recorded(state: State, event: TurnRecorded) -> Step:
    assert state.output is not None
    return finish(state, event.at, Success(state.output))


def _record_failed(state: State, event: RecordFailed) -> Step:
    assert state.output is not None
    if _ends_turn(state, event.error):
        return _fail(state, event)
    noted = evolve(state, notes=(*state.notes, "turn_not_recorded"))
    return finish(noted, event.at, Success(state.output))


_TRANSITIONS: Final = MappingProxyType[
    tuple[type[object], type[object]], Callable[[State, Any], Step]
](
    {
        (HoldSession, SessionHeld): _held,
        (HoldSession, SessionRefused): _fail,
        (HoldSession, Aborted): _fail,
        (HoldSession, Crashed): _crashed,
        (LoadHistory, HistoryLoaded): _loaded,
        (LoadHistory, HistoryFailed): _history_failed,
        (LoadHistory, Aborted): _fail,
        (LoadHistory, Crashed): _crashed,
        (Plan, Planned): _planned,
        (Plan, PlanFailed): _plan_failed,
        (Plan, Aborted): _plan_aborted,
        (Plan, Crashed): _plan_crashed,
        (RecordTurn, TurnRecorded): _recorded,
        (RecordTurn, RecordFailed): _record_failed,
        (RecordTurn, Crashed): _crashed,
    }
)
"""Which event answers which command, and what follows."""
