"""An engine for threads: one loop of its own, results and errors as values."""

import asyncio
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from returns.pipeline import is_successful

from maelstrom.adapters.testing import MemoryHistory, sample_message
from maelstrom.core.errors import AbortedError, HistoryError, InternalError
from maelstrom.effects import create_engine, keyword_planner
from maelstrom.effects.conversation import Conversation
from maelstrom.effects.registry import Registry
from maelstrom.effects.sync import SyncEngine


def _engine(planner=None, **options):
    chosen = keyword_planner() if planner is None else planner
    return SyncEngine(create_engine(planner=chosen, history=MemoryHistory(), **options))


def test_a_script_asks_and_forgets():
    """handle, get_history and delete_session, without a word of asyncio."""
    with _engine() as engine:
        assert is_successful(engine.handle(sample_message("s")))
        assert len(engine.get_history("s").unwrap()) == 1
        assert is_successful(engine.delete_session("s"))
        assert engine.get_history("s").unwrap() == ()


def test_many_threads_share_one_engine():
    """Turns of one session are one at a time, whatever thread asks."""
    with _engine() as engine, ThreadPoolExecutor(8) as pool:
        messages = [sample_message(f"s{n % 3}", f"m{n}") for n in range(24)]
        results = list(pool.map(engine.handle, messages))
        kept = [len(engine.get_history(f"s{n}").unwrap()) for n in range(3)]

    assert [result.unwrap().id for result in results] == [one.id for one in messages]
    assert kept == [8, 8, 8]


def test_a_running_loop_of_the_caller_is_no_matter():
    """A sync view of an async server has a loop in its thread already."""

    async def view(engine):
        return engine.handle(sample_message("s"))

    with _engine() as engine:
        assert is_successful(asyncio.run(view(engine)))


def test_closing_ends_the_turns_that_run():
    """Whoever waits gets AbortedError(shutdown); so does who comes later."""
    began = threading.Event()

    async def never(plan_input, context):
        began.set()
        await asyncio.Event().wait()

    engine = _engine(never)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(engine.handle, sample_message("s"))
        began.wait()
        engine.close()
        assert waiting.result().failure().cause == "shutdown"
    assert engine.handle(sample_message("s")).failure().cause == "shutdown"
    assert isinstance(engine.get_history("s").failure(), HistoryError)
    assert isinstance(engine.delete_session("s").failure(), AbortedError)
    engine.close()


def test_what_else_runs_on_the_loop_ends_with_it():
    """A call that the engine does not know of is cancelled, and its caller told."""
    began = threading.Event()

    async def forever():
        began.set()
        await asyncio.Event().wait()

    engine = _engine()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(engine.run, forever)
        began.wait()
        engine.close()
        with pytest.raises(RuntimeError, match="closed"):
            waiting.result()


def test_an_engine_that_was_never_asked_closes_too():
    """What `create_engine` was given is closed, once."""
    closed = []

    class Store(MemoryHistory):
        async def aclose(self):
            closed.append("closed")

    engine = SyncEngine(create_engine(planner=keyword_planner(), history=Store()))
    engine.close()
    engine.close()

    assert closed == ["closed"]


def test_its_own_loop_is_told_and_not_blocked_for_ever():
    """From a planner, the engine is awaited; a sync call there is an error value."""
    seen = []

    async def planner(plan_input, context):
        seen.append(engine.handle(sample_message("other")))
        with pytest.raises(RuntimeError, match="own loop"):
            engine.close()
        return await keyword_planner()(plan_input, context)

    with _engine(planner) as engine:
        assert is_successful(engine.handle(sample_message("s")))

    assert isinstance(seen[0].failure(), InternalError)


def test_a_conversation_runs_in_a_script():
    """`run` takes what is to be awaited to the engine's loop."""
    inner = create_engine(planner=keyword_planner())
    vessels = sample_message("s").payload.vessels
    conversation = Conversation(inner, Registry(vessels), columns=6, rows=4)
    with SyncEngine(inner) as engine:
        reply = engine.run(lambda: conversation.say("my notes"))

    assert reply.unwrap().message == "Now showing notes-1."


def test_what_is_run_is_a_function():
    """A coroutine in its place is refused in words, and leaves no warning."""
    engine = create_engine(planner=keyword_planner())
    with SyncEngine(engine) as threads:
        with pytest.raises(TypeError, match=r"run\(lambda: conversation"):
            threads.run(engine.get_history("s-1"))
        with pytest.raises(TypeError, match="takes a function"):
            threads.run(None)


def test_an_interrupt_ends_the_turn():
    """Ctrl-C breaks the wait, and cancels what was waited for."""
    cancelled = threading.Event()

    async def planner(plan_input, context):
        while not _waits_for_a_result(threading.main_thread()):  # noqa: ASYNC110  a frame sets no event
            await asyncio.sleep(0)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    with _engine(planner) as engine:
        with pytest.raises(KeyboardInterrupt):
            engine.handle(sample_message("s"))
        assert cancelled.wait(10)


def _waits_for_a_result(thread):
    frame = sys._current_frames()[thread.ident]
    while frame is not None and frame.f_code.co_name != "result":
        frame = frame.f_back
    return frame is not None
