"""A turn under way, and the two ways on: to the next command, or to the end."""

from typing import TypeAlias

from attrs import evolve, frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result

from maelstrom.core.diagnostics import Attempt, Decision, Diagnostics
from maelstrom.core.errors import EngineError
from maelstrom.core.history import Turn
from maelstrom.core.messages import EngineMessage, EngineOutput
from maelstrom.core.turn_events import Command, Finish, TurnSettings

__all__ = ["State", "Step", "awaiting", "ending", "finish", "stamped"]


@frozen(kw_only=True)
class State:
    """A turn under way: what is awaited, and what is known so far.

    ``message`` is None where it could not be decoded. ``seq`` is the number of the
    session's newest turn, None where the turn will not be recorded.
    """

    settings: TurnSettings
    started: int
    message: EngineMessage | None
    awaited: Command
    digest: str = ""
    window: tuple[Turn, ...] = ()
    seq: int | None = None
    attempts: tuple[Attempt, ...] = ()
    decision: Decision = "failed"
    served: int | None = None
    output: EngineOutput | None = None
    notes: tuple[str, ...] = ()

    @property
    def asked(self) -> EngineMessage:
        """The message, where there is one: all but a turn that never began."""
        assert self.message is not None
        return self.message


Step: TypeAlias = tuple[State, Command]


def awaiting(state: State, command: Command) -> Step:
    """The state that awaits what becomes of a command, and the command."""
    return evolve(state, awaited=command), command


def finish(state: State, at: int, result: Result[EngineOutput, EngineError]) -> Step:
    """The state of a turn that is over, and its end."""
    return awaiting(state, ending(state, at, result))


def ending(state: State, at: int, result: Result[EngineOutput, EngineError]) -> Finish:
    """The end: the result, its error stamped with the message's ids, and all of it."""
    if is_successful(result):
        output, error, ended = result.unwrap(), None, result
        decision = state.decision
    else:
        error = stamped(result.failure(), state.message)
        output, ended, decision = None, Failure(error), "failed"
    diagnostics = Diagnostics(
        state.message,
        state.started,
        at,
        decision,
        state.attempts,
        state.served if error is None else None,
        output,
        error,
        state.notes,
        heal=state.settings.heal,
        limits=state.settings.limits,
    )
    return Finish(ended, diagnostics)


def stamped(error: EngineError, message: EngineMessage | None) -> EngineError:
    """An error that names the message which it answers."""
    if message is None:
        return error
    return evolve(error, session_id=message.session_id, id=message.id)
