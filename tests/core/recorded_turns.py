"""Turns as an observer gets them: strategies, made by the loop itself."""

import json

import attrs
from hypothesis import strategies as st

from maelstrom.adapters.testing.strategies import (
    faulty_candidates,
    policies,
    requests,
)
from maelstrom.core.answer import decode_candidate
from maelstrom.core.completion import Completion, ModelCall, Usage
from maelstrom.core.errors import (
    AbortedError,
    HistoryError,
    InternalError,
    ParseError,
    ProviderError,
    SessionBusyError,
    ValidationError,
)
from maelstrom.core.messages import EngineMessage
from maelstrom.core.prompt import Message, Prompt, Section
from maelstrom.core.retry import RetryPolicy
from maelstrom.core.turn import advance, start
from maelstrom.core.turn_events import (
    Aborted,
    Crashed,
    Finish,
    Plan,
    PlanFailed,
    Planned,
    SessionHeld,
    SessionRefused,
    TurnSettings,
)
from maelstrom.core.wire import encode_candidate

PROMPT = Prompt(
    (Section("role", "You arrange."),), (Message("user", (Section("ask", "Hm?"),)),)
)
ERRORS = (
    ProviderError("rate_limited", "demo", "slow down", status=429, retry_after_ms=5),
    ProviderError("timeout", "demo", "no answer"),
    ParseError("userMessage", "is blank"),
    ValidationError("rules", "the customizer failed"),
    InternalError("plan", "plan raised: see the log"),
)
OTHERS = (
    HistoryError("conflict", "append", "another turn was first"),
    SessionBusyError(100, "too many wait"),
    AbortedError("signal", "stopped"),
)
"""Errors of a turn that no attempt of a planner ends in."""


@st.composite
def _event(draw, request, at):
    """What becomes of one attempt: a text that is read, a candidate, or an error."""
    kind = draw(st.sampled_from(("text", "text", "candidate", "noise", "error", "cut")))
    usage = draw(st.builds(Usage, st.none() | st.integers(0, 9), st.none()))
    if kind == "error":
        return PlanFailed(draw(st.sampled_from(ERRORS)), (), at)
    if kind == "cut":
        cause = draw(st.sampled_from(("deadline", "signal")))
        return Aborted(AbortedError(cause, "cut"), at)
    if kind == "noise":
        text = draw(st.sampled_from(("Sorry, no.", "{}", '{"layout": ')))
        return ModelCall("demo", "demo-1", PROMPT, 3, Completion(text, "demo-1"))
    candidate = draw(faulty_candidates(request)).candidate
    if kind == "candidate":
        return Planned(candidate, (), at)
    text = json.dumps(encode_candidate(candidate))
    said = Completion(text, "demo-1", usage=usage)
    return ModelCall("demo", "demo-1", PROMPT, 3, said)


@st.composite
def settings(draw):
    """Settings of a turn."""
    return TurnSettings(
        retry=RetryPolicy(max=draw(st.integers(0, 2))),
        heal=draw(policies()),
        on_unrecoverable=draw(st.sampled_from(("reflow", "empty"))),
        fallback_message=draw(st.sampled_from(("Sorry.", "Nothing came of it."))),
    )


def _read(call, request, at):
    """What a planner without an engine's help makes of a call's text."""
    read = decode_candidate(call.completion.text, request.context.layout_mode)
    candidate = read.value_or(None)
    if candidate is not None:
        return Planned(candidate, (call,), at)
    error = read.failure()
    if isinstance(error, ProviderError):
        error = attrs.evolve(error, provider=call.provider)
    return PlanFailed(error, (attrs.evolve(call, error=error),), at)


@st.composite
def turns(draw):
    """The diagnostics of a turn whose planner answers, babbles, fails or is cut."""
    request = draw(requests())
    message = EngineMessage(
        "s", "m", 1_000, request, meta=draw(st.none() | st.just({}))
    )
    state, command = start(message, draw(settings()), 1_001)
    at = 1_002
    state, command = advance(state, SessionHeld(at))
    while not isinstance(command, Finish):
        assert isinstance(command, Plan)
        at += 10
        event = draw(_event(request, at))
        if isinstance(event, ModelCall):
            event = _read(event, request, at)
        state, command = advance(state, event)
    return command.diagnostics


def refused():
    """The diagnostics of a turn that never began."""
    _, command = start('{"sessionId": "s", "id": "m"}', TurnSettings(), 5)
    return command.diagnostics


def busy(message):
    """The diagnostics of a turn that found its session busy."""
    state, _ = start(message, TurnSettings(), 5)
    _, command = advance(state, SessionRefused(OTHERS[1], 6))
    return command.diagnostics


def crashed(message):
    """The diagnostics of a turn whose lock raised."""
    state, _ = start(message, TurnSettings(), 5)
    _, command = advance(state, Crashed("lock", 6))
    return command.diagnostics
