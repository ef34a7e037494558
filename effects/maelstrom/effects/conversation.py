"""A chart and its engine in conversation: state, requests and answers in one object.

Theory: what a client does is pure and stands in the core: `ChartState`, `Outbox`,
`apply`. A `Conversation` holds one of each, names and stamps the messages, and keeps
the order: one request in flight, and reasons that arise meanwhile batched into the
next. So `say`, `resized` and `mutated` may be called at once, by whoever likes: each
waits for the turn that carried its reason.

A turn's handlers run once its answer is applied and the next request may go out, so a
handler may itself ask the conversation. Where several asked in one turn, the first of
them runs the handlers, and has the failures.

Wart: a task that is cancelled while its turn is in flight loses the answer, and so do
those whose reasons went with it; they get AbortedError. The engine may still have
recorded the turn: `restore` has the truth.
"""

import asyncio
from types import MappingProxyType
from typing import Final, cast

from attrs import evolve, field, frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.core.chart_state import ChartState, make_request, state_from
from maelstrom.core.client import Applied, apply
from maelstrom.core.errors import (
    AbortedError,
    EngineError,
    HistoryError,
    InternalError,
    RequestValidationError,
)
from maelstrom.core.healed import Skip
from maelstrom.core.history import Turn
from maelstrom.core.layout import LayoutMode
from maelstrom.core.limits import MAX_INTEGER, Limits
from maelstrom.core.messages import EngineMessage, EngineOutput
from maelstrom.core.outbox import Outbox
from maelstrom.core.request import (
    ChartRequest,
    ChartResize,
    Dimensions,
    UpdateReason,
    UserIntent,
    VesselMutation,
)
from maelstrom.core.wire import check_message
from maelstrom.effects.clock import SystemClock
from maelstrom.effects.config_error import ConfigError, misfit
from maelstrom.effects.engine_check import check_engine
from maelstrom.effects.ids import random_id
from maelstrom.effects.ports import Clock, Engine, Ids
from maelstrom.effects.registry import HandlerFailure, Registry

__all__ = ["Conversation", "Reply"]

_CLOCK: Final = SystemClock()
_LARGEST: Final = Limits(
    columns=MAX_INTEGER,
    rows=MAX_INTEGER,
    id_characters=MAX_INTEGER,
    text_characters=MAX_INTEGER,
)
"""What is too large is the engine's to say: its limits may be other than usual."""
_OPTIONS: Final = MappingProxyType(
    {
        # a field on the wire: the argument that it comes from
        "columns": "columns",
        "rows": "rows",
        "layoutMode": "mode",
        "timeZone": "time_zone",
        "locale": "locale",
        "sessionId": "session_id",
    }
)


@frozen
class Reply:
    """What a turn came to.

    ``message`` is for the user, ``state`` the chart with the answer applied. ``skips``
    are actions that the chart had moved away from meanwhile, ``failures`` what the
    app's own handlers did not do.
    """

    message: str
    state: ChartState
    output: EngineOutput
    skips: tuple[Skip, ...] = ()
    failures: tuple[HandlerFailure, ...] = field(default=(), kw_only=True)


class Conversation:
    """One session of one chart with an engine.

    Args:
        engine: Whatever keeps the contract. Who made it closes it.
        registry: The app's vessels and handlers.
        columns: The chart's width in cells.
        rows: The chart's height in cells.
        mode: How it is laid out.
        session_id: The session's name; None for a fresh one.
        time_zone: The user's, an IANA name: "next week" needs a date.
        locale: The user's, a BCP 47 tag.
        clock: What messages are stamped with.
        ids: Fresh ids of messages.

    Raises:
        ConfigError: ``engine`` or ``registry`` is none, or a message of this conversation would be
            refused for another of these.

    >>> from maelstrom.core.vessel import Variant, Vessel
    >>> from maelstrom.effects import create_engine, keyword_planner
    >>> notes = Vessel("notes", "Short notes", (Variant("list", "All notes"),))
    >>> async def main() -> str:
    ...     engine = create_engine(planner=keyword_planner())
    ...     conversation = Conversation(engine, Registry([notes]), columns=12, rows=8)
    ...     reply = await conversation.say("show me my notes")
    ...     return reply.unwrap().message
    >>> asyncio.run(main())
    'Now showing notes-1.'
    """

    def __init__(
        self,
        engine: Engine,
        registry: Registry,
        *,
        columns: int,
        rows: int,
        mode: LayoutMode = "grid",
        session_id: str | None = None,
        time_zone: str | None = None,
        locale: str | None = None,
        clock: Clock = _CLOCK,
        ids: Ids = random_id,
    ) -> None:
        check_engine(engine)
        if not isinstance(registry, Registry):
            raise misfit("registry", "a Registry, as Registry(vessels) makes", registry)
        self.session_id = ids() if session_id is None else session_id
        self._engine = engine
        self._registry = registry
        self._time_zone = time_zone
        self._locale = locale
        empty = ChartState(dimensions=Dimensions(columns, rows), mode=mode)
        self._check(empty)
        self._state = evolve(empty, vessels=registry.vessels)
        self._clock = clock
        self._ids = ids
        self._outbox = Outbox()
        self._added = 0
        self._sent = 0
        self._one_at_a_time = asyncio.Lock()
        self._last: Result[Reply | None, EngineError] = Success(None)

    @property
    def state(self) -> ChartState:
        """The chart as it is now."""
        return self._state

    async def say(self, intent: str) -> Result[Reply, EngineError]:
        """Tell the engine what the user wants, and apply its answer."""
        asked = await self._ask(UserIntent(intent))
        return cast("Result[Reply, EngineError]", asked)  # an intent is always due

    async def resize(
        self, columns: int, rows: int
    ) -> Result[Reply | None, EngineError]:
        """The chart has another size; None where it is back at the old one by then."""
        resized = self._state.resized(Dimensions(columns, rows))
        refused = self._refusal(resized)
        if refused is not None:
            return Failure(refused)
        reason = ChartResize(self._state.dimensions)
        self._state = resized
        return await self._ask(reason)

    async def mutated(
        self, instance_id: str, description: str | None = None
    ) -> Result[Reply | None, EngineError]:
        """The app or the user changed what an instance shows; None where it is gone."""
        return await self._ask(VesselMutation(instance_id, description))

    def remove(self, instance_id: str) -> None:
        """The app or the user took an instance off the chart; no engine is asked."""
        self._state = self._state.without(instance_id)

    def switch(self, mode: LayoutMode) -> None:
        """Change the layout mode: the chart starts empty, with everything parked.

        Raises:
            ConfigError: There is no such mode.
        """
        self._check(self._state.in_mode(mode))
        self._state = self._state.in_mode(mode)

    async def restore(self, limit: int = 50) -> Result[tuple[Turn, ...], HistoryError]:
        """Take the chart from the session's history; gives its turns, oldest first.

        The chart keeps its own size and mode. Where it had another size then, that is a
        reason which goes with the next request.
        """
        async with self._one_at_a_time:
            loaded = await self._engine.get_history(self.session_id, limit)
            if is_successful(loaded) and loaded.unwrap():
                now = self._state
                then = state_from(loaded.unwrap()[-1], self._registry.vessels)
                self._outbox = self._outbox.add(ChartResize(then.dimensions))
                self._state = then.in_mode(now.mode).resized(now.dimensions)
        return loaded

    def _check(self, state: ChartState) -> None:
        refused = self._refusal(state)
        if refused is not None:
            issue = refused.issues[0]
            raise ConfigError(_OPTIONS[str(issue.path[-1])], issue.message)

    def _refusal(self, state: ChartState) -> RequestValidationError | None:
        """Why any engine would refuse a chart of this size and mode, if it would."""
        bare = ChartState(dimensions=state.dimensions, mode=state.mode)
        probe = make_request(bare, [UserIntent("probe")], self._time_zone, self._locale)
        message = EngineMessage(self.session_id, "probe", 0, probe)
        checked = check_message(message, _LARGEST)
        return None if is_successful(checked) else checked.failure()

    async def _ask(self, reason: UpdateReason) -> Result[Reply | None, EngineError]:
        self._outbox = self._outbox.add(reason)
        self._added += 1
        number = self._added
        async with self._one_at_a_time:
            waits = any(each is reason for each in self._outbox.waiting)
            if number <= self._sent and not waits:
                return self._last  # another's turn has carried it
            applied = await self._turn()
        return await self._handled(applied)

    async def _turn(self) -> Applied:
        """The next turn; its outcome stands in `_last`."""
        message_id = self._ids()
        self._outbox, request = self._outbox.send(
            message_id, self._state, self._time_zone, self._locale
        )
        self._sent = self._added
        if request is None:
            self._last = Success(None)
            return Applied(self._state)
        cut = AbortedError("signal", "the task that asked was cancelled")
        self._last = Failure(evolve(cut, session_id=self.session_id, id=message_id))
        message = EngineMessage(self.session_id, message_id, self._clock.now(), request)
        try:
            result = await self._engine.handle(message)
        finally:
            self._outbox = self._outbox.fail(message_id)
        return self._settle(message_id, request, result)

    def _settle(
        self,
        message_id: str,
        request: ChartRequest,
        result: Result[EngineOutput, EngineError],
    ) -> Applied:
        if not is_successful(result):
            self._last = Failure(result.failure())
            return Applied(self._state)
        output = result.unwrap()
        if output.payload.request_id != message_id:
            words = "the engine answered another message"
            self._last = Failure(
                InternalError(
                    "engine", words, session_id=self.session_id, id=message_id
                )
            )
            return Applied(self._state)
        applied = apply(self._state, request, output.payload)
        self._state = applied.state
        message = output.payload.user_message
        self._last = Success(Reply(message, applied.state, output, applied.skips))
        return applied

    async def _handled(self, applied: Applied) -> Result[Reply | None, EngineError]:
        outcome = self._last
        if not applied.effects or not is_successful(outcome):
            return outcome
        failures = await self._registry.dispatch(applied.effects)
        reply = outcome.unwrap()
        return Success(reply and evolve(reply, failures=failures))
