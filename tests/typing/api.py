"""What type checkers say of the public API. This file is checked, never run."""

from typing import Any, assert_type

from attrs import frozen
from returns.pipeline import is_successful
from returns.result import Result

from maelstrom.adapters.testing import ManualClock, assert_heal_laws, scripted_planner
from maelstrom.core import (
    Action,
    Candidate,
    ChartRequest,
    ChartState,
    Dimensions,
    EngineError,
    EngineMessage,
    EngineOutput,
    Healed,
    HistoryError,
    ProviderError,
    RequestValidationError,
    Size,
    Turn,
    UserIntent,
    Variant,
    Vessel,
    apply,
    decode_message,
    make_request,
    mend,
)
from maelstrom.effects import (
    Engine,
    ManagedEngine,
    Planner,
    create_engine,
    keyword_planner,
    with_fallback,
    with_retry,
)
from maelstrom.effects.conversation import Conversation, Reply
from maelstrom.effects.params_class import ParamsError, params_as, params_of
from maelstrom.effects.registry import Call, HandlerFailure, Registry
from maelstrom.effects.sync import SyncEngine


@frozen
class Song:
    """Parameters of an action."""

    title: str


PLAY = Action("play", "Play a song", params=params_of(Song))
PLAYER = Vessel(
    "player",
    "Plays music",
    (Variant("compact", "The song", min_size=Size(3, 1), actions=(PLAY,)),),
)
assert_type(PLAYER.variants, tuple[Variant, ...])
assert_type(PLAYER.initial, str)
assert_type(params_as(Song, {"title": "x"}), Result[Song, ParamsError])

registry = Registry([PLAYER])


@registry.on("player", "play", params=Song)
async def play(call: Call[Song]) -> None:
    """Handlers are given their class."""
    assert_type(call.params, Song)
    assert_type(call.params.title, str)


@registry.on("player", "play")
def play_json(call: Call[Any]) -> None:
    """Or JSON."""
    assert_type(call.instance_id, str)


@registry.on("player", "play", params=Song)  # type: ignore[arg-type]  # the error is the point
def wrong(call: Call[int]) -> None:
    """Not another class than was registered."""


async def engines(message: EngineMessage, request: ChartRequest) -> None:
    """An engine, its results, and whoever holds it by its Protocol."""
    planner: Planner = with_fallback(
        with_retry(scripted_planner([])), keyword_planner()
    )
    engine = create_engine(planner=planner, clock=ManualClock())
    contract: Engine = engine
    managed: ManagedEngine = engine
    result = await contract.handle(message)
    assert_type(result, Result[EngineOutput, EngineError])
    if not is_successful(result):
        error = result.failure()
        assert_type(error, EngineError)
        if isinstance(error, ProviderError):
            assert_type(error.retryable, bool)
        return
    chart = ChartState(dimensions=Dimensions(8, 4), vessels=(PLAYER,))
    applied = apply(chart, request, result.unwrap().payload)
    failures = await registry.dispatch(applied.effects)
    assert_type(failures, tuple[HandlerFailure, ...])
    await managed.aclose(grace=1)


async def conversations(engine: Engine) -> None:
    """A reply where there is always one; None where nothing may be due."""
    conversation = Conversation(engine, registry, columns=8, rows=4)
    assert_type(await conversation.say("music"), Result[Reply, EngineError])
    assert_type(await conversation.resize(6, 4), Result[Reply | None, EngineError])
    assert_type(await conversation.mutated("p"), Result[Reply | None, EngineError])
    assert_type(await conversation.restore(), Result[tuple[Turn, ...], HistoryError])
    assert_type(conversation.state, ChartState)


def threads(engine: ManagedEngine, conversation: Conversation) -> None:
    """The same, for synchronous code."""
    with SyncEngine(engine) as synchronous:
        assert_type(synchronous.handle(b"{}"), Result[EngineOutput, EngineError])
        reply = synchronous.run(lambda: conversation.say("music"))
        assert_type(reply, Result[Reply, EngineError])


def pure(chart: ChartState, candidate: Candidate) -> None:
    """The core, by itself."""
    request = make_request(chart, [UserIntent("music")])
    assert_type(mend(request, candidate), Healed)
    assert_type(decode_message("{}"), Result[EngineMessage, RequestValidationError])
    assert_heal_laws(request, candidate)
    create_engine(planner=3)  # type: ignore[arg-type]  # the error is the point
    create_engine(planner=keyword_planner(), planer=3)  # type: ignore[arg-type]  # as well
