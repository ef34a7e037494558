"""A real model, weak and quick, behind OpenAI's API: whole turns of the example app.

SmolLM2-135M is served on loopback by llama.cpp and asked through the OpenAI adapter,
its answers constrained to our schema. Such a model makes real mistakes. What it chooses
is not asserted: every turn ends in a response that satisfies every law of healing and
of the client, or in a typed error, and none raises. A share of the turns must be served
by the model, else healing would have had nothing to do. What share of the turns and of
the pieces survived is printed (pytest -s).
"""

import asyncio
from collections import Counter
from contextlib import contextmanager

import pytest
from returns.pipeline import is_successful

from maelstrom.adapters.demo import demo_chart
from maelstrom.adapters.demo_prompt import small_prompt
from maelstrom.adapters.local import serve
from maelstrom.adapters.openai import openai
from maelstrom.adapters.testing.laws import assert_heal_laws
from maelstrom.core.candidate import Candidate
from maelstrom.core.chart_state import make_request
from maelstrom.core.client import apply
from maelstrom.core.coherence import incoherences
from maelstrom.core.errors import KINDS, AbortedError, ParseError, ProviderError
from maelstrom.core.heal import mend
from maelstrom.core.messages import EngineMessage
from maelstrom.core.request import ChartResize, Dimensions, UserIntent
from maelstrom.core.wire import encode_layout
from maelstrom.effects.create import create_engine
from maelstrom.effects.planner import llm_planner
from tests.servers import need_model

PATIENCE = 120
"""Seconds of a turn, which takes one to three: it is the tokens that are bounded."""

TOKENS = 200
"""Of an answer: two instances take as many, and an endless list ends here."""

LEAST_SERVED = 1 / 5
"""The share of the turns that the model must serve in each mode."""

SIZES = (Dimensions(10, 6), Dimensions(12, 8))

# Each is said once in each mode; None is a resize.
INTENTS = (
    "show the weather",
    "show my calendar",
    "add the task list",
    None,
    "open the notes",
    "weather forecast please",
    "only the calendar",
    "hide everything",
    "tasks and notes side by side",
    None,
    "buy milk, note it",
    "show me the week",
    "remove the weather",
    "Zeig mir das Wetter",
    "everything at once",
)


@pytest.fixture(scope="module")
def server():
    """The model's server."""
    need_model()
    return serve(context=1_536)


@contextmanager
def turns(server, mode, max_tokens=TOKENS):
    """An engine that asks the served model, and what it observed."""
    adapter = openai(
        "smollm2", base_url=f"{server.listening_address}/v1", profile="llama.cpp"
    )
    # The likeliest token each time: what a turn becomes is the same on every run.
    options = {"max_tokens": max_tokens, "temperature": 0, "seed": 1}
    planner = llm_planner(
        adapter=adapter,
        prompt=small_prompt(mode),
        model_options=options,
        timeout=PATIENCE,
    )
    seen = []
    yield (
        create_engine(
            planner=planner, retry=False, turn_timeout=PATIENCE, on_turn=seen.append
        ),
        seen,
    )


def message(state, number, intent, previous):
    """One turn's message."""
    reason = ChartResize(previous) if intent is None else UserIntent(intent)
    request = make_request(state, (reason,))
    assert incoherences(request) == ()
    return EngineMessage("session", f"m{number}", 1_800_000_000_000 + number, request)


async def play(engine, state):
    """All intents in turn, each on the chart that the one before left behind."""
    results = []
    for number, intent in enumerate(INTENTS):
        previous = state.dimensions
        if intent is None:
            state = state.resized(SIZES[number % 2])
        asked = message(state, number, intent, previous)
        result = await engine.handle(asked)
        results.append((asked.payload, result))
        if is_successful(result):
            applied = apply(state, asked.payload, result.unwrap().payload)
            assert applied.skips == ()
            state = applied.state
    await engine.aclose()
    return results


def as_candidate(response):
    """A response as an answer again: what healing must leave as it is."""
    plan = tuple(
        {
            "instanceId": entry.instance_id,
            "action": entry.action,
            **({} if entry.params is None else {"params": entry.params}),
        }
        for entry in response.execution_plan
    )
    layout = encode_layout(response.layout)
    return Candidate(response.rationale or "-", plan, layout, response.user_message)


def pieces(candidate):
    """How many things an answer proposes: plan entries, and instances placed."""
    layout = candidate.layout
    nodes = [node for node in layout.get("nodes", ()) if node["kind"] == "leaf"]
    return len(candidate.execution_plan) + len(layout.get("positions", nodes))


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["grid", "tiling"])
def test_turns_of_a_real_model(server, mode):
    """A lawful response or a typed error each, no exception; a share is the model's."""
    with turns(server, mode) as (engine, seen):
        results = asyncio.run(play(engine, demo_chart(mode)))

    assert len(results) == len(seen) == len(INTENTS)
    for request, result in results:
        if is_successful(result):
            response = result.unwrap().payload
            healed = mend(request, as_candidate(response))
            assert (healed.drops, healed.skips, healed.repairs) == ((), (), ())
            assert healed.layout == response.layout
            assert healed.plan == response.execution_plan
            assert response.user_message.strip()
        else:
            assert isinstance(
                result.failure(), ProviderError | ParseError | AbortedError
            )
    assert report(mode, seen) >= LEAST_SERVED


def named(error):
    """An error in a word."""
    return getattr(error, "kind", None) or getattr(error, "cause", None) or "parse"


def report(mode, seen):
    """Check each attempt's healing and print what survived; the share of turns served."""
    proposed = survived = tokens = 0
    outcomes = Counter()
    for diagnostics in seen:
        (attempt,) = diagnostics.attempts
        (call,) = attempt.calls
        tokens += call.completion.usage.output_tokens if call.completion else 0
        error = diagnostics.error
        outcomes[diagnostics.decision if error is None else named(error)] += 1
        if attempt.candidate is None:
            continue
        assert_heal_laws(diagnostics.message.payload, attempt.candidate)
        proposed += pieces(attempt.candidate)
        survived += pieces(attempt.candidate) - len(attempt.healed.drops)
        survived -= len(attempt.healed.skips)
    share = f"{survived / proposed:.0%}" if proposed else "none"
    turns_that_answered = outcomes["served"] / len(seen)
    print(  # noqa: T201  the figures are what this test is run for
        f"\n{mode}: {len(seen)} turns, {turns_that_answered:.0%} served"
        f" ({dict(outcomes)}); of {proposed} proposed pieces {share} survived;"
        f" {tokens} tokens"
    )
    return turns_that_answered


def test_an_answer_that_is_cut_off(server):
    """A bound of tokens that is too low ends the turn in `truncated`."""
    with turns(server, "grid", max_tokens=8) as (engine, _):

        async def scenario():
            result = await engine.handle(message(demo_chart(), 0, INTENTS[0], None))
            await engine.aclose()
            return result

        error = asyncio.run(scenario()).failure()

    assert isinstance(error, ProviderError)
    assert error.kind in {"truncated", "timeout"}  # a machine may be too slow for both


def test_a_prompt_that_is_too_long(server):
    """A prompt past the model's context ends the turn in an error that says so."""
    with turns(server, "grid") as (engine, _):

        async def scenario():
            intent = "weather " * 1_900
            result = await engine.handle(message(demo_chart(), 0, intent, None))
            await engine.aclose()
            return result

        error = asyncio.run(scenario()).failure()

    assert isinstance(error, ProviderError)
    assert KINDS[error.kind] == error.retryable
    assert error.kind == "bad_request"
