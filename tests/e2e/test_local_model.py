"""A real model, weak and quick, behind OpenAI's API: whole turns of the example app.

SmolLM2-135M is served on loopback by llama.cpp and asked through the OpenAI adapter,
its answers constrained to our schema. Such a model makes real mistakes. What it chooses
is not asserted: every turn ends in a response that satisfies every law of healing, or
in a typed error, and none raises. What share survived is printed (pytest -s).
"""

import asyncio
import time
from collections import Counter
from contextlib import contextmanager

import pytest
from returns.pipeline import is_successful

from maelstrom.adapters.demo import demo_chart
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
from maelstrom.core.prompt_customize import remove, replace
from maelstrom.core.request import ChartResize, Dimensions, UserIntent
from maelstrom.core.wire import encode_layout
from maelstrom.effects.create import create_engine
from maelstrom.effects.planner import llm_planner

SECONDS_A_MODE = 80  # both stay under three minutes, however slow the machine
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

CATALOGUE = (
    "vessel: variants (columns x rows) [actions]\n"
    "weather: current (3x2) [showForecast], forecast (5x2) [showCurrent]\n"
    "calendar: day (3x3) [showWeek], week (5x3) [showDay, showMonth], month (6x4)\n"
    "tasks: list (3x3) [showBoard, addTask], board (6x3) [showList]\n"
    "notes: list (3x2) [openEditor, writeNote], editor (4x3) [closeEditor]"
)

EXAMPLES = {
    "grid": (
        "Answer as JSON, like this.\n"
        'Intent "weather": {"rationale":"asked for it","executionPlan":[],"layout":'
        '{"type":"grid","positions":[{"instanceId":"weather-1","vesselId":"weather",'
        '"variant":"current","position":{"column":0,"row":0},"size":{"width":3,'
        '"height":2}}]},"userMessage":"Here is the weather."}\n'
    ),
    "tiling": (
        "Answer as JSON, like this.\n"
        'Intent "weather and tasks": {"rationale":"asked for both","executionPlan":[],'
        '"layout":{"type":"tiling","root":"n0","nodes":[{"id":"n0","kind":"split",'
        '"direction":"row","children":["n1","n2"],"weight":1,"instanceId":"",'
        '"vesselId":"","variant":""},{"id":"n1","kind":"leaf","direction":"",'
        '"children":[],"weight":1,"instanceId":"weather-1","vesselId":"weather",'
        '"variant":"current"},{"id":"n2","kind":"leaf","direction":"","children":[],'
        '"weight":1,"instanceId":"tasks-1","vesselId":"tasks","variant":"list"}]},'
        '"userMessage":"Weather and tasks."}'
    ),
}


@pytest.fixture(scope="module")
def server():
    """The model's server."""
    return serve(context=2_048)


@contextmanager
def turns(server, mode, max_tokens=220):
    """An engine that asks the served model, and what it observed."""
    adapter = openai(
        "smollm2", base_url=f"{server.listening_address}/v1", profile="llama.cpp"
    )
    prompt = {
        "role": replace("You arrange widgets on a screen, as few as are asked for."),
        "rules": remove(),
        "output": replace(EXAMPLES[mode]),
        "vessels": replace(CATALOGUE),
        "now": remove(),
    }
    options = {"max_tokens": max_tokens, "temperature": 0.2, "seed": 1}
    planner = llm_planner(
        adapter=adapter, prompt=prompt, model_options=options, timeout=SECONDS_A_MODE
    )
    seen = []
    yield create_engine(planner=planner, retry=False, on_turn=seen.append), seen


def message(state, number, intent, previous):
    """One turn's message."""
    reason = ChartResize(previous) if intent is None else UserIntent(intent)
    request = make_request(state, (reason,))
    assert incoherences(request) == ()
    return EngineMessage("session", f"m{number}", 1_800_000_000_000 + number, request)


async def play(engine, state):
    """All intents in turn, each on the chart that the one before left behind."""
    results = []
    end = time.monotonic() + SECONDS_A_MODE
    for number, intent in enumerate(INTENTS):
        # A turn may take three shares of the time that is left: the first reads most.
        left = max(end - time.monotonic(), 1)
        patience = min(left, 3 * left / (len(INTENTS) - number))
        previous = state.dimensions
        if intent is None:
            state = state.resized(SIZES[number % 2])
        asked = message(state, number, intent, previous)
        result = await engine.handle(asked, timeout=patience)
        results.append((asked.payload, result))
        if is_successful(result):
            state = apply(state, asked.payload, result.unwrap().payload).state
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
    """Fifteen turns a mode: a lawful response or a typed error, and no exception."""
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
    report(mode, seen)


def named(error):
    """An error in a word."""
    return getattr(error, "kind", None) or getattr(error, "cause", None) or "parse"


def report(mode, seen):
    """Check each attempt's healing, and print what came of the turns and the pieces."""
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
