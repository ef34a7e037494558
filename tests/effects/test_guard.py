"""Stages under an instrument that may fail; what is kept and never awaited."""

import asyncio

import pytest
from returns.result import Failure, Success

from maelstrom.adapters.testing.recorders import RecordingLogger
from maelstrom.core.errors import ParseError
from maelstrom.effects.guard import Guard, GuardedInstrument, GuardedLogger

BAD = ParseError("userMessage", "blank")


class Wrapping:
    """An instrument whose wrapper fails before, after, or by what it returns."""

    def __init__(self, how):
        self.how = how

    def event(self, name, attributes):
        pass

    def stage(self, name, stage):
        if self.how == "at once":
            raise RuntimeError("instrument")

        async def wrapped(value, context):
            if self.how == "before":
                raise RuntimeError("instrument")
            outcome = await stage(value, context)
            if self.how == "after":
                raise RuntimeError("instrument")
            return None if self.how == "forgets" else outcome

        return wrapped


@pytest.mark.parametrize("how", ["at once", "before", "after", "forgets", "well"])
def test_a_stage_runs_once_however_its_wrapper_does(how):
    """Its outcome is the stage's own, success or failure, and the stage runs once."""
    for outcome in (Success(3), Failure(BAD)):
        runs = []

        async def stage(value, context, outcome=outcome, runs=runs):
            runs.append(value)
            return outcome

        guard = Guard(RecordingLogger())
        wrapped = GuardedInstrument(Wrapping(how), guard).stage("ground", stage)
        for value in (1, 2):
            assert asyncio.run(wrapped(value, None)) == outcome
        assert runs == [1, 2]


@pytest.mark.parametrize("how", ["at once", "after", "well"])
def test_what_a_stage_raises_is_raised(how):
    """A stage's own exception is no fault of the instrument."""
    logger = RecordingLogger()

    async def stage(value, context):
        raise ValueError("stage")

    instrument = GuardedInstrument(Wrapping(how), Guard(logger))
    wrapped = instrument.stage("ground", stage)
    with pytest.raises(ValueError, match="stage"):
        asyncio.run(wrapped(1, None))
    told = [line.partition(" at ")[0] for line in logger.messages("error")]
    assert told == (
        ["maelstrom: instrument raised RuntimeError"] if how == "at once" else []
    )


def test_a_wrapper_may_not_hide_what_a_stage_raised():
    """An exception that the instrument turned into another is still the stage's."""

    class Hiding(Wrapping):
        def stage(self, name, stage):
            async def wrapped(value, context):
                try:
                    return await stage(value, context)
                except ValueError:
                    raise RuntimeError("hidden") from None

            return wrapped

    async def stage(value, context):
        raise ValueError("stage")

    wrapped = GuardedInstrument(Hiding(""), Guard(RecordingLogger())).stage("x", stage)
    with pytest.raises(ValueError, match="stage"):
        asyncio.run(wrapped(1, None))


def test_what_is_kept_may_be_closed():
    """A turn that is cancelled leaves no coroutine that was never awaited."""

    async def later():
        raise AssertionError("never runs")

    guard = Guard(RecordingLogger())
    guard.call("on_turn", later)
    guard.discard()


def test_a_planner_s_logger_is_the_app_s():
    """Each level reaches it, with what is extra."""
    logger = RecordingLogger()
    guarded = GuardedLogger(Guard(logger))
    for level in ("debug", "info", "warning", "error"):
        getattr(guarded, level)(level, extra={"n": 1})
    assert [record.level for record in logger.records] == logger.messages()
    assert all(record.extra == {"n": 1} for record in logger.records)
