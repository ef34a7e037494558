"""A recorded turn run again: read, heal and decide, over what the model said then.

Theory: the loop of a turn is a value (`maelstrom.core.turn`), so a turn is run again by
feeding it the events of its attempts once more. The raw answer is read anew where a
model gave one, else the planner's own candidate stands in for it; an attempt that ended
in an error without an answer ends in that error again. How the turn was set up follows
from what came of it: it had as many retries as it took, and an unrecoverable answer
that was served says that nothing was to be reflowed.

Wart: what a planner of the app's own does with an answer after reading it is not run
again. History and locks are no part of a replay: a turn that failed by them is compared
up to there.
"""

from collections.abc import Iterator

from attrs import evolve, frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.core.answer import decode_candidate
from maelstrom.core.candidate import Candidate
from maelstrom.core.completion import Completion, ModelCall
from maelstrom.core.diagnostics import Attempt, Diagnostics
from maelstrom.core.errors import (
    AbortedError,
    EngineError,
    HistoryError,
    InternalError,
    ProviderError,
    SessionBusyError,
)
from maelstrom.core.layout import LayoutMode
from maelstrom.core.limits import Limits
from maelstrom.core.messages import EngineMessage
from maelstrom.core.policy import HealPolicy
from maelstrom.core.prompt import Prompt
from maelstrom.core.retry import OnUnrecoverable, RetryPolicy
from maelstrom.core.turn import advance, start
from maelstrom.core.turn_events import (
    FALLBACK_MESSAGE,
    Aborted,
    Event,
    Finish,
    PlanFailed,
    Planned,
    SessionHeld,
    TurnSettings,
)

__all__ = ["Replay", "answered", "compare", "replay", "settings_of"]


@frozen
class Replay:
    """A turn run again, and in words where it ended otherwise than it did then."""

    diagnostics: Diagnostics
    differences: tuple[str, ...]


def replay(before: Diagnostics) -> Result[Replay, str]:
    """Run a turn again, or say in words why there is nothing to run.

    Args:
        before: A recorded turn, with its content.
    """
    if before.message is None:
        return Failure("it holds no request to run again")
    if before.decision == "replayed":
        return Failure("it was answered from the history, and no planner was asked")
    if not before.attempts:
        return Failure("it ended before a planner was asked")
    after = _run(before, before.message)
    return Success(Replay(after, compare(before, after)))


def answered(
    message: EngineMessage, text: str, heal: HealPolicy | None = None
) -> Diagnostics:
    """The turn in which a model answers a message with this text.

    Args:
        message: A valid one.
        text: The raw answer.
        heal: What healing may do; the reference policy where None.
    """
    said = ModelCall("saved", "saved", Prompt((), ()), 0, Completion(text, "saved"))
    policy = heal or HealPolicy.reference()
    at = message.timestamp
    asked = Diagnostics(message, at, at, "failed", (Attempt(1, (said,)),), heal=policy)
    return _run(asked, message)


def settings_of(before: Diagnostics) -> TurnSettings:
    """The settings that a turn must have had, as far as they mattered."""
    reflowed = before.decision == "reflowed" and before.output is not None
    return TurnSettings(
        retry=RetryPolicy(max=max(len(before.attempts) - 1, 0)),
        heal=before.heal,
        limits=before.limits,
        on_unrecoverable=_on_unrecoverable(before),
        fallback_message=before.output.payload.user_message
        if reflowed and before.output is not None
        else FALLBACK_MESSAGE,
    )


def _on_unrecoverable(before: Diagnostics) -> OnUnrecoverable:
    if before.decision != "served" or before.served is None:
        return "reflow"
    healed = before.attempts[before.served - 1].healed
    lost = healed is not None and healed.severity == "unrecoverable"
    return "empty" if lost else "reflow"


def _run(before: Diagnostics, message: EngineMessage) -> Diagnostics:
    at = before.finished if before.output is None else before.output.timestamp
    events = iter(_events(before, message.payload.context.layout_mode, at))
    state, command = start(message, settings_of(before), before.started)
    while not isinstance(command, Finish):
        state, command = advance(state, next(events))
    return command.diagnostics


def _events(before: Diagnostics, mode: LayoutMode, at: int) -> tuple[Event, ...]:
    """What becomes of the turn's commands, in order."""
    attempts = (_event(one, mode, before.limits, at) for one in before.attempts)
    return (SessionHeld(at), *attempts)


def _event(attempt: Attempt, mode: LayoutMode, limits: Limits, at: int) -> Event:
    if isinstance(attempt.error, AbortedError):
        return Aborted(attempt.error, at, calls=attempt.calls)
    outcome = _outcome(attempt, mode, limits)
    if is_successful(outcome):
        return Planned(outcome.unwrap(), attempt.calls, at)
    return PlanFailed(outcome.failure(), attempt.calls, at)


def _outcome(
    attempt: Attempt, mode: LayoutMode, limits: Limits
) -> Result[Candidate, EngineError]:
    call = attempt.calls[-1] if attempt.calls else None
    if call is not None and call.completion is not None:
        fits = call.error is None or attempt.candidate is None
        if fits:
            return _read(attempt, call, call.completion, mode, limits)
    if attempt.candidate is not None:
        return Success(attempt.candidate)
    missing = InternalError("plan", "the recording holds no answer")
    return Failure(attempt.error or missing)


def _read(
    attempt: Attempt,
    call: ModelCall,
    completion: Completion,
    mode: LayoutMode,
    limits: Limits,
) -> Result[Candidate, EngineError]:
    """The text as it is read now: strictly, only where that is how it was read then."""

    def read(salvage: bool) -> Result[Candidate, EngineError]:
        found = decode_candidate(
            completion.text, mode, completion.finish_reason, salvage, limits
        )
        if is_successful(found):
            return Success(found.unwrap())
        error = found.failure()
        if isinstance(error, ProviderError):
            return Failure(evolve(error, provider=call.provider))
        return Failure(error)

    lenient = read(True)
    if is_successful(lenient) and attempt.error is not None:
        strict = read(False)
        if not is_successful(strict) and _is_same(strict.failure(), attempt.error):
            return strict
    return lenient


# ---------------------------------------------------------------- what is different


def compare(before: Diagnostics, after: Diagnostics) -> tuple[str, ...]:
    """Where two runs of a turn differ, in words; nothing where they are the same."""
    found = [
        f"attempt {then.number}: {words}"
        for then, now in zip(before.attempts, after.attempts, strict=False)
        for words in _attempt_differences(then, now)
    ]
    if len(before.attempts) != len(after.attempts):
        found.append(f"attempts: {len(before.attempts)}, now {len(after.attempts)}")
    if isinstance(before.error, HistoryError | SessionBusyError):
        return tuple(found)
    if before.decision != after.decision:
        found.append(f"decision: {before.decision}, now {after.decision}")
    if before.served != after.served:
        found.append(f"served attempt: {before.served}, now {after.served}")
    if not _is_same(before.error, after.error):
        found.append(f"error: {_named(before.error)}, now {_named(after.error)}")
    if before.output != after.output:
        found.append("the output is another")
    return tuple(found)


def _attempt_differences(then: Attempt, now: Attempt) -> Iterator[str]:
    if not _is_same(then.error, now.error):
        yield f"error: {_named(then.error)}, now {_named(now.error)}"
    if then.candidate != now.candidate:
        yield "the answer reads otherwise"
    old, new = then.healed, now.healed
    if old is None or new is None or old == new:
        return
    if old.severity != new.severity:
        yield f"severity: {old.severity}, now {new.severity}"
    for name in ("layout", "plan", "drops", "skips", "repairs", "warnings"):
        if getattr(old, name) != getattr(new, name):
            yield f"{name}: not the same"


def _is_same(then: EngineError | None, now: EngineError | None) -> bool:
    """Whether two errors are the same but for the ids that they are stamped with."""
    if then is None or now is None:
        return then is now
    return evolve(then, session_id=None, id=None) == evolve(
        now, session_id=None, id=None
    )


def _named(error: EngineError | None) -> str:
    return "none" if error is None else f"{type(error).__name__} ({error.message})"
