"""The engine around a turn: what it refuses, how it waits, what it says, how it ends."""

import asyncio
import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.adapters.history_memory import MemoryHistory
from maelstrom.adapters.testing.clock import ManualClock
from maelstrom.adapters.testing.recorders import (
    RecordingInstrument,
    RecordingLogger,
    RecordingObserver,
)
from maelstrom.adapters.testing.scripted import scripted_adapter
from maelstrom.core.candidate import Candidate
from maelstrom.core.errors import (
    AbortedError,
    HistoryError,
    InternalError,
    ProviderError,
    RequestValidationError,
    SessionBusyError,
)
from maelstrom.core.request import ChartResize
from maelstrom.core.retry import RetryPolicy
from maelstrom.core.wire import encode_message
from maelstrom.effects.compose import route
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.create import create_engine
from maelstrom.effects.keyword import keyword_planner
from maelstrom.effects.offline import reflow_planner, scripted_planner
from maelstrom.effects.planner import llm_planner
from maelstrom.effects.retrying import RetryPlan, with_retry
from tests.core.turn_samples import (
    BY_SEVERITY,
    GOOD,
    LOST,
    MEDIUM,
    TIMEOUT,
    candidate,
    message,
    position,
)


def raised(who, logger):
    """How often the log says that a plug-in raised, and where."""
    start = f"maelstrom: {who} raised RuntimeError at test_engine.py:"
    return sum(line.startswith(start) for line in logger.messages("error"))


def slow(clock, seconds, proposal=GOOD):
    """A planner that takes its time."""

    async def plan(plan_input, context):
        await clock.sleep(seconds)
        return Success(proposal)

    return plan


class Faulty(MemoryHistory):
    """A store whose operations fail with these errors before they work."""

    def __init__(self, **errors):
        super().__init__()
        self.errors = errors
        self.calls = []

    def next(self, operation):
        self.calls.append(operation)
        waiting = self.errors.get(operation, [])
        return waiting.pop(0) if waiting else None

    async def find(self, session_id, request_id):
        error = self.next("find")
        return Failure(error) if error else await super().find(session_id, request_id)

    async def load(self, session_id, limit):
        error = self.next("load")
        if isinstance(error, Exception):
            raise error
        return Failure(error) if error else await super().load(session_id, limit)

    async def append(self, session_id, turn, expected_seq):
        error = self.next("append")
        if error:
            return Failure(error)
        return await super().append(session_id, turn, expected_seq)

    async def delete(self, session_id):
        error = self.next("delete")
        if isinstance(error, Exception):
            raise error
        return Failure(error) if error else await super().delete(session_id)


def away(operation="load", kind="unavailable"):
    """A failure of a store."""
    return HistoryError(kind, operation, "away")


# ---------------------------------------------------------------- what is refused


def test_an_engine_belongs_to_its_first_loop():
    """On another event loop it answers InternalError(loop)."""
    engine = create_engine(planner=reflow_planner(), history=MemoryHistory())
    assert is_successful(asyncio.run(engine.handle(message())))
    failure = asyncio.run(engine.handle(message("m2"))).failure()
    assert (failure.stage, failure.session_id, failure.id) == ("loop", "s1", "m2")
    assert asyncio.run(engine.delete_session("s1")).failure().stage == "loop"
    assert not asyncio.run(engine.ready())


class ThreadSignal:
    """threading.Event's shape: its wait is no coroutine function."""

    def is_set(self):
        return False

    def wait(self):
        return True


@pytest.mark.parametrize("signal", [ThreadSignal(), 3, "stop"])
def test_a_signal_must_be_awaitable(signal):
    """InternalError(signal), and no model call."""
    planner = scripted_planner([GOOD])
    engine = create_engine(planner=planner)
    assert asyncio.run(engine.handle(message(), signal)).failure().stage == "signal"
    assert planner.asked == []


class BrokenSignal:
    """A signal that raises whatever is asked of it."""

    def is_set(self):
        raise RuntimeError("is_set")

    async def wait(self):
        raise RuntimeError("wait")


def test_a_signal_that_raises_is_no_signal():
    """It is logged, and the turn goes on."""
    logger = RecordingLogger()
    engine = create_engine(planner=reflow_planner(), logger=logger)
    assert is_successful(asyncio.run(engine.handle(message(), BrokenSignal())))
    assert raised("signal", logger)


@pytest.mark.parametrize("timeout", ["1", True, float("nan"), []])
def test_a_timeout_is_a_number(timeout):
    """InternalError(timeout); nothing is raised."""
    engine = create_engine(planner=reflow_planner())
    failure = asyncio.run(engine.handle(message(), timeout=timeout)).failure()
    assert failure.stage == "timeout"


@pytest.mark.parametrize("timeout", [0, -1])
def test_no_time_is_a_deadline(timeout):
    """A turn without time ends before anything is asked."""
    planner = scripted_planner([GOOD])
    engine = create_engine(planner=planner)
    failure = asyncio.run(engine.handle(message(), timeout=timeout)).failure()
    assert (failure.cause, planner.asked) == ("deadline", [])


def test_infinite_time_is_none():
    """A timeout may be infinite."""
    engine = create_engine(planner=reflow_planner())
    assert is_successful(asyncio.run(engine.handle(message(), timeout=float("inf"))))


# ---------------------------------------------------------------- time


def test_the_deadline_counts_from_the_call():
    """The wait for the session is part of the turn's time."""

    async def scenario():
        clock = ManualClock()
        planner = slow(clock, 40)
        engine = create_engine(planner=planner, clock=clock, lock_timeout=100)
        first = asyncio.create_task(engine.handle(message()))
        await clock.advance(1)
        second = asyncio.create_task(engine.handle(message("m2")))
        await clock.advance(39)
        assert is_successful(await first)
        await clock.advance(20)
        assert not second.done()
        await clock.advance(1)
        assert (await second).failure().cause == "deadline"

    asyncio.run(scenario())


def test_the_deadline_serves_the_earlier_answer():
    """A retry that is too slow costs nothing but the time."""

    async def scenario():
        clock = ManualClock()

        async def plan(plan_input, context):
            await clock.sleep(5 if plan_input.attempt == 1 else 500)
            return Success(MEDIUM)

        engine = create_engine(planner=plan, clock=clock, history=MemoryHistory())
        turn = asyncio.create_task(engine.handle(message(), timeout=20))
        await clock.advance(20)
        output = (await turn).unwrap()
        assert output.payload.user_message == "Medium."
        (recorded,) = (await engine.get_history("s1")).unwrap()
        assert recorded.attempts == 2

    asyncio.run(scenario())


def test_the_model_call_is_cancelled():
    """A signal does not wait for the planner, and the planner does not run on."""

    async def scenario():
        clock, stop, seen = ManualClock(), asyncio.Event(), []

        async def plan(plan_input, context):
            try:
                await clock.sleep(50)
            except asyncio.CancelledError:
                seen.append("cancelled")
                raise

        engine = create_engine(planner=plan, clock=clock)
        turn = asyncio.create_task(engine.handle(message(), stop))
        await clock.advance(1)
        stop.set()
        assert (await turn).failure().cause == "signal"
        assert seen == ["cancelled"]

    asyncio.run(scenario())


def test_a_session_that_is_not_free_in_time():
    """SessionBusyError after lock_timeout, with a hint when to come back."""

    async def scenario():
        clock = ManualClock()
        engine = create_engine(planner=slow(clock, 50), clock=clock)
        first = asyncio.create_task(engine.handle(message()))
        await clock.advance(1)
        second = asyncio.create_task(engine.handle(message("m2")))
        await clock.advance(30)
        failure = (await second).failure()
        assert isinstance(failure, SessionBusyError)
        assert failure.retry_after_ms > 0
        await clock.advance(30)
        assert is_successful(await first)

    asyncio.run(scenario())


@pytest.mark.parametrize("max_waiting", [0, 1, 3])
def test_a_queue_that_is_full(max_waiting):
    """So many may wait for a session; the next is refused at once."""

    async def scenario():
        clock = ManualClock()
        engine = create_engine(
            planner=slow(clock, 1), clock=clock, max_waiting=max_waiting
        )
        turns = [
            asyncio.create_task(engine.handle(message(f"m{n}")))
            for n in range(max_waiting + 2)
        ]
        await clock.advance(0)
        assert [turn.done() for turn in turns] == [*[False] * (max_waiting + 1), True]
        assert isinstance(turns[-1].result().failure(), SessionBusyError)
        other = asyncio.create_task(engine.handle(message(session="s2")))
        await clock.advance(9)
        assert all(is_successful(turn.result()) for turn in [*turns[:-1], other])

    asyncio.run(scenario())


def test_so_many_turns_at_once_in_order():
    """max_concurrent_turns bounds the engine; who waits goes on in order."""

    async def scenario():
        clock, begun = ManualClock(), []

        async def plan(plan_input, context):
            begun.append(context.message_id)
            await clock.sleep(1)
            return Success(GOOD)

        engine = create_engine(planner=plan, clock=clock, max_concurrent_turns=2)
        turns = [
            asyncio.create_task(engine.handle(message(f"m{n}", session=f"s{n}")))
            for n in range(5)
        ]
        for running in (2, 4, 5):
            await clock.advance(0)
            assert begun == [f"m{n}" for n in range(running)]
            await clock.advance(1)
        assert all(is_successful(turn.result()) for turn in turns)

    asyncio.run(scenario())


# ---------------------------------------------------------------- history


@pytest.mark.parametrize("operation", ["find", "load", "append"])
def test_a_store_that_is_away_is_asked_three_times(operation):
    """Twice again, under a second; then the turn goes on without."""

    async def scenario(failures):
        clock, logger = ManualClock(auto=True), RecordingLogger()
        instrument = RecordingInstrument()
        store = Faulty(**{operation: [away(operation)] * failures})
        engine = create_engine(
            planner=reflow_planner(),
            history=store,
            clock=clock,
            logger=logger,
            instrument=instrument,
        )
        assert is_successful(await engine.handle(message()))
        assert store.calls.count(operation) == min(failures + 1, 3)
        assert len(clock.slept) == min(failures, 2)
        assert sum(clock.slept) < 1
        failed = instrument.names.count("maelstrom.history.failed")
        assert failed == (failures == 3)
        turns = (await MemoryHistory.load(store, "s1", 9)).unwrap().turns
        assert len(turns) == (failures < 3)
        level = "error" if operation == "append" else "warning"
        assert logger.messages(level).count("maelstrom.history.failed") == failed

    for failures in (1, 2, 3):
        asyncio.run(scenario(failures))


@pytest.mark.parametrize("kind", ["corrupt", "newer_version"])
def test_what_is_corrupt_is_not_tried_again(kind):
    """It would be so again; the turn goes on without."""
    store = Faulty(load=[away(kind=kind)])
    engine = create_engine(planner=reflow_planner(), history=store)
    assert is_successful(asyncio.run(engine.handle(message())))
    assert store.calls == ["find", "load"]


@pytest.mark.parametrize("operation", ["find", "load", "append"])
def test_a_history_that_is_required(operation):
    """Its failure is the caller's to see, at once."""
    store = Faulty(**{operation: [away(operation)]})
    engine = create_engine(
        planner=reflow_planner(), history=store, history_required=True
    )
    failure = asyncio.run(engine.handle(message())).failure()
    assert (failure.kind, failure.operation) == ("unavailable", operation)
    assert failure.session_id == "s1"


def test_history_of_a_store_that_fails():
    """get_history gives its error, or unavailable where it raised."""

    async def scenario():
        store = Faulty(load=[away(kind="corrupt"), RuntimeError("boom")])
        engine = create_engine(planner=reflow_planner(), history=store)
        assert (await engine.get_history("s1")).failure().kind == "corrupt"
        assert (await engine.get_history("s1")).failure().kind == "unavailable"
        assert (await engine.get_history("s1")).unwrap() == ()
        assert (await engine.get_history("s1", "many")).failure().kind == "unavailable"

    asyncio.run(scenario())


def test_a_session_is_deleted_under_its_lock():
    """A turn that runs is recorded first; the session then starts anew."""

    async def scenario():
        clock, store = ManualClock(), MemoryHistory()
        engine = create_engine(planner=slow(clock, 1), clock=clock, history=store)
        turn = asyncio.create_task(engine.handle(message()))
        await clock.advance(0)
        deleting = asyncio.create_task(engine.delete_session("s1"))
        await clock.advance(0)
        assert not deleting.done()
        await clock.advance(1)
        assert is_successful(await turn)
        assert await deleting == Success(None)
        assert (await store.load("s1", 9)).unwrap().seq == 0

    asyncio.run(scenario())


def test_deleting_may_fail():
    """Busy, a store that fails, a store that raises; without a history it is done."""

    async def scenario():
        clock = ManualClock()
        store = Faulty(delete=[away("delete"), RuntimeError("boom")])
        engine = create_engine(planner=slow(clock, 50), clock=clock, history=store)
        failure = (await engine.delete_session("s1")).failure()
        assert (failure.operation, failure.session_id) == ("delete", "s1")
        assert (await engine.delete_session("s1")).failure().stage == "delete"
        assert await engine.with_(history=None).delete_session("s1") == Success(None)
        turn = asyncio.create_task(engine.handle(message()))
        await clock.advance(0)
        deleting = asyncio.create_task(engine.delete_session("s1"))
        await clock.advance(30)
        assert isinstance((await deleting).failure(), SessionBusyError)
        await clock.advance(20)
        await turn

    asyncio.run(scenario())


# ---------------------------------------------------------------- planners


def test_a_planner_gets_what_it_needs():
    """The message, its local time, the window, and the same context each attempt."""
    contexts = []

    def reply(plan_input, context):
        contexts.append(context)
        return MEDIUM

    planner = scripted_planner([GOOD, reply, reply])

    async def scenario():
        engine = create_engine(planner=planner, history=MemoryHistory())
        await engine.handle(message("m1"))
        await engine.handle(message("m2"))

    asyncio.run(scenario())
    _, first, second = planner.asked
    assert first.local_time == "Thursday, 2026-01-01 00:00 (UTC)"
    assert [turn.request_id for turn in first.history] == ["m1"]
    assert (first.attempt, second.attempt) == (1, 2)
    assert second.feedback.attempt == 2
    assert contexts[0] is contexts[1]
    assert (contexts[0].session_id, contexts[0].message_id) == ("s1", "m2")


@pytest.mark.parametrize(
    "reply",
    [
        RuntimeError("boom"),
        TimeoutError("mine"),
        lambda given, context: Success("no candidate"),
        lambda given, context: Failure("no error"),
        lambda given, context: None,
    ],
    ids=["raises", "times out", "no candidate", "no error", "nothing"],
)
def test_a_planner_that_is_broken(reply):
    """InternalError(plan): what it raised is in the log, never in the answer."""
    logger = RecordingLogger()
    engine = create_engine(planner=scripted_planner([reply]), logger=logger)
    failure = asyncio.run(engine.handle(message())).failure()
    assert (type(failure), failure.stage) == (InternalError, "plan")
    assert "boom" not in failure.message
    (line,) = [r for r in logger.records if "maelstrom.exception" in r.extra]
    assert "Traceback" in line.extra["maelstrom.exception"]


def test_a_planner_that_swallows_its_cancel():
    """The turn is over all the same: what it says then is not served."""

    async def scenario():
        clock = ManualClock()

        async def plan(plan_input, context):
            try:
                await clock.sleep(500)
            except asyncio.CancelledError:
                return Success(GOOD)

        engine = create_engine(planner=plan, clock=clock)
        turn = asyncio.create_task(engine.handle(message(), timeout=5))
        await clock.advance(5)
        assert (await turn).failure().cause == "deadline"

    asyncio.run(scenario())


def test_what_ends_a_program_passes():
    """KeyboardInterrupt is nobody's Result."""

    async def plan(plan_input, context):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(create_engine(planner=plan).handle(message()))


def test_a_resize_without_a_model():
    """reflow_planner answers with the chart made to fit, in words of its own."""
    engine = create_engine(planner=reflow_planner(message="Fits."))
    asked = message(reasons=(ChartResize(),), columns=3, rows=3)
    payload = asyncio.run(engine.handle(asked)).unwrap().payload
    assert payload.user_message == "Fits."
    assert payload.layout.positions[0].size.width == 3


def test_a_resize_behind_route_costs_no_token():
    """The model is not asked for it, nor told of anything; the user's wish it is."""
    adapter = scripted_adapter(["no answer, but asked"])
    planner = route(
        is_resize_only=reflow_planner(), otherwise=llm_planner(adapter=adapter)
    )
    engine = create_engine(planner=planner)

    async def scenario():
        (await engine.handle(message("r", reasons=(ChartResize(),)))).unwrap()
        told_of_the_resize = len(adapter.asked)
        await engine.handle(message("u"))
        return told_of_the_resize, len(adapter.asked)

    assert asyncio.run(scenario()) == (0, 1)


@pytest.mark.parametrize("options", [{"message": " "}, {"policy": "gentle"}])
def test_reflow_planner_checks_its_options(options):
    """ConfigError names the option."""
    with pytest.raises(ConfigError) as caught:
        reflow_planner(**options)
    assert caught.value.field in options


def test_a_script_that_is_over():
    """Another attempt than was written down is `unavailable`."""
    engine = create_engine(planner=scripted_planner([Failure(TIMEOUT), TIMEOUT]))

    async def scenario():
        return [(await engine.handle(message())).failure().kind for _ in range(3)]

    assert asyncio.run(scenario()) == ["timeout", "timeout", "unavailable"]


# ---------------------------------------------------------------- telemetry


def test_events_of_a_turn_in_order():
    """Started, the lock, healed, retried, healed, finished; each with the ids."""
    instrument, logger = RecordingInstrument(), RecordingLogger()
    observer = RecordingObserver()
    engine = create_engine(
        planner=scripted_planner([MEDIUM, candidate(position("notes-1", 99, 0))]),
        instrument=instrument,
        logger=logger,
        on_turn=observer,
    )
    asyncio.run(engine.handle(message()))
    assert instrument.names == [
        "maelstrom.turn.started",
        "maelstrom.lock.waited",
        "maelstrom.turn.healed",
        "maelstrom.turn.retried",
        "maelstrom.turn.healed",
        "maelstrom.turn.finished",
    ]
    for _, attributes in instrument.events:
        assert attributes["maelstrom.session_id"] == "s1"
        assert attributes["maelstrom.message_id"] == "m1"
    healed = [a for name, a in instrument.events if name.endswith("healed")]
    assert healed[0]["maelstrom.skip.action_not_valid"] == 1
    assert healed[1]["maelstrom.drop.position_overflow"] == 1
    finished = instrument.events[-1][1]
    assert finished["maelstrom.decision"] == "served"
    assert finished["maelstrom.attempts"] == 2
    assert finished["maelstrom.severity"] == "medium"
    (dropped,) = [r for r in logger.records if r.message == "maelstrom.heal.dropped"]
    assert dropped.level == "info"
    assert dropped.extra["maelstrom.path"] == "layout.positions.0"
    (turn,) = observer.turns
    assert turn.served == 1


@pytest.mark.parametrize(
    ("reply", "error_type"),
    [
        (TIMEOUT, "provider_error.timeout"),
        (RuntimeError("x"), "internal_error.plan"),
        (AbortedError("deadline", "late"), "aborted_error.deadline"),
        (candidate(say=" "), "parse_error"),
    ],
)
def test_how_a_failure_is_called(reply, error_type):
    """`error.type` is the error's wire type, and what narrows it down."""
    instrument = RecordingInstrument()
    engine = create_engine(planner=scripted_planner([reply]), instrument=instrument)
    assert not is_successful(asyncio.run(engine.handle(message())))
    assert instrument.events[-1][1]["error.type"] == error_type


def test_a_message_that_was_not_readable_is_reported_too():
    """With what ids it had; its text is nowhere in it."""
    instrument, observer = RecordingInstrument(), RecordingObserver()
    engine = create_engine(
        planner=reflow_planner(), instrument=instrument, on_turn=observer
    )
    broken = {**encode_message(message()), "timestamp": "secret"}
    asyncio.run(engine.handle(broken))
    ((name, attributes),) = instrument.events
    assert name == "maelstrom.turn.finished"
    assert attributes["error.type"] == "request_validation_error"
    assert attributes["maelstrom.session_id"] == "s1"
    assert "secret" not in str(attributes)
    assert observer.turns[0].message is None


@pytest.mark.parametrize("log_content", [False, True])
def test_content_is_logged_only_where_it_may_be(log_content):
    """User text and model text: at debug, and only with log_content."""
    logger = RecordingLogger()
    secret = candidate(
        position("ghost-secret", 1, 1), say="secret a", rationale="secret b"
    )
    engine = create_engine(
        planner=scripted_planner([secret] * 2), logger=logger, log_content=log_content
    )
    asyncio.run(engine.handle(message(intent="secret c")))
    told = [r for r in logger.records if "secret" in f"{r.message} {dict(r.extra)}"]
    assert {record.level for record in told} == ({"debug"} if log_content else set())
    assert len({str(r.extra["maelstrom.text"]) for r in told}) == 3 * log_content


class Broken:
    """A logger, instrument and observer that raise, at once or when awaited."""

    def __init__(self, awaited):
        self.awaited = awaited

    def fail(self, *args, **options):
        async def later():
            raise RuntimeError("plug-in")

        if self.awaited:
            return later()
        raise RuntimeError("plug-in")

    debug = info = warning = error = event = __call__ = fail

    def stage(self, name, stage):
        raise RuntimeError("plug-in")


@pytest.mark.parametrize("awaited", [False, True])
def test_plug_ins_that_fail_fail_no_turn(awaited):
    """Logger, instrument and observer, sync or async."""
    broken, logger = Broken(awaited), RecordingLogger()
    options = {"instrument": broken, "on_turn": broken}
    for log in (broken, logger):
        engine = create_engine(planner=reflow_planner(), logger=log, **options)
        assert is_successful(asyncio.run(engine.handle(message())))
    assert raised("on_turn", logger)
    assert raised("instrument", logger)


def test_plug_ins_may_be_async():
    """What they return is awaited, in order, before the answer is given."""
    seen = []

    class Async:
        async def say(self, message, *, extra):
            await asyncio.sleep(0)
            seen.append(message)

        debug = info = warning = error = say

    async def observer(diagnostics):
        await asyncio.sleep(0)
        seen.append(diagnostics.decision)

    engine = create_engine(planner=reflow_planner(), logger=Async(), on_turn=observer)
    assert is_successful(asyncio.run(engine.handle(message())))
    assert seen[0] == "maelstrom.turn.started"
    assert seen[-2:] == ["maelstrom.turn.finished", "served"]


def test_an_observer_that_hangs_hangs_no_caller():
    """It is cut off after a few seconds, and that is logged."""

    async def scenario():
        clock, logger = ManualClock(), RecordingLogger()

        async def observer(diagnostics):
            await asyncio.Event().wait()

        engine = create_engine(
            planner=reflow_planner(), on_turn=observer, clock=clock, logger=logger
        )
        turn = asyncio.create_task(engine.handle(message()))
        await clock.advance(5)
        assert is_successful(await turn)
        assert any("too long" in line for line in logger.messages("warning"))

    asyncio.run(scenario())


def test_the_standard_logger_fits(caplog):
    """By default the logger `maelstrom` is told."""
    caplog.set_level(logging.DEBUG, logger="maelstrom")
    asyncio.run(create_engine(planner=reflow_planner()).handle(message()))
    assert "maelstrom.turn.finished" in caplog.messages


def test_the_standard_logger_says_what_failed(caplog):
    """Where an app set up no logging, the message is all that anybody sees."""
    asyncio.run(create_engine(planner=reflow_planner()).handle(b"{"))
    oops = create_engine(planner=reflow_planner(), on_turn=lambda _: 1 / 0)
    asyncio.run(oops.handle(message()))
    refused, raised = caplog.messages
    assert refused == "maelstrom.turn.finished: request_validation_error"
    assert raised.startswith(
        "maelstrom: on_turn raised ZeroDivisionError at test_engine"
    )


# ---------------------------------------------------------------- its end


class Closable:
    """A planner that can be closed."""

    def __init__(self):
        self.closed = 0

    async def __call__(self, plan_input, context):
        return Success(GOOD)

    async def aclose(self):
        self.closed += 1
        raise RuntimeError("cannot close")


def test_an_engine_closes_what_it_was_given_once():
    """Also where closing raises; copies close nothing, and an engine closes twice."""

    async def scenario():
        planner, logger = Closable(), RecordingLogger()
        engine = create_engine(planner=planner, logger=logger)
        copy = engine.with_(logger=RecordingLogger())
        await copy.aclose()
        assert planner.closed == 0
        await engine.aclose()
        await engine.aclose()
        assert planner.closed == 1
        assert raised("aclose", logger)
        failure = (await engine.handle(message())).failure()
        assert (failure.cause, failure.id) == ("shutdown", "m1")
        assert not await engine.ready()

    asyncio.run(scenario())


def test_closing_lets_turns_finish_for_a_while():
    """Within the grace they finish; past it they end in AbortedError(shutdown)."""

    async def scenario():
        clock = ManualClock()
        engine = create_engine(planner=slow(clock, 5), clock=clock)
        quick = asyncio.create_task(engine.handle(message(session="s1")))
        await clock.advance(3)
        late = asyncio.create_task(engine.handle(message(session="s2")))
        await clock.advance(0)
        closing = asyncio.create_task(engine.aclose(grace=4))
        await clock.advance(4)
        assert is_successful(await quick)
        assert (await late).failure().cause == "shutdown"
        await closing

    asyncio.run(scenario())


def test_ready_asks_a_store_that_is_required():
    """Without one a turn could run; a store that does not answer is not ready."""

    async def scenario():
        class Hanging(MemoryHistory):
            async def load(self, session_id, limit):
                await asyncio.Event().wait()

        async def is_ready(store, clock, required=True):
            engine = create_engine(
                planner=reflow_planner(),
                history=store,
                history_required=required,
                clock=clock,
            )
            asking = asyncio.create_task(engine.ready())
            await clock.advance(10)
            return await asking

        clock = ManualClock()
        assert await create_engine(planner=reflow_planner()).ready()
        assert await is_ready(MemoryHistory(), clock)
        assert not await is_ready(Faulty(load=[away()]), clock)
        assert not await is_ready(Faulty(load=[RuntimeError("boom")]), clock)
        assert not await is_ready(Hanging(), clock)
        assert await is_ready(Hanging(), clock, required=False)

    asyncio.run(scenario())


def test_a_copy_shares_the_sessions():
    """A copy and its origin never run two turns of one session at a time."""

    async def scenario():
        clock = ManualClock()
        engine = create_engine(planner=slow(clock, 2), clock=clock)
        copy = engine.with_(planner=reflow_planner())
        first = asyncio.create_task(engine.handle(message()))
        await clock.advance(0)
        second = asyncio.create_task(copy.handle(message("m2")))
        await clock.advance(1)
        assert not second.done()
        await clock.advance(1)
        assert is_successful(await first)
        assert is_successful(await second)

    asyncio.run(scenario())


def test_a_copy_may_have_its_own_lock():
    """A lock that is given is used; None is a new one in this process."""

    async def scenario():
        clock = ManualClock()
        engine = create_engine(planner=slow(clock, 2), clock=clock)
        copy = engine.with_(planner=reflow_planner(), lock=None)
        first = asyncio.create_task(engine.handle(message()))
        await clock.advance(0)
        assert is_successful(await copy.handle(message("m2")))
        await clock.advance(2)
        await first

    asyncio.run(scenario())


def test_a_lock_that_is_broken():
    """One that raises as it is had ends the turn; as it is given back, it does not."""

    class Lease:
        def lost(self):
            return True

    class Lock:
        def __init__(self, enter=None, leave=None):
            self.faults = (enter, leave)

        def hold(self, session_id):
            return self

        async def __aenter__(self):
            if self.faults[0]:
                raise self.faults[0]
            return Lease()

        async def __aexit__(self, *error):
            if self.faults[1]:
                raise self.faults[1]
            return True

        async def aclose(self):
            pass

    async def scenario():
        logger = RecordingLogger()
        engine = create_engine(planner=reflow_planner(), logger=logger)
        broken = engine.with_(lock=Lock(enter=RuntimeError("enter")))
        assert (await broken.handle(message())).failure().stage == "lock"
        leaving = engine.with_(lock=Lock(leave=RuntimeError("leave")))
        assert is_successful(await leaving.handle(message()))
        assert raised("lock", logger) == 2
        assert any("lost" in line for line in logger.messages("warning"))

    asyncio.run(scenario())


# ---------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("planner", 3),
        ("planner", keyword_planner),  # which has to be called
        ("planner", lambda plan_input: None),
        ("history", "sqlite"),
        ("history", MemoryHistory),
        ("history_required", 1),
        ("history_required", True),
        ("history_turns", -1),
        ("history_turns", 1.5),
        ("history_chars", True),
        ("retry", 1),
        ("retry", True),
        ("heal", None),
        ("on_unrecoverable", "blank"),
        ("on_unrecoverable", []),
        ("fallback_message", "  "),
        ("fallback_message", "\ud800"),
        ("lock", asyncio.Lock),
        ("max_waiting", -1),
        ("lock_timeout", -1),
        ("lock_timeout", float("inf")),
        ("turn_timeout", 0),
        ("turn_timeout", "60"),
        ("max_concurrent_turns", 0),
        ("limits", {}),
        ("clock", None),
        ("ids", "uuid"),
        ("logger", print),
        ("instrument", None),
        ("on_turn", 3),
        ("log_content", "yes"),
        ("retries", 3),
    ],
)
def test_an_option_that_is_wrong(name, value):
    """ConfigError names it: unknown, of the wrong type, or out of its range."""
    with pytest.raises(ConfigError) as caught:
        create_engine(**{"planner": reflow_planner(), name: value})
    assert caught.value.field == name
    assert name in str(caught.value)


@pytest.mark.parametrize(
    ("name", "words"),
    [("histroy", "no such option: did you mean history?"), ("x", "no such option")],
)
def test_a_misspelt_option_is_told_the_right_one(name, words):
    """Where one is alike."""
    with pytest.raises(ConfigError) as caught:
        create_engine(**{"planner": reflow_planner(), name: 1})
    assert caught.value.message.endswith(words)


@pytest.mark.parametrize("given", ["text", Candidate("", (), {}, "")])
def test_a_planner_that_breaks_its_contract(given):
    """The log says what a planner has to give, and what this one gave."""
    logger = RecordingLogger()

    async def later(*_):
        return given

    for planner in (later, lambda *_: given):
        engine = create_engine(planner=planner, logger=logger)
        failure = asyncio.run(engine.handle(message())).failure()
        assert (failure.stage, "see the log" in failure.message) == ("plan", True)
    words = "the planner has to give a Result of a Candidate or of an EngineError"
    told = f"maelstrom: {words}, and gave {type(given).__name__}"
    assert logger.messages("error").count(told) == 2


@pytest.mark.parametrize(
    ("name", "value"), [("retry", False), ("log_content", True), ("clock", 3)]
)
def test_only_handlers_are_swapped(name, value):
    """with_ takes what acts, not how turns are decided; and checks it."""
    engine = create_engine(planner=reflow_planner())
    with pytest.raises(ConfigError) as caught:
        engine.with_(**{name: value})
    assert caught.value.field == name


@pytest.mark.parametrize(
    ("retry", "calls"), [(False, 1), (RetryPolicy(max=0), 1), (RetryPolicy(max=3), 4)]
)
def test_how_often_is_asked(retry, calls):
    """False is no retry at all."""
    planner = scripted_planner([LOST] * 9)
    engine = create_engine(planner=planner, retry=retry)
    output = asyncio.run(engine.handle(message())).unwrap()
    assert len(planner.asked) == calls
    assert output.payload.execution_plan == ()


# ---------------------------------------------------------------- nothing is raised

_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(("notes-1", "notes", "list", "grid", "tiling", "fold")),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(max_size=4)
            | st.sampled_from(
                ("instanceId", "position", "size", "type", "positions", "nodes", "root")
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


def answer(given, planner=None):
    """What the engine answers, in a loop of its own."""
    engine = create_engine(planner=planner or reflow_planner(), history=MemoryHistory())
    return asyncio.run(engine.handle(given))


@given(st.binary(max_size=200) | st.text(max_size=200) | _json)
def test_no_message_raises(given_message):
    """Any bytes, any text, any JSON: a Result."""
    failure = answer(given_message).failure()
    assert isinstance(failure, RequestValidationError)


@given(st.data())
def test_no_broken_message_raises(data):
    """A good message with something else anywhere in it: a Result."""
    value = encode_message(message())
    holder, path = value, []
    while isinstance(holder, dict | list) and holder:
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        path.append((holder, data.draw(st.sampled_from(keys))))
        holder = holder[path[-1][1]]
    where, key = data.draw(st.sampled_from(path))
    where[key] = data.draw(_json)
    assert isinstance(answer(value), Result)


_proposals = st.builds(
    Candidate,
    st.text() | _json,
    st.lists(_json, max_size=4).map(tuple) | _json,
    _json
    | st.builds(lambda pieces: {"type": "grid", "positions": pieces}, st.lists(_json)),
    st.text() | _json,
)


@given(_proposals | st.sampled_from([*BY_SEVERITY.values()]))
def test_no_candidate_raises(proposal):
    """Whatever a planner proposes: a valid output, a ParseError or InternalError."""
    result = answer(message(), scripted_planner([proposal, proposal]))
    if not is_successful(result):
        failure = result.failure()
        assert type(failure).__name__ in {"ParseError", "InternalError"}
        assert getattr(failure, "stage", "plan") == "plan"


@given(_json)
def test_no_planner_raises(outcome):
    """Whatever a planner returns instead of a Result: InternalError(plan)."""

    async def plan(plan_input, context):
        return outcome

    assert answer(message(), plan).failure().stage == "plan"


def test_errors_of_a_provider_are_passed_on():
    """With the ids of the message, and nothing else changed."""
    hint = ProviderError("rate_limited", "demo", "slow down", retry_after_ms=1_500)
    failure = answer(message(), scripted_planner([hint])).failure()
    assert (failure.kind, failure.retry_after_ms) == ("rate_limited", 1_500)
    assert (failure.session_id, failure.id) == ("s1", "m1")


# ---------------------------------------------------------------- bugs, and the whole


class Trap(dict):
    """No JSON of this world: it raises where it is read."""

    def get(self, key, default=None):
        raise RuntimeError("trap")


def test_a_bug_of_ours_ends_one_turn_alone():
    """InternalError, in the log with its trace; the session's next turn runs."""

    async def scenario():
        logger = RecordingLogger()
        trap = Candidate("why", (), Trap(), "Hello")
        planner = scripted_planner([trap, GOOD])
        engine = create_engine(planner=planner, logger=logger)
        failure = (await engine.handle(message())).failure()
        assert (failure.stage, failure.id) == ("turn", "m1")
        assert raised("turn", logger)
        assert is_successful(await engine.handle(message()))
        failure = (await engine.handle(message(), timeout=10**400)).failure()
        assert failure.stage == "engine"

    asyncio.run(scenario())


def test_a_turn_with_a_model_from_end_to_end():
    """The prompt, the answer and the call are in the diagnostics and the events."""
    text = json.dumps(
        {
            "rationale": "As asked.",
            "executionPlan": [],
            "layout": {"type": "grid", "positions": [position("notes-1", 1, 1)]},
            "userMessage": "Here you are.",
        }
    )
    adapter = scripted_adapter(["no JSON at all", text])
    instrument, observer = RecordingInstrument(), RecordingObserver()
    planner = with_retry(llm_planner(adapter=adapter), RetryPlan(attempts=2))
    engine = create_engine(
        planner=planner,
        instrument=instrument,
        on_turn=observer,
        clock=ManualClock(auto=True),
    )

    async def scenario():
        result = await engine.handle(message())
        await engine.aclose()
        return result

    output = asyncio.run(scenario()).unwrap()
    assert output.payload.user_message == "Here you are."
    (attempt,) = observer.turns[0].attempts
    assert [call.completion.text for call in attempt.calls] == ["no JSON at all", text]
    assert attempt.calls[0].error.kind == "malformed_json"
    called = [a for name, a in instrument.events if name == "maelstrom.model.called"]
    assert [a.get("error.type") for a in called] == [
        "provider_error.malformed_json",
        None,
    ]
    assert called[1]["gen_ai.response.model"] == "scripted-1"
    assert adapter.closed == 1


def test_what_a_port_lacks_is_named():
    """Whoever writes a store or an adapter is told what is still to be written."""

    class Begun:
        provider = model = "begun"

        async def load(self, session_id, limit):
            """The one method that is there."""

    with pytest.raises(ConfigError, match=r"lacks find, append, delete, aclose$"):
        create_engine(planner=reflow_planner(), history=Begun())
    with pytest.raises(ConfigError, match=r"lacks options, complete, aclose$"):
        llm_planner(adapter=Begun())
