"""What every `HistoryStore` keeps: subclass, say how a store is made, run with pytest.

    class TestMyHistory(HistoryContract):
        def make_store(self, *, retention=None, ttl=None):
            return MyHistory(url, retention=retention, ttl=ttl)

Each test takes a session of its own, so that one server serves them all. A store that
several processes share subclasses `SharedHistoryContract`; it says besides how a text
is changed behind its back.
"""

import asyncio
import itertools
import uuid
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from attrs import evolve
from returns.pipeline import is_successful
from returns.result import Result, Success

from maelstrom.core.errors import HistoryError
from maelstrom.core.history import After, Loaded, Turn
from maelstrom.core.layout import Cell, GridLayout, Leaf, Position, Split, TilingLayout
from maelstrom.core.request import (
    ChartResize,
    Dimensions,
    Instance,
    UserIntent,
    VesselMutation,
)
from maelstrom.core.response import ActionExecution
from maelstrom.core.vessel import Size
from maelstrom.effects.ports import HistoryStore

__all__ = ["HistoryContract", "SharedHistoryContract", "fresh_session", "sample_turn"]

Scenario: TypeAlias = Callable[[HistoryStore, str], Awaitable[None]]

_TEXTS = ("plain", 'a "quote" \\ and a\nline', "\x00\x1f", "週 שלום 👩‍🚀", "\u2028<&>")


def fresh_session() -> str:
    """A session that nothing else uses."""
    return f"session {uuid.uuid4().hex} {{}}:*'%é"


def sample_turn(seq: int, request_id: str | None = None, text: str = "Done.") -> Turn:
    """A turn at this place; even ones stand in a grid, odd ones in a tiling."""
    instances = (Instance("w1", "weather", "small"), Instance("c1", "calendar", "day"))
    dimensions = Dimensions(12, 8)
    grid = GridLayout((Position("w1", Cell(0, 1), Size(3, 2), vessel_id="weather"),))
    tree = TilingLayout(
        "n0", (Split("n0", "row", ("n1",), weight=0.1), Leaf("n1", "c1", weight=2.5))
    )
    tiling = seq % 2 == 1
    return Turn(
        seq=seq,
        request_id=f"message-{seq}" if request_id is None else request_id,
        digest=f"{seq:064x}",
        timestamp=1_700_000_000_000 + seq,
        reasons=(UserIntent(text), ChartResize(dimensions), VesselMutation("w1", text)),
        user_message=text,
        rationale=text,
        execution_plan=(
            ActionExecution("w1", "show", {"city": text, "days": [1, 2.5]}),
        ),
        layout=tree if tiling else grid,
        after=After(instances, dimensions, "tiling" if tiling else "grid"),
        severity="none",
        attempts=1,
    )


class HistoryContract(ABC):
    """The rules of one store, whatever it is stored in."""

    forgets = True
    """Whether the store takes ``retention`` and ``ttl``, and keeps their rules."""

    @abstractmethod
    def make_store(
        self, *, retention: int | None = None, ttl: float | None = None
    ) -> HistoryStore:
        """A store over the storage of this test; `ttl` in seconds."""

    async def pass_time(self, session_id: str, seconds: float) -> None:  # noqa: ARG002  what an override needs
        """Let so much time pass for the session; override it where time can be told."""
        await asyncio.sleep(seconds)

    def run(self, scenario: Scenario, **settings: Any) -> None:
        """Play a scenario with a new store and a new session, and close the store.

        Settings are of how a store forgets: for one that does not, there is no play.
        """
        if settings and not self.forgets:
            return

        async def play() -> None:
            store = self.make_store(**settings)
            try:
                await scenario(store, fresh_session())
            finally:
                await store.aclose()

        asyncio.run(play())

    def test_unknown_session_is_empty(self) -> None:
        """A session that nothing was recorded for holds no turn, at number 0."""

        async def scenario(store: HistoryStore, session: str) -> None:
            assert (await store.load(session, 10)).unwrap() == Loaded((), 0)
            assert (await store.find(session, "message-1")).unwrap() is None
            assert is_successful(await store.delete(session))

        self.run(scenario)

    def test_turns_come_back_equal(self) -> None:
        """What is loaded is what was appended, to the last character."""

        async def scenario(store: HistoryStore, session: str) -> None:
            turns = tuple(sample_turn(n, text=t) for n, t in enumerate(_TEXTS, 1))
            await record(store, session, *turns)
            loaded = (await store.load(session, 10)).unwrap()
            assert loaded == Loaded(turns, len(turns))
            for turn in turns:
                assert (await store.find(session, turn.request_id)).unwrap() == turn

        self.run(scenario)

    def test_load_gives_the_newest(self) -> None:
        """A limit takes the newest turns, oldest first; none at all is allowed."""

        async def scenario(store: HistoryStore, session: str) -> None:
            turns = tuple(map(sample_turn, range(1, 13)))
            await record(store, session, *turns)
            for limit, first in ((5, 8), (12, 1), (1_000, 1), (1, 12)):
                loaded = (await store.load(session, limit)).unwrap()
                assert loaded.turns == turns[first - 1 :]
                assert loaded.seq == len(turns)
            assert (await store.load(session, 0)).unwrap() == Loaded((), 12)

        self.run(scenario)

    def test_append_is_conditional(self) -> None:
        """An append that rests on another number than the last writes nothing."""

        async def scenario(store: HistoryStore, session: str) -> None:
            await record(store, session, sample_turn(1), sample_turn(2))
            before = await store.load(session, 10)
            for expected in (0, 1, 3, 7):
                turn = sample_turn(expected + 1, f"other-{expected}")
                refused(await store.append(session, turn, expected), "conflict")
            assert await store.load(session, 10) == before
            assert (await store.find(session, "other-1")).unwrap() is None

        self.run(scenario)

    def test_first_append_expects_nothing(self) -> None:
        """A session that does not exist is at number 0, and at no other."""

        async def scenario(store: HistoryStore, session: str) -> None:
            refused(await store.append(session, sample_turn(2), 1), "conflict")
            assert (await store.load(session, 10)).unwrap() == Loaded((), 0)

        self.run(scenario)

    def test_append_is_idempotent(self) -> None:
        """The same turn at the same place is success again, however late."""

        async def scenario(store: HistoryStore, session: str) -> None:
            first, second = sample_turn(1), sample_turn(2)
            await record(store, session, first, first, second, first, second)
            loaded = (await store.load(session, 10)).unwrap()
            assert loaded == Loaded((first, second), 2)

        self.run(scenario)

    def test_another_answer_to_the_same_message_conflicts(self) -> None:
        """A message is answered once: a second answer is no repetition."""

        async def scenario(store: HistoryStore, session: str) -> None:
            turn = sample_turn(1)
            await record(store, session, turn)
            other = evolve(turn, user_message="Something else.")
            refused(await store.append(session, other, 0), "conflict")
            later = sample_turn(2, turn.request_id)
            refused(await store.append(session, later, 1), "conflict")
            assert (await store.load(session, 10)).unwrap() == Loaded((turn,), 1)

        self.run(scenario)

    def test_one_of_many_wins(self) -> None:
        """Of appends at once that rest on one number, exactly one is recorded."""

        async def scenario(store: HistoryStore, session: str) -> None:
            for seq in range(1, 4):
                turns = [sample_turn(seq, f"{seq}-{n}") for n in range(8)]
                appends = (store.append(session, turn, seq - 1) for turn in turns)
                results = await asyncio.gather(*appends)
                winners = [
                    turn
                    for turn, result in zip(turns, results, strict=True)
                    if is_successful(result)
                ]
                assert len(winners) == 1
                loaded = (await store.load(session, 1)).unwrap()
                assert loaded == Loaded(tuple(winners), seq)

        self.run(scenario)

    def test_sessions_are_apart(self) -> None:
        """Sessions share neither turns nor numbers, however alike their ids."""

        async def scenario(store: HistoryStore, session: str) -> None:
            others = (session.upper(), f"{session} ", session[:-1], f"{session}%")
            for name in (session, *others):
                await record(store, name, sample_turn(1, text=name))
            await store.delete(session)
            for name in others:
                loaded = (await store.load(name, 10)).unwrap()
                assert loaded == Loaded((sample_turn(1, text=name),), 1)

        self.run(scenario)

    def test_retention_keeps_the_newest(self) -> None:
        """Past its retention a store forgets the oldest turn, but not the number."""

        async def scenario(store: HistoryStore, session: str) -> None:
            turns = tuple(map(sample_turn, range(1, 8)))
            await record(store, session, *turns)
            assert (await store.load(session, 10)).unwrap() == Loaded(turns[-3:], 7)
            assert (await store.find(session, "message-4")).unwrap() is None
            assert (await store.find(session, "message-5")).unwrap() == turns[4]

        self.run(scenario, retention=3)

    def test_number_survives_time_to_live(self) -> None:
        """Turns that expired are gone, and the next one still takes the next number."""

        async def scenario(store: HistoryStore, session: str) -> None:
            await record(store, session, sample_turn(1), sample_turn(2))
            await self.pass_time(session, 1.1)
            assert (await store.find(session, "message-2")).unwrap() is None
            assert (await store.load(session, 10)).unwrap() == Loaded((), 2)
            refused(await store.append(session, sample_turn(1, "x"), 0), "conflict")
            await record(store, session, sample_turn(3))
            loaded = (await store.load(session, 10)).unwrap()
            assert loaded == Loaded((sample_turn(3),), 3)

        self.run(scenario, ttl=1)

    def test_load_refreshes_time_to_live(self) -> None:
        """A session that is read lives on."""

        async def scenario(store: HistoryStore, session: str) -> None:
            await record(store, session, sample_turn(1))
            for _ in range(3):
                await self.pass_time(session, 0.6)
                loaded = (await store.load(session, 10)).unwrap()
                assert loaded == Loaded((sample_turn(1),), 1)

        self.run(scenario, ttl=1)

    def test_delete_forgets_the_number_too(self) -> None:
        """A deleted session begins anew."""

        async def scenario(store: HistoryStore, session: str) -> None:
            await record(store, session, sample_turn(1), sample_turn(2))
            for _ in range(2):
                assert is_successful(await store.delete(session))
            assert (await store.load(session, 10)).unwrap() == Loaded((), 0)
            assert (await store.find(session, "message-1")).unwrap() is None
            await record(store, session, sample_turn(1, "message-2"))

        self.run(scenario)

    def test_cancelled_append_is_whole_or_nothing(self) -> None:
        """Wherever an append is cut, the store works on and holds all of it or none."""

        async def scenario(store: HistoryStore, session: str) -> None:
            seq = (await store.load(session, 1)).unwrap().seq
            for steps in (*range(12), *(n * n for n in range(4, 36))):
                turn = sample_turn(seq + 1, f"cut-{steps}")
                task = asyncio.ensure_future(store.append(session, turn, seq))
                for _ in range(steps):
                    await asyncio.sleep(0)
                task.cancel()
                await asyncio.wait([task])
                loaded = (await store.load(session, 1)).unwrap()
                while loaded.seq == seq and not task.cancelled():
                    loaded = (await store.load(session, 1)).unwrap()
                found = (await store.find(session, turn.request_id)).unwrap()
                assert (loaded.seq, found) in ((seq, None), (seq + 1, turn))
                seq = loaded.seq

        self.run(scenario)

    def test_close_is_idempotent(self) -> None:
        """A store can be closed unused, and twice; what comes after is an answer."""

        async def scenario(store: HistoryStore, session: str) -> None:
            await store.aclose()
            await store.aclose()
            assert isinstance(await store.load(session, 1), Result)

        self.run(scenario)


class SharedHistoryContract(HistoryContract):
    """The rules of a store that keeps texts, outlives its process and is shared."""

    @abstractmethod
    def tamper(self, session_id: str, seq: int, change: Callable[[str], str]) -> None:
        """Change the text of a stored turn behind the store's back."""

    def test_another_store_sees_it(self) -> None:
        """Two stores over one storage see each other's turns, and never both win."""

        async def scenario(store: HistoryStore, session: str) -> None:
            other = self.make_store()
            await record(store, session, sample_turn(1))
            await record(other, session, sample_turn(2))
            both = Loaded((sample_turn(1), sample_turn(2)), 2)
            assert await store.load(session, 9) == Success(both)
            for seq in range(3, 13):
                results = await asyncio.gather(
                    store.append(session, sample_turn(seq, f"{seq}-a"), seq - 1),
                    other.append(session, sample_turn(seq, f"{seq}-b"), seq - 1),
                )
                assert sum(map(is_successful, results)) == 1
            await other.aclose()

        self.run(scenario)

    def test_it_outlives_the_store(self) -> None:
        """A store that is made later, on another event loop, finds the turns."""
        session = fresh_session()
        for seq in range(1, 4):

            async def scenario(store: HistoryStore, _: str, seq: int = seq) -> None:
                assert (await store.load(session, 10)).unwrap().seq == seq - 1
                await record(store, session, sample_turn(seq))

            self.run(scenario)

    def test_newer_schema_is_refused_by_name(self) -> None:
        """A turn that a newer release wrote is refused, and its version named."""

        async def scenario(store: HistoryStore, session: str) -> None:
            await record(store, session, sample_turn(1))
            self.tamper(
                session, 1, lambda text: text.replace('"schema":1', '"schema":977')
            )
            for result in (
                await store.load(session, 10),
                await store.find(session, "message-1"),
            ):
                error = refused(result, "newer_version")
                assert "977" in error.message
                assert not error.retryable

        self.run(scenario)

    def test_corrupt_text_is_refused(self) -> None:
        """A text that no store wrote, or of another turn, is corrupt."""

        async def scenario(store: HistoryStore, session: str) -> None:
            changes: tuple[Callable[[str], str], ...] = (
                lambda text: text[: len(text) // 2],
                lambda _: "",
                lambda _: "[]",
                lambda text: text.replace('"seq":2', '"seq":1'),
                lambda text: text.replace('"seq":2', '"seq":"2"'),
            )
            for change, name in zip(changes, itertools.count()):
                await record(store, f"{session}{name}", *map(sample_turn, (1, 2)))
                self.tamper(f"{session}{name}", 2, change)
                error = refused(await store.load(f"{session}{name}", 10), "corrupt")
                assert (error.operation, error.retryable) == ("load", False)

        self.run(scenario)


async def record(store: HistoryStore, session: str, *turns: Turn) -> None:
    """Append turns that have to succeed."""
    for turn in turns:
        result = await store.append(session, turn, turn.seq - 1)
        assert is_successful(result), result


def refused(result: Result[Any, HistoryError], kind: str) -> HistoryError:
    """The error of a result that has to be one of this kind."""
    assert not is_successful(result), result
    assert result.failure().kind == kind, result
    return result.failure()
