"""The planner that asks a model: one call an attempt, recorded however it ends."""

import asyncio

import pytest
from returns.result import Failure, Success

from maelstrom.adapters.testing.clock import ManualClock
from maelstrom.core.completion import Completion, ModelOptions, Usage
from maelstrom.core.errors import (
    InternalError,
    ParseError,
    ProviderError,
    RequestValidationError,
    ValidationError,
)
from maelstrom.core.limits import Limits
from maelstrom.core.prompt_customize import remove, replace, transform
from maelstrom.core.schema import response_schema
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.planner import llm_planner
from tests.core.answer_texts import TEXT
from tests.core.prompt_inputs import plan_input
from tests.effects.fakes import FakeAdapter, Recorder, context


def _plan(planner, given=None, **options):
    return asyncio.run(planner(given or plan_input(), context(**options)))


def test_asks_once_and_reads_the_answer() -> None:
    """The adapter gets prompt, schema, options and timeout; the call is recorded."""
    adapter, calls = FakeAdapter([TEXT]), []
    planner = llm_planner(adapter=adapter, model_options={"temperature": 0})
    candidate = _plan(planner, calls=calls).unwrap()
    (prompt, schema, options, timeout) = adapter.asked[0]

    assert candidate.user_message == "Done."
    assert schema == response_schema("grid")
    assert (options, timeout) == (ModelOptions(temperature=0), 20)
    assert [(call.provider, call.model, call.prompt) for call in calls] == [
        ("fake", "fake-1", prompt)
    ]
    assert calls[0].completion.text == TEXT
    assert calls[0].error is None


def test_a_failed_call_is_recorded() -> None:
    """The adapter's error is the attempt's."""
    error = ProviderError("overloaded", "fake", "busy")
    calls = []
    result = _plan(llm_planner(adapter=FakeAdapter([Failure(error)])), calls=calls)

    assert result == Failure(error)
    assert [(call.completion, call.error) for call in calls] == [(None, error)]


@pytest.mark.parametrize(
    ("text", "kind"), [("Sorry.", "malformed_json"), ("{}", "schema_violation")]
)
def test_an_unreadable_answer_names_the_provider(text, kind) -> None:
    """Both the answer and what is wrong with it are in the record of the call."""
    calls = []
    error = _plan(llm_planner(adapter=FakeAdapter([text])), calls=calls).failure()

    assert (error.kind, error.provider) == (kind, "fake")
    assert (calls[0].completion.text, calls[0].error) == (text, error)


def test_a_blank_message_is_a_parse_error() -> None:
    """Errors of reading that name no provider are handed on as they are."""
    blank = FakeAdapter([TEXT.replace("Done.", " ")])

    assert isinstance(_plan(llm_planner(adapter=blank)).failure(), ParseError)


def test_a_cut_answer_is_truncated() -> None:
    """The finish reason reaches the reading of the answer."""
    cut = Success(Completion(TEXT, "fake-1", finish_reason="length"))

    assert _plan(llm_planner(adapter=FakeAdapter([cut]))).failure().kind == "truncated"


def test_salvage_can_be_refused() -> None:
    """Without salvage a malformed piece fails the attempt."""
    text = TEXT.replace("[]", "[5]")
    strict = llm_planner(adapter=FakeAdapter([text]), salvage=False)

    assert _plan(llm_planner(adapter=FakeAdapter([text]))).unwrap()
    assert _plan(strict).failure().kind == "schema_violation"


def test_a_hanging_model_ends_in_a_timeout() -> None:
    """After the planner's own timeout, so that the turn may go on elsewhere."""

    async def scenario():
        clock, calls = ManualClock(), []
        planner = llm_planner(adapter=FakeAdapter([None]), timeout=3)
        turn = asyncio.create_task(planner(plan_input(), context(clock, calls=calls)))
        await clock.advance(2.9)
        waiting = not turn.done()
        await clock.advance(0.1)
        return waiting, await turn, calls

    waiting, result, calls = asyncio.run(scenario())

    assert waiting
    assert (result.failure().kind, result.failure().provider) == ("timeout", "fake")
    assert [(call.milliseconds, call.error) for call in calls] == [
        (3000, result.failure())
    ]


def test_what_an_adapter_raises_passes_and_is_recorded() -> None:
    """It is the engine that makes an InternalError of it."""
    calls = []
    planner = llm_planner(adapter=FakeAdapter([ZeroDivisionError()]))

    with pytest.raises(ZeroDivisionError):
        _plan(planner, calls=calls)

    assert [type(call.error) for call in calls] == [InternalError]


def test_a_cancelled_call_is_recorded() -> None:
    """How the turn ended, its own error says; that a call was under way, this."""

    async def scenario():
        calls = []
        planner = llm_planner(adapter=FakeAdapter([None]))
        turn = asyncio.create_task(
            planner(plan_input(), context(ManualClock(), calls=calls))
        )
        await asyncio.sleep(0)
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
        return calls

    assert [(call.completion, call.error) for call in asyncio.run(scenario())] == [
        (None, None)
    ]


def test_no_model_is_asked_without_a_prompt() -> None:
    """A prompt over the limit, or a customizer that fails, ends the attempt before."""
    adapter = FakeAdapter()
    small = plan_input(limits=Limits(prompt_characters=10))
    failing = {"chart": transform(lambda text, given: None)}

    assert isinstance(
        _plan(llm_planner(adapter=adapter), small).failure(), RequestValidationError
    )
    assert isinstance(
        _plan(llm_planner(adapter=adapter, prompt=failing)).failure(), ValidationError
    )
    assert adapter.asked == []


def test_instrument_and_logger_are_told_of_each_call() -> None:
    """By OpenTelemetry's names; a call that failed names its error, and is a warning."""
    recorder = Recorder()
    usage = Usage(input_tokens=100, output_tokens=20, cache_read_tokens=90)
    good = Success(Completion(TEXT, "fake-1-001", "response-1", usage=usage))
    planner = llm_planner(adapter=FakeAdapter([good, "Sorry."]))
    _plan(planner, recorder=recorder)
    _plan(planner, recorder=recorder)
    (name, told), (_, failed) = recorder.events

    assert name == "maelstrom.model.called"
    assert told == {
        "maelstrom.session_id": "session",
        "maelstrom.message_id": "message",
        "maelstrom.milliseconds": 0,
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "fake",
        "gen_ai.request.model": "fake-1",
        "gen_ai.response.model": "fake-1-001",
        "gen_ai.response.id": "response-1",
        "gen_ai.response.finish_reasons": ("stop",),
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
        "gen_ai.usage.cache_read.input_tokens": 90,
    }
    assert failed["error.type"] == "provider_error.malformed_json"
    assert recorder.logged == [("info", name, told), ("warning", name, failed)]


def test_content_is_logged_where_the_app_says_so() -> None:
    """Prompt and answer go to the logger alone, at debug, and else to nobody."""
    quiet, open_ = Recorder(), Recorder()
    planner = llm_planner(adapter=FakeAdapter([TEXT, TEXT]))
    _plan(planner, recorder=quiet)
    _plan(planner, recorder=open_, log_content=True)
    content = [
        (extra["maelstrom.what"], extra["maelstrom.text"])
        for level, _, extra in open_.logged
        if level == "debug"
    ]

    assert "Show me next week" not in repr((quiet.logged, quiet.events, open_.events))
    assert [what for what, _ in content] == ["system", "user", "answer"]
    assert content[-1] == ("answer", TEXT)


def test_closing_closes_the_adapter() -> None:
    """The planner owns what it was given."""
    adapter = FakeAdapter()
    asyncio.run(llm_planner(adapter=adapter).aclose())

    assert adapter.closed == 1


def test_the_system_prompt_is_the_apps() -> None:
    """A changed section reaches the model."""
    adapter = FakeAdapter([TEXT])
    _plan(llm_planner(adapter=adapter, prompt={"role": replace("Be kind.")}))

    assert adapter.asked[0][0].system[0].text == "Be kind."


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"adapter": None}, "adapter"),
        ({"adapter": FakeAdapter}, "adapter"),
        ({"prompt": "Be kind."}, "prompt"),
        ({"prompt": {"roles": remove()}}, "prompt.roles"),
        ({"prompt": {"role": transform(lambda text: 1 / 0)}}, "prompt.role"),
        ({"salvage": 1}, "salvage"),
        ({"timeout": 0}, "timeout"),
        ({"timeout": True}, "timeout"),
        ({"timeout": float("nan")}, "timeout"),
        ({"timeout": "20"}, "timeout"),
        ({"model_options": 5}, "model_options"),
        ({"model_options": {"top_p": 1}}, "model_options.top_p"),
        ({"model_options": {"temperature": "0"}}, "model_options.temperature"),
        ({"model_options": {"temperature": -1}}, "model_options.temperature"),
        ({"model_options": {"max_tokens": 0}}, "model_options.max_tokens"),
        ({"model_options": {"max_tokens": 1.0}}, "model_options.max_tokens"),
        ({"model_options": {"seed": 1}}, "model_options.seed"),
        ({"model_options": {"seed": True}}, "model_options.seed"),
        ({"model_options": {"reasoning": " "}}, "model_options.reasoning"),
        ({"model_options": ModelOptions(reasoning="low")}, "model_options.reasoning"),
    ],
)
def test_options_are_checked_when_it_is_made(options, field) -> None:
    """A wrong type, a number out of range, or what the adapter cannot send."""
    with pytest.raises(ConfigError) as raised:
        llm_planner(**{"adapter": FakeAdapter(), **options})

    assert raised.value.field == field


def test_an_unknown_argument_is_refused() -> None:
    """As Python does it, by name."""
    with pytest.raises(TypeError, match="salvaged"):
        llm_planner(adapter=FakeAdapter(), salvaged=True)
