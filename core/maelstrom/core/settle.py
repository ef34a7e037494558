"""How an attempt becomes an answer, an answer a turn, and a turn an answer again.

The last two are inverse: an answer made from the record alone is equal to the one that
was returned, its timestamp included. What they must keep in step with is `Turn`.
"""

from returns.result import Failure, Result, Success

from maelstrom.core.candidate import Candidate
from maelstrom.core.chart_state import ChartState
from maelstrom.core.client import apply
from maelstrom.core.diagnostics import Attempt
from maelstrom.core.errors import EngineError, InternalError, ParseError
from maelstrom.core.healed import Severity
from maelstrom.core.history import After, Turn
from maelstrom.core.json_surrogates import replace_surrogates
from maelstrom.core.messages import EngineMessage, EngineOutput
from maelstrom.core.reflow import reflow
from maelstrom.core.request import ChartRequest
from maelstrom.core.response import MaelstromResponse
from maelstrom.core.turn_events import TurnSettings

__all__ = ["answer_of", "checked", "reflowed", "replay_of", "turn_of"]


def checked(candidate: Candidate) -> Result[Candidate, EngineError]:
    """A candidate fit to be healed, whoever made it, its texts free of lone surrogates.

    Pieces are not looked at: that is healing's part. A blank user message is a
    ParseError; a record that no planner may build, an InternalError.
    """
    texts = (candidate.user_message, candidate.rationale)
    lists = (candidate.execution_plan, candidate.repairs)
    if not all(isinstance(text, str) for text in texts) or not all(
        isinstance(items, tuple | list) for items in lists
    ):
        return Failure(InternalError("plan", "the planner's candidate is malformed"))
    if not candidate.user_message.strip():
        words = "the answer says nothing to the user"
        return Failure(ParseError("userMessage", words))
    return Success(
        Candidate(
            replace_surrogates(candidate.rationale),
            tuple(candidate.execution_plan),
            candidate.layout,
            replace_surrogates(candidate.user_message),
            tuple(candidate.repairs),
        )
    )


def answer_of(message: EngineMessage, attempt: Attempt, at: int) -> EngineOutput:
    """What survived of an attempt, settled at ``at`` (ms since the Unix epoch)."""
    candidate, healed = attempt.candidate, attempt.healed
    assert candidate is not None
    assert healed is not None
    return _output(
        message,
        at,
        MaelstromResponse(
            message.id,
            candidate.user_message,
            candidate.rationale,
            healed.plan,
            healed.layout,
        ),
    )


def reflowed(
    message: EngineMessage, attempt: Attempt, settings: TurnSettings, at: int
) -> EngineOutput:
    """The chart as it was, made to fit: no plan, and a message of our own."""
    assert attempt.candidate is not None
    return _output(
        message,
        at,
        MaelstromResponse(
            message.id,
            settings.fallback_message,
            attempt.candidate.rationale,
            (),
            reflow(message.payload, settings.heal, settings.limits),
        ),
    )


def turn_of(
    request: ChartRequest,
    output: EngineOutput,
    *,
    seq: int,
    digest: str,
    severity: Severity,
    attempts: int,
) -> Turn:
    """The record of a turn that ended in ``output``."""
    response = output.payload
    return Turn(
        seq=seq,
        request_id=output.id,
        digest=digest,
        timestamp=output.timestamp,
        reasons=request.context.update_reasons,
        user_message=response.user_message,
        rationale=response.rationale,
        execution_plan=response.execution_plan,
        layout=response.layout,
        after=_after(request, response),
        severity=severity,
        attempts=attempts,
    )


def replay_of(message: EngineMessage, turn: Turn) -> EngineOutput:
    """The output that the recorded turn had."""
    response = MaelstromResponse(
        turn.request_id,
        turn.user_message,
        turn.rationale,
        turn.execution_plan,
        turn.layout,
    )
    return _output(message, turn.timestamp, response)


def _after(request: ChartRequest, response: MaelstromResponse) -> After:
    """The chart once a client has applied the response: the client's own rule."""
    context = request.context
    state = ChartState(
        dimensions=context.chart_dimensions,
        mode=context.layout_mode,
        vessels=request.vessels,
        instances=request.instances,
        layout=request.layout,
    )
    applied = apply(state, request, response).state
    return After(applied.instances, context.chart_dimensions, context.layout_mode)


def _output(
    message: EngineMessage, at: int, response: MaelstromResponse
) -> EngineOutput:
    return EngineOutput(message.session_id, message.id, at, response)
