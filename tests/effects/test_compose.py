"""Planners made of planners."""

import asyncio
import gc

import attrs
import pytest
from attrs import define
from returns.result import Failure, Success

from maelstrom.core.candidate import Candidate
from maelstrom.core.errors import (
    AbortedError,
    InternalError,
    ParseError,
    ProviderError,
    ValidationError,
)
from maelstrom.core.request import ChartResize, UserIntent
from maelstrom.effects.compose import pipeline, route, with_fallback
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.keyword import keyword_planner
from maelstrom.effects.offline import reflow_planner
from maelstrom.effects.retrying import with_retry
from tests.core.prompt_inputs import plan_input
from tests.effects.fakes import Recorder, context


def _says(message):
    return Success(Candidate("", (), {"type": "grid", "positions": []}, message))


@define(eq=False)
class Scripted:
    """A planner that always gives one result, and counts."""

    result: object
    calls: int = 0
    closed: int = 0

    async def __call__(self, plan_input, context):
        self.calls += 1
        return self.result

    async def aclose(self):
        self.closed += 1


def _run(planner, given=None, turn=None):
    return asyncio.run(planner(given or plan_input(), turn or context()))


DOWN = Failure(ProviderError("unavailable", "fake", "down"))


# ---------------------------------------------------------------- pipeline


async def _calmly(value, context):
    """A stage before the planner: it changes what is asked."""
    return Success(attrs.evolve(value, local_time="now"))


async def _echo(value, context):
    """A planner that says what it was told."""
    return _says(value.local_time)


async def _louder(value, context):
    """A stage after the planner: it changes the candidate."""
    return Success(attrs.evolve(value, user_message=value.user_message.upper()))


def test_each_stage_gets_what_the_one_before_made() -> None:
    """Stages before the planner see the input, later ones the candidate."""
    planner = pipeline(("calm", _calmly), ("plan", _echo), ("loud", _louder))

    assert _run(planner).unwrap().user_message == "NOW"


def test_stages_are_wrapped_once_a_turn() -> None:
    """However often the turn asks; the next turn wraps them anew."""
    recorder, planner = Recorder(), pipeline(("calm", _calmly), ("plan", _echo))
    turn = context(recorder=recorder)
    _run(planner, turn=turn)
    _run(planner, turn=turn)
    once = list(recorder.wrapped)
    _run(planner, turn=context(recorder=recorder))

    assert once == ["calm", "plan"]
    assert recorder.wrapped == once * 2


def test_wrapped_stages_go_with_their_turn() -> None:
    """Nothing of a turn is kept after it."""
    planner = pipeline(("plan", _echo))
    _run(planner)
    gc.collect()

    assert planner._wrapped == {}


def test_a_wrapped_stage_runs_in_place_of_the_stage() -> None:
    """What the instrument returns is what runs."""

    class Replacing(Recorder):
        def stage(self, name, stage):
            async def other(value, context):
                return _says(f"wrapped {name}")

            return other

    planner = pipeline(("plan", _echo))
    result = _run(planner, turn=context(recorder=Replacing()))

    assert result.unwrap().user_message == "wrapped plan"


def test_the_first_failure_ends_the_attempt() -> None:
    """Later stages do not run."""
    later = Scripted(_says("never"))

    assert _run(pipeline(("plan", Scripted(DOWN)), ("later", later))) == DOWN
    assert later.calls == 0


def test_a_pipeline_without_a_planner_is_a_bug() -> None:
    """The last stage is named."""
    failed = _run(pipeline(("calm", _calmly))).failure()

    assert isinstance(failed, InternalError)
    assert failed.stage == "calm"


@pytest.mark.parametrize(
    ("stages", "field"),
    [
        ((), "stages"),
        ((_echo,), "stages"),
        ((("plan", _echo, 1),), "stages"),
        (((" ", _echo),), "stages"),
        (((5, _echo),), "stages"),
        ((("plan", _echo), ("plan", _echo)), "stages"),
        ((("plan", None),), "stages.plan"),
    ],
)
def test_stages_are_checked(stages, field) -> None:
    """Names are texts of their own, stages can be called."""
    with pytest.raises(ConfigError) as raised:
        pipeline(*stages)

    assert raised.value.field == field


# ---------------------------------------------------------------- fallback and route


def test_falls_back_where_a_planner_fails() -> None:
    """The next one is asked with the same input, and the log says so."""
    recorder = Recorder()
    blank = Failure(ParseError("userMessage", "blank"))
    last = Scripted(_says("third"))
    planner = with_fallback(Scripted(DOWN), Scripted(blank), last)
    result = _run(planner, turn=context(recorder=recorder))

    assert result.unwrap().user_message == "third"
    assert [(level, extra) for level, _, extra in recorder.logged] == [
        ("warning", {"error.type": "provider_error.unavailable"}),
        ("warning", {"error.type": "parse_error"}),
    ]


def test_the_first_that_works_is_enough() -> None:
    """No other planner is asked."""
    second = Scripted(_says("second"))

    assert _run(with_fallback(Scripted(_says("first")), second)) == _says("first")
    assert second.calls == 0


@pytest.mark.parametrize(
    "error", [AbortedError("signal", "stop"), ValidationError("chart", "failed")]
)
def test_some_errors_are_final(error) -> None:
    """The caller's wish and the app's customizer would stop any planner."""
    second = Scripted(_says("second"))

    assert _run(with_fallback(Scripted(Failure(error)), second)) == Failure(error)
    assert second.calls == 0


def test_the_last_error_is_the_result() -> None:
    """Where all fail."""
    last = Failure(ParseError("userMessage", "blank"))

    assert _run(with_fallback(Scripted(DOWN), Scripted(last))) == last


@pytest.mark.parametrize(
    ("reasons", "message"),
    [
        ((ChartResize(),), "resized"),
        ((ChartResize(), UserIntent("Hello")), "asked"),
    ],
)
def test_routes_by_the_reason(reasons, message) -> None:
    """A resize batched with any other reason is an ordinary turn."""
    planner = route(
        is_resize_only=Scripted(_says("resized")), otherwise=Scripted(_says("asked"))
    )

    assert _run(planner, plan_input(reasons=reasons)) == _says(message)


def test_planners_are_checked() -> None:
    """What cannot be called is named."""
    with pytest.raises(ConfigError, match="planner 2"):
        with_fallback(_echo, None)
    with pytest.raises(ConfigError, match="otherwise"):
        route(is_resize_only=_echo, otherwise=None)
    for uncalled in (reflow_planner, keyword_planner):
        with pytest.raises(ConfigError, match="is_resize_only"):
            route(is_resize_only=uncalled, otherwise=_echo)


# ---------------------------------------------------------------- closing


def test_closing_passes_through() -> None:
    """Each planner is closed, once, however deep it stands."""
    one, two, three = (Scripted(DOWN) for _ in range(3))
    planner = route(
        is_resize_only=with_fallback(with_retry(one), two, _echo),
        otherwise=pipeline(("plan", three), ("again", three)),
    )
    asyncio.run(planner.aclose())

    assert [one.closed, two.closed, three.closed] == [1, 1, 1]


def test_one_that_cannot_close_keeps_no_other_open() -> None:
    """The others are closed, then the error is raised."""

    class Broken(Scripted):
        async def aclose(self):
            raise ZeroDivisionError

    good = Scripted(DOWN)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(with_fallback(Broken(DOWN), good).aclose())

    assert good.closed == 1
