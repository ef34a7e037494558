"""Building an engine: the one place where its parts are put together."""

from typing import Literal, Never

from maelstrom.core.limits import Limits
from maelstrom.core.policy import HealPolicy
from maelstrom.core.retry import OnUnrecoverable, RetryPolicy
from maelstrom.core.turn_events import FALLBACK_MESSAGE, TurnSettings
from maelstrom.effects.clock import SystemClock
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.configuration import Configuration, check, noop_instrument
from maelstrom.effects.engine import ReferenceEngine
from maelstrom.effects.ids import random_id
from maelstrom.effects.ports import (
    Clock,
    HistoryStore,
    Ids,
    Instrument,
    Logger,
    Observer,
    Planner,
    Resource,
    SessionLock,
)
from maelstrom.effects.sessions import InProcessLock, Sessions
from maelstrom.effects.standard_logger import default_logger

__all__ = ["create_engine"]

_RETRY = RetryPolicy()
_HEAL = HealPolicy.reference()
_LIMITS = Limits()
_CLOCK = SystemClock()


def create_engine(
    *,
    planner: Planner,
    history: HistoryStore | None = None,
    history_required: bool = False,
    history_turns: int = 10,
    history_chars: int = 24_000,
    retry: RetryPolicy | Literal[False] = _RETRY,
    heal: HealPolicy = _HEAL,
    on_unrecoverable: OnUnrecoverable = "reflow",
    fallback_message: str = FALLBACK_MESSAGE,
    lock: SessionLock | None = None,
    max_waiting: int = 32,
    lock_timeout: float = 30,
    turn_timeout: float = 60,
    max_concurrent_turns: int | None = None,
    limits: Limits = _LIMITS,
    clock: Clock = _CLOCK,
    ids: Ids = random_id,
    logger: Logger = default_logger,
    instrument: Instrument = noop_instrument,
    on_turn: Observer | None = None,
    log_content: bool = False,
    **unknown: Never,
) -> ReferenceEngine:
    """Build an engine around a planner.

    Args:
        planner: Proposes the candidate of each attempt; the one thing required.
        history: Where turns are recorded; None for no memory between turns.
        history_required: Whether a turn fails where its history does.
        history_turns: Most turns that reach the prompt.
        history_chars: Most characters that they take there.
        retry: Further attempts that healing may ask for; False for none.
        heal: What healing may do with pieces of a grid.
        on_unrecoverable: What serves where no attempt was recoverable: "reflow", the
            chart made to fit, or "empty", what survived.
        fallback_message: What the user is told where the chart was made to fit.
        lock: One turn at a time per session; None for a lock in this process.
        max_waiting: Most turns that wait for one session.
        lock_timeout: Seconds that a turn waits for its session.
        turn_timeout: Seconds for a whole turn, its waits included.
        max_concurrent_turns: Most turns that run at once; None for no bound.
        limits: How much is taken in.
        clock: Time; tests hand in one of their own.
        ids: Fresh identifiers.
        logger: Anything with debug, info, warning and error, sync or async.
        instrument: The telemetry seam.
        on_turn: Takes the diagnostics of each finished turn, sync or async.
        log_content: Whether prompts, user text and model text are logged, at debug.
        **unknown: Nothing else: any other name is an error.

    Raises:
        ConfigError: An option is unknown, of the wrong type or out of its range.
    """
    given = dict(locals())
    check({**given.pop("unknown"), **given})
    if history_required and history is None:
        raise ConfigError("history_required", "there is no history to require")
    settings = TurnSettings(
        retry=RetryPolicy(max=0) if retry is False else retry,
        heal=heal,
        limits=limits,
        on_unrecoverable=on_unrecoverable,
        fallback_message=fallback_message,
        history=history is not None,
        history_required=history_required,
        history_turns=history_turns,
        history_chars=history_chars,
    )
    configuration = Configuration(
        planner=planner,
        history=history,
        clock=clock,
        ids=ids,
        logger=logger,
        instrument=instrument,
        on_turn=on_turn,
        settings=settings,
        lock_timeout=lock_timeout,
        turn_timeout=turn_timeout,
        log_content=log_content,
    )
    one_at_a_time = InProcessLock() if lock is None else lock
    sessions = Sessions(one_at_a_time, max_waiting, max_concurrent_turns)
    return ReferenceEngine(configuration, sessions, _owned(planner, history, lock))


def _owned(*given: object) -> tuple[Resource, ...]:
    """What was given and can be closed, each once: a store may be the lock as well."""
    owned: list[Resource] = []
    for one in given:
        if isinstance(one, Resource) and all(one is not other for other in owned):
            owned.append(one)
    return tuple(owned)
