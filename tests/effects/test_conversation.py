"""A conversation: one request in flight, reasons batched, errors as values."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.pipeline import is_successful
from returns.result import Success

from maelstrom.adapters.demo import VESSELS
from maelstrom.adapters.server import create_app
from maelstrom.adapters.testing import ManualClock, MemoryHistory, scripted_planner
from maelstrom.core.candidate import Candidate
from maelstrom.core.errors import AbortedError, InternalError, ProviderError
from maelstrom.core.messages import EngineOutput
from maelstrom.core.prune import placed
from maelstrom.core.request import (
    ChartResize,
    Dimensions,
    UserIntent,
    VesselMutation,
)
from maelstrom.core.response import MaelstromResponse
from maelstrom.core.vessel import Action, Variant, Vessel
from maelstrom.effects import create_engine, keyword_planner
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.conversation import Conversation
from maelstrom.effects.registry import Registry
from maelstrom.effects.sync import SyncEngine

BELL = Vessel(
    "bell", "A bell", (Variant("still", "At rest", actions=(Action("ring", "Ring"),)),)
)


def _candidate(*rings):
    position = {"row": 0, "column": 0}
    piece = {
        "instanceId": "bell-1",
        "position": position,
        "size": {"width": 2, "height": 2},
    }
    return Candidate(
        "Because.",
        rings,
        {
            "type": "grid",
            "positions": [{**piece, "vesselId": "bell", "variant": "still"}],
        },
        "Ding.",
    )


SHOW = _candidate()
RING = _candidate({"instanceId": "bell-1", "action": "ring"})


class Gate:
    """A planner that answers when it is told, and counts who asks at once."""

    def __init__(self, answer=SHOW):
        self.open = asyncio.Event()
        self.asked = []
        self.answer = answer

    async def __call__(self, plan_input, context):
        self.asked.append(plan_input.request.context.update_reasons)
        await self.open.wait()
        return Success(self.answer)


def _conversation(planner, registry=None, **options):
    engine = create_engine(planner=planner, retry=False)
    chosen = Registry([BELL]) if registry is None else registry
    return Conversation(engine, chosen, columns=8, rows=4, **options)


def test_ten_lines_make_an_app():
    """An intent goes out, the answer is applied, and the reply says what to tell."""

    async def scenario():
        engine = create_engine(planner=keyword_planner())
        conversation = Conversation(engine, Registry(VESSELS), columns=12, rows=8)
        turn = await conversation.say("show me my calendar")
        reply = turn.unwrap()
        assert reply.message == "Now showing calendar-1."
        assert reply.state is conversation.state
        assert placed(conversation.state.layout) == ("calendar-1",)
        assert reply.output.session_id == conversation.session_id

        gone = (await conversation.resize(3, 2)).unwrap()
        assert gone.state.dimensions == Dimensions(3, 2)
        await engine.aclose()

    asyncio.run(scenario())


def test_messages_are_named_and_stamped_by_what_is_given():
    """Ids, clock, zone and locale reach the engine."""

    async def scenario():
        planner = scripted_planner([SHOW])
        conversation = _conversation(
            planner,
            session_id="s-1",
            time_zone="Europe/Oslo",
            locale="nb",
            clock=ManualClock(now=5),
            ids=lambda: "m-1",
        )
        output = (await conversation.say("a bell")).unwrap().output
        assert (output.session_id, output.id) == ("s-1", "m-1")
        context = planner.asked[0].request.context
        assert (context.time_zone, context.locale) == ("Europe/Oslo", "nb")

    asyncio.run(scenario())


def test_handlers_run_and_their_failures_come_back():
    """The answer stands all the same."""

    async def scenario():
        registry = Registry([BELL])

        @registry.on("bell", "ring")
        async def ring(call):
            raise OSError("no clapper")

        conversation = _conversation(scripted_planner([SHOW, RING]), registry)
        await conversation.say("a bell")
        reply = (await conversation.say("ring it")).unwrap()
        assert [failure.message for failure in reply.failures] == [
            "OSError: no clapper"
        ]
        assert reply.message == "Ding."

    asyncio.run(scenario())


def test_a_handler_may_ask_the_conversation():
    """A handler that reports a mutation does not wait for itself."""

    async def scenario():
        registry = Registry([BELL])
        planner = scripted_planner([SHOW, RING, SHOW])
        conversation = _conversation(planner, registry)

        @registry.on("bell", "ring")
        async def ring(call):
            assert is_successful(await conversation.mutated(call.instance_id, "rang"))

        await conversation.say("a bell")
        reply = (await conversation.say("ring it")).unwrap()
        assert reply.failures == ()
        assert planner.asked[2].request.context.update_reasons == (
            VesselMutation("bell-1", "rang"),
        )

    asyncio.run(scenario())


def test_reasons_that_arise_meanwhile_are_batched():
    """While one request is in flight, all others go with the next one."""

    async def scenario():
        gate = Gate()
        conversation = _conversation(gate)
        first = asyncio.create_task(conversation.say("a bell"))
        await ManualClock().advance(0)
        rest = [
            asyncio.create_task(conversation.say("another")),
            asyncio.create_task(conversation.resize(6, 4)),
            asyncio.create_task(conversation.resize(5, 4)),
        ]
        await ManualClock().advance(0)
        gate.open.set()
        turns = [await first, *(await asyncio.gather(*rest))]

        assert gate.asked == [
            (UserIntent("a bell"),),
            (UserIntent("another"), ChartResize(Dimensions(8, 4))),
        ]
        outputs = [turn.unwrap().output.id for turn in turns]
        assert len(set(outputs[1:])) == 1
        assert outputs[0] != outputs[1]

    asyncio.run(scenario())


steps = st.lists(
    st.sampled_from(["say", "resize", "mutated", "remove", "switch", "let"]),
    max_size=12,
)


@given(steps=steps, fails=st.booleans())
def test_every_caller_gets_the_turn_of_its_reason(steps, fails):
    """Whatever is asked at once: one request at a time, no intent lost, none twice."""

    async def scenario():
        running = 0
        asked = []

        async def planner(plan_input, context):
            nonlocal running
            assert running == 0
            running += 1
            asked.extend(plan_input.request.context.update_reasons)
            await asyncio.sleep(0)
            running -= 1
            if fails and len(asked) % 2:
                return ProviderError("empty", "test", "nothing") and _empty()
            return await keyword_planner()(plan_input, context)

        conversation = _conversation(planner)
        tasks = []
        for number, step in enumerate(steps):
            if step == "say":
                tasks.append(asyncio.create_task(conversation.say(f"bell {number}")))
            elif step == "resize":
                size = (4 + number % 3, 4)
                tasks.append(asyncio.create_task(conversation.resize(*size)))
            elif step == "mutated":
                tasks.append(asyncio.create_task(conversation.mutated("bell-1")))
            elif step == "remove":
                conversation.remove("bell-1")
            elif step == "switch":
                conversation.switch("tiling" if number % 2 else "grid")
            else:
                await asyncio.sleep(0)
        results = await asyncio.gather(*tasks)

        intents = [reason.intent for reason in asked if isinstance(reason, UserIntent)]
        said = [f"bell {n}" for n, step in enumerate(steps) if step == "say"]
        assert intents == said
        if not fails:
            assert all(is_successful(result) for result in results)

    asyncio.run(scenario())


def _empty():
    from returns.result import Failure

    return Failure(ProviderError("empty", "test", "nothing"))


def test_nothing_due_is_no_turn():
    """A resize back, and a mutation of what is gone, ask nobody."""

    async def scenario():
        planner = scripted_planner([])
        conversation = _conversation(planner)
        assert (await conversation.resize(8, 4)) == Success(None)
        assert (await conversation.mutated("ghost")) == Success(None)
        assert planner.asked == []

    asyncio.run(scenario())


def test_an_error_is_a_value_and_frees_the_slot():
    """The chart stays as it was, and the next request goes out."""

    async def scenario():
        broken = ProviderError("auth", "test", "no key")
        conversation = _conversation(scripted_planner([broken, SHOW]))
        failure = (await conversation.say("a bell")).failure()
        assert failure.kind == "auth"
        assert conversation.state.instances == ()
        assert (await conversation.say(" ")).failure().issues[0].code == "empty"
        assert is_successful(await conversation.say("a bell"))

    asyncio.run(scenario())


def test_a_cancelled_turn_frees_the_slot_and_tells_who_shared_it():
    """The caller's own cancel passes; others of the turn get AbortedError."""

    async def scenario():
        gate = Gate()
        conversation = _conversation(gate)
        first = asyncio.create_task(conversation.say("one"))
        await ManualClock().advance(0)
        second = asyncio.create_task(conversation.say("two"))
        third = asyncio.create_task(conversation.say("three"))
        await ManualClock().advance(0)
        first.cancel()
        await ManualClock().advance(0)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        with pytest.raises(asyncio.CancelledError):
            await second
        assert isinstance((await third).failure(), AbortedError)
        gate.open.set()
        assert is_successful(await conversation.say("four"))
        assert gate.asked[1] == (UserIntent("two"), UserIntent("three"))

    asyncio.run(scenario())


def test_an_engine_that_answers_another_message_is_told_apart():
    """Its answer is not applied."""

    class Confused:
        async def handle(self, message, signal=None):
            payload = MaelstromResponse("other", "Hi", "", (), message.payload.layout)
            return Success(EngineOutput(message.session_id, message.id, 0, payload))

    async def scenario():
        conversation = Conversation(Confused(), Registry([BELL]), columns=8, rows=4)
        assert isinstance((await conversation.say("hi")).failure(), InternalError)

    asyncio.run(scenario())


def test_a_conversation_is_restored_from_history():
    """Same chart, transcript in order; a size that changed goes with the next request."""

    async def scenario():
        planner = scripted_planner([SHOW, SHOW])
        engine = create_engine(planner=planner, history=MemoryHistory())
        registry = Registry([BELL])
        old = Conversation(engine, registry, columns=8, rows=4, session_id="s")
        await old.say("a bell")

        same = Conversation(engine, registry, columns=8, rows=4, session_id="s")
        turns = (await same.restore()).unwrap()
        assert [turn.user_message for turn in turns] == ["Ding."]
        assert same.state == old.state

        small = Conversation(engine, registry, columns=6, rows=4, session_id="s")
        await small.restore()
        assert small.state.dimensions == Dimensions(6, 4)
        await small.say("again")
        assert planner.asked[1].request.context.update_reasons == (
            ChartResize(Dimensions(8, 4)),
            UserIntent("again"),
        )

        new = Conversation(engine, registry, columns=6, rows=4)
        assert (await new.restore()) == Success(())

    asyncio.run(scenario())


def test_vessels_are_no_registry():
    """The error names the argument, and what makes the right one."""
    engine = create_engine(planner=keyword_planner())
    with pytest.raises(
        ConfigError, match=r"registry: must be a Registry, as Registry\("
    ):
        Conversation(engine, [BELL], columns=3, rows=3)


OPTIONS = ("columns", "rows", "mode", "session_id", "time_zone", "locale")
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.sampled_from(["grid", "tiling", "UTC", "de", "a\ud800"]),
    st.lists(st.integers()),
    st.builds(object),
)


@pytest.mark.parametrize("engine", [None, keyword_planner(), create_engine])
@pytest.mark.parametrize(
    "make",
    [
        lambda engine: Conversation(engine, Registry([BELL]), columns=3, rows=3),
        SyncEngine,
        create_app,
    ],
    ids=["Conversation", "SyncEngine", "create_app"],
)
def test_what_is_no_engine_is_refused_at_once(make, engine):
    """And not at the first message, from deep inside."""
    with pytest.raises(
        ConfigError, match="engine: must be an engine, as create_engine"
    ):
        make(engine)


@given(st.sampled_from(OPTIONS), ODD)
def test_an_option_is_refused_at_once_or_never(option, value):
    """What the engine would refuse in each turn is a ConfigError that names it."""
    options = {"columns": 8, "rows": 4, option: value}

    async def scenario():
        engine = create_engine(planner=keyword_planner())
        try:
            conversation = Conversation(engine, Registry(VESSELS), **options)
        except ConfigError as error:
            assert error.field == option
            return
        turn = await conversation.say("show me my calendar")
        assert is_successful(turn) or _too_large(turn.failure())

    asyncio.run(scenario())


def _too_large(error):
    """Over a limit, which is the engine's own to set."""
    return all(issue.code in ("out_of_range", "too_long") for issue in error.issues)


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("columns", "8", "columns: must be an integer, and is a text"),
        ("rows", 0, "rows: must be from 1 to"),
        ("mode", "grids", "mode: must be grid or tiling, and is 'grids'"),
        ("time_zone", 1, "time_zone: must be a text, and is an integer"),
    ],
)
def test_an_odd_option_says_what_it_must_be(option, value, words):
    """In the words of the wire, under the argument's name."""
    engine = create_engine(planner=keyword_planner())
    with pytest.raises(ConfigError, match=words):
        Conversation(
            engine, Registry([BELL]), **{"columns": 8, "rows": 4, option: value}
        )


@given(ODD)
def test_an_odd_mode_leaves_the_chart_alone(value):
    """A mode that there is not is a ConfigError, and the conversation goes on."""

    async def scenario():
        conversation = _conversation(keyword_planner())
        if value in ("grid", "tiling"):
            conversation.switch(value)
        else:
            with pytest.raises(ConfigError, match="mode: must be grid or tiling"):
                conversation.switch(value)
        assert is_successful(await conversation.say("the bell"))

    asyncio.run(scenario())


def test_an_odd_size_leaves_the_chart_alone():
    """A resize to no size at all is refused, and the conversation goes on."""

    async def scenario():
        conversation = _conversation(keyword_planner())
        refused = (await conversation.resize(0, 4)).failure()
        assert refused.issues[0].path[-1] == "columns"
        assert conversation.state.dimensions == Dimensions(8, 4)
        assert is_successful(await conversation.say("the bell"))

    asyncio.run(scenario())


@pytest.mark.parametrize("mode", ["grid", "tiling"])
def test_lists_in_the_place_of_tuples(mode):
    """Vessels that were written with lists are as good: a turn shows one and rings it."""
    ring = Action("ring", "Ring")
    listed = Vessel("bell", "A bell", [Variant("still", "At rest", actions=[ring])])
    registry = Registry([listed])
    rung = []
    registry.on("bell", "ring")(rung.append)
    chart = Conversation(
        create_engine(planner=keyword_planner()), registry, columns=4, rows=4, mode=mode
    )

    async def scenario():
        for intent in ("show the bell", "ring the bell"):
            assert is_successful(await chart.say(intent))

    asyncio.run(scenario())
    assert [call.instance_id for call in rung] == ["bell-1"]
