"""A store against a model of it: any sequence of operations gives what the model says.

    def test_my_history():
        check_against_model(MyHistory, pass_time)

The model is a few lines of dictionaries: what a store has to be equal to, whatever the
order in which it is asked. It needs hypothesis.
"""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from attrs import define, evolve, field
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from returns.pipeline import is_successful

from maelstrom.adapters.testing.contracts_history import sample_turn
from maelstrom.core.history import Loaded, Turn
from maelstrom.effects.ports import HistoryStore

__all__ = ["check_against_model"]

MakeStore: TypeAlias = Callable[[int | None, float | None], HistoryStore]
PassTime: TypeAlias = Callable[[tuple[str, ...], float], Awaitable[None]]

_TTL = 60.0
_SESSIONS = st.sampled_from(("a", "b"))
_REQUESTS = st.sampled_from([f"request-{number}" for number in range(6)])


@define
class _Session:
    """What the model holds of a session."""

    seq: int = 0
    turns: list[Turn] = field(factory=list)
    age: float = 0.0


class _Machine(RuleBasedStateMachine):
    """Performs each operation on the store and on the model, and compares."""

    make_store: MakeStore
    pass_time: PassTime

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.sessions: dict[str, _Session] = {}
        self.prefix = uuid.uuid4().hex
        self.store: HistoryStore | None = None

    @initialize(
        retention=st.none() | st.integers(1, 4), ttl=st.sampled_from((None, _TTL))
    )
    def make(self, retention: int | None, ttl: float | None) -> None:
        """Any settings."""
        self.retention = retention
        self.ttl = ttl
        self.store = type(self).make_store(retention, ttl)

    def ask(self, operation: str, session: str, *args: Any) -> Any:
        """Perform an operation of the store."""
        method = getattr(self.store, operation)
        return self.runner.run(method(f"{self.prefix}/{session}", *args))

    def held(self, session: str) -> _Session:
        """The model's session, without what expired."""
        known = self.sessions.setdefault(session, _Session())
        if self.ttl is not None and known.age >= self.ttl:
            known.turns.clear()
        return known

    @rule(session=_SESSIONS, request=_REQUESTS, text=st.text(max_size=20))
    def append(self, session: str, request: str, text: str) -> None:
        """A turn that follows is recorded, unless its message was answered before."""
        known = self.held(session)
        turn = sample_turn(known.seq + 1, request, f"said: {text}")
        result = self.ask("append", session, turn, known.seq)
        fits = all(held.request_id != request for held in known.turns)
        assert is_successful(result) is fits, result
        if fits:
            known.seq += 1
            known.turns.append(turn)
            known.age = 0.0
            del known.turns[: -(self.retention or len(known.turns))]
        else:
            assert result.failure().kind == "conflict"

    @rule(session=_SESSIONS, data=st.data())
    def append_elsewhere(self, session: str, data: st.DataObject) -> None:
        """A turn that rests on another number than the last conflicts."""
        known = self.held(session)
        numbers = st.integers(0, known.seq + 3).filter(lambda seq: seq != known.seq)
        expected = data.draw(numbers)
        turn = sample_turn(expected + 1, "elsewhere")
        assert self.ask("append", session, turn, expected).failure().kind == "conflict"

    @precondition(lambda self: any(known.turns for known in self.sessions.values()))
    @rule(session=_SESSIONS, data=st.data(), differs=st.booleans())
    def append_again(self, session: str, data: st.DataObject, differs: bool) -> None:
        """The same turn is success again, a changed one is a conflict."""
        known = self.held(session)
        if not known.turns:
            return
        turn = data.draw(st.sampled_from(known.turns))
        again = evolve(turn, rationale=f"{turn.rationale}!") if differs else turn
        result = self.ask("append", session, again, turn.seq - 1)
        assert is_successful(result) is not differs

    @rule(session=_SESSIONS, limit=st.integers(0, 6))
    def load(self, session: str, limit: int) -> None:
        """The newest turns, oldest first, and the number."""
        known = self.held(session)
        newest = tuple(known.turns[len(known.turns) - min(limit, len(known.turns)) :])
        loaded = self.ask("load", session, limit).unwrap()
        assert loaded == Loaded(newest, known.seq)
        known.age = 0.0

    @rule(session=_SESSIONS, request=_REQUESTS)
    def find(self, session: str, request: str) -> None:
        """The turn that answered a message, if it is held."""
        turns = (t for t in self.held(session).turns if t.request_id == request)
        assert self.ask("find", session, request).unwrap() == next(turns, None)

    @rule(session=_SESSIONS)
    def delete(self, session: str) -> None:
        """All of a session is forgotten."""
        assert is_successful(self.ask("delete", session))
        self.sessions.pop(session, None)

    @rule(seconds=st.sampled_from((20.0, 45.0, 61.0)))
    def wait(self, seconds: float) -> None:
        """Time passes for all sessions."""
        names = tuple(f"{self.prefix}/{session}" for session in self.sessions)
        self.runner.run(_coroutine(type(self).pass_time(names, seconds)))
        for known in self.sessions.values():
            known.age += seconds

    @rule()
    def reopen(self) -> None:
        """Another store over the same storage goes on."""
        store = self.store
        assert store is not None
        self.runner.run(_coroutine(store.aclose()))
        self.store = type(self).make_store(self.retention, self.ttl)

    @invariant()
    def number_is_kept(self) -> None:
        """Turns may be forgotten, the model's number counts on."""
        for known in self.sessions.values():
            assert not known.turns or known.turns[-1].seq == known.seq

    def teardown(self) -> None:
        """Close what is open."""
        if self.store is not None:
            self.runner.run(_coroutine(self.store.aclose()))
        self.runner.close()


async def _coroutine(awaitable: Awaitable[None]) -> None:
    await awaitable


def check_against_model(
    make_store: MakeStore, pass_time: PassTime, **options: Any
) -> None:
    """Run the model against stores that `make_store(retention, ttl)` makes.

    All of them share one storage. `pass_time(session_ids, seconds)` makes so much
    time pass for these sessions. ``options`` are hypothesis settings.
    """
    namespace = {
        "make_store": staticmethod(make_store),
        "pass_time": staticmethod(pass_time),
    }
    machine = type("HistoryMachine", (_Machine,), namespace)
    run_state_machine_as_test(machine, settings=settings(**options))
