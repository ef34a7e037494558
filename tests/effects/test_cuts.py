"""A turn cut at every point where it waits, in every way that it can be cut.

The world of a turn (lock, store, planner) is made of effects that wait at `Cuts.point`.
A run counts the points; then the turn is run once more for each of them, and cut there.
After each cut the same things must hold: the session's next turn runs normally, no lock
is held, no task is left, and the history holds whole turns alone.
"""

import asyncio
from contextlib import asynccontextmanager

import pytest
from returns.pipeline import is_successful
from returns.result import Failure, Success

from maelstrom.adapters.history_memory import MemoryHistory
from maelstrom.adapters.testing.clock import ManualClock
from maelstrom.adapters.testing.recorders import RecordingLogger
from maelstrom.core.errors import AbortedError, HistoryError, InternalError
from maelstrom.effects.create import create_engine
from maelstrom.effects.sessions import InProcessLock
from tests.core.turn_samples import GOOD, MEDIUM, message

MOST = 60
"""More points than any turn here has: a loop that does not end is a bug."""


class Cuts:
    """The points where a turn waits, counted, and what happens at one of them."""

    def __init__(self, at=None, cut=None):
        self.at = at
        self.cut = cut
        self.names = []

    async def point(self, name):
        """A point where the turn waits, long enough for what the cut sets off."""
        self.names.append(name)
        if self.cut is not None and len(self.names) - 1 == self.at:
            cut, self.cut = self.cut, None
            cut()
            for _ in range(20):
                await asyncio.sleep(0)
        await asyncio.sleep(0)


class CutHistory(MemoryHistory):
    """A history that waits before and after each operation."""

    def __init__(self, cuts):
        super().__init__()
        self.cuts = cuts

    async def load(self, session_id, limit):
        await self.cuts.point("before load")
        loaded = await super().load(session_id, limit)
        await self.cuts.point("after load")
        return loaded

    async def find(self, session_id, request_id):
        await self.cuts.point("before find")
        found = await super().find(session_id, request_id)
        await self.cuts.point("after find")
        return found

    async def append(self, session_id, turn, expected_seq):
        await self.cuts.point("before append")
        done = await super().append(session_id, turn, expected_seq)
        await self.cuts.point("after append")
        return done


class CutLock(InProcessLock):
    """The lock in this process, with waits around having it and giving it back."""

    def __init__(self, cuts):
        super().__init__()
        self.cuts = cuts

    @asynccontextmanager
    async def hold(self, session_id):
        await self.cuts.point("before hold")
        async with super().hold(session_id) as lease:
            await self.cuts.point("held")
            yield lease


class World:
    """An engine whose effects wait at points, and a turn of it."""

    def __init__(self, at=None, cut=None):
        self.cuts = Cuts(at, lambda: cut(self) if cut else None)
        self.history = CutHistory(self.cuts)
        self.lock = CutLock(self.cuts)
        self.logger = RecordingLogger()
        self.clock = ManualClock()
        self.signal = asyncio.Event()
        self.turn = None
        self.fault = None
        self.proposals = [MEDIUM, GOOD]
        self.engine = create_engine(
            planner=self.plan,
            history=self.history,
            lock=self.lock,
            logger=self.logger,
            clock=self.clock,
            on_turn=self.observe,
        )

    async def plan(self, given, context):
        await self.cuts.point("before plan")
        proposal = self.proposals.pop(0) if self.proposals else GOOD
        await self.cuts.point("after plan")
        return Success(proposal)

    async def observe(self, diagnostics):
        await self.cuts.point("observed")

    async def play(self):
        """Run a turn to its end, whatever that is; an exception is an end as well."""
        self.turn = asyncio.create_task(self.engine.handle(message(), self.signal))
        await asyncio.wait({self.turn})
        if self.turn.cancelled():
            return asyncio.CancelledError
        return self.turn.result()

    async def check_after(self):
        """What must hold after any turn, however it ended."""
        self.cuts.cut = None
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert len(self.lock) == 0
        assert self.clock.waiting == 0
        before = (await MemoryHistory.load(self.history, "s1", 9)).unwrap()
        assert [turn.seq for turn in before.turns] == [*range(1, before.seq + 1)]
        self.signal = asyncio.Event()
        following = await self.engine.handle(message("m2"), self.signal)
        assert is_successful(following), following
        after = (await MemoryHistory.load(self.history, "s1", 9)).unwrap()
        assert after.seq == before.seq + 1
        assert len(self.lock) == 0
        return before.turns


def cut_everywhere(cut):
    """Play a turn once for each point, cut there; (name of the point, end, turns)."""

    async def one(at):
        world = World(at, cut)
        end = await world.play()
        names = list(world.cuts.names)
        reached = len(names) > at
        name = names[at] if reached else None
        turns = await world.check_after()
        again = await world.engine.handle(message(), None)
        assert is_successful(again), again
        if turns:  # it was recorded: sent again, it replays
            assert again.unwrap().timestamp == turns[0].timestamp
        return reached, (name, end, turns)

    ends = []
    for at in range(MOST):
        reached, end = asyncio.run(one(at))
        if not reached:
            return ends
        ends.append(end)
    raise AssertionError("the turn does not end")


POINTS = [
    "before hold",
    "held",
    "before find",
    "after find",
    "before load",
    "after load",
    "before plan",
    "after plan",
    "before plan",
    "after plan",
    "before append",
    "after append",
    "observed",
]
RECORDING = ("before append", "after append")


def test_a_turn_that_is_not_cut_passes_every_point():
    """The harness sees each wait of a turn with one retry."""

    async def scenario():
        world = World()
        assert is_successful(await world.play())
        assert world.cuts.names == POINTS

    asyncio.run(scenario())


def test_cancelled_at_every_point():
    """The cancel passes; what was being recorded is recorded, and replays."""
    ends = cut_everywhere(lambda world: world.turn.cancel())
    assert [name for name, _, _ in ends] == POINTS
    for name, end, turns in ends:
        assert end is asyncio.CancelledError, name
        assert len(turns) == (name in (*RECORDING, "observed")), name


def test_cancelled_twice_at_every_point():
    """A second cancel while the first is on its way changes nothing."""

    def twice(world):
        world.turn.cancel()
        asyncio.get_running_loop().call_soon(world.turn.cancel)

    for name, end, turns in cut_everywhere(twice):
        assert end is asyncio.CancelledError, name
        assert len(turns) == (name in (*RECORDING, "observed")), name


def test_signalled_at_every_point():
    """AbortedError up to the recording; from there on it is too late."""
    for name, end, turns in cut_everywhere(lambda world: world.signal.set()):
        late = name in (*RECORDING, "observed")
        assert is_successful(end) == late, name
        assert len(turns) == late, name
        if not late:
            failure = end.failure()
            assert isinstance(failure, AbortedError), name
            assert (failure.cause, failure.session_id) == ("signal", "s1"), name


def test_signalled_and_cancelled_at_every_point():
    """The cancel passes, whatever the signal says."""

    def both(world):
        world.signal.set()
        world.turn.cancel()

    for name, end, _ in cut_everywhere(both):
        assert end is asyncio.CancelledError, name


def test_out_of_time_at_every_point():
    """AbortedError(deadline), or the answer of the attempt before the last."""

    def late(world):
        world.clock._passed += 60.5
        for timer in list(world.clock._timers):
            world.clock._fire(timer)

    for name, end, turns in cut_everywhere(late):
        if is_successful(end):
            assert len(turns) == 1, name
        else:
            assert end.failure().cause == "deadline", name
            assert turns == (), name
    names = [name for name, end, _ in cut_everywhere(late) if is_successful(end)]
    assert names == ["before plan", "after plan", *RECORDING, "observed"]


@pytest.mark.parametrize(
    "fault", [RuntimeError("boom"), TimeoutError("mine"), OSError(5)]
)
def test_a_fault_at_every_point(fault):
    """What an effect raises becomes InternalError, and is in the log with its trace."""

    async def one(at):
        world = World(at)
        names = []

        async def point(name):
            names.append(name)
            await asyncio.sleep(0)
            if len(names) - 1 == at:
                raise fault

        world.cuts.point = point
        end = await world.play()
        reached = len(names) > at
        world.cuts.point = Cuts().point
        if reached:
            logged = [
                r for r in world.logger.records if "maelstrom.exception" in r.extra
            ]
            assert len(logged) == 1
            assert type(fault).__name__ in logged[0].extra["maelstrom.exception"]
        turns = await world.check_after()
        return (names[at], end, turns) if reached else None

    for at in range(MOST):
        outcome = asyncio.run(one(at))
        if outcome is None:
            break
        name, end, turns = outcome
        served = at in (8, 9) or name == "observed"  # the retry's planner, the observer
        assert is_successful(end) == served, name
        if not served:
            assert isinstance(end.failure(), InternalError), name
        assert len(turns) == (served or name == "after append"), name
    assert at == len(POINTS)


def test_closed_at_every_point():
    """AbortedError(shutdown), or the answer; nothing runs on, all is closed once."""

    async def one(at):
        closing = []

        def close(world):
            closing.append(asyncio.create_task(world.engine.aclose(0)))

        world = World(at, close)
        closed = []
        world.history.aclose = lambda: closed.append(1) or asyncio.sleep(0)
        end = await world.play()
        if not closing:
            return None
        await closing[0]
        await world.engine.aclose()
        assert closed == [1]
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert len(world.lock) == 0
        refused = await world.engine.handle(message("m2"))
        assert refused.failure().cause == "shutdown"
        return world.cuts.names[at], end

    for at in range(MOST):
        outcome = asyncio.run(one(at))
        if outcome is None:
            break
        name, end = outcome
        late = name in (*RECORDING, "observed")
        assert is_successful(end) == late, name
        if not late:
            assert end.failure().cause == "shutdown", name
    assert at == len(POINTS)


def test_cut_while_it_waits_for_its_session():
    """A turn that is cut in the queue leaves the queue, and nobody waits for it."""

    async def scenario():
        world = World()
        hold = asyncio.Event()

        async def plan(given, context):
            await hold.wait()
            return Success(GOOD)

        engine = world.engine.with_(planner=plan)
        first = asyncio.create_task(engine.handle(message("m1")))
        await world.clock.advance(0)
        stop = asyncio.Event()
        second = asyncio.create_task(engine.handle(message("m2"), stop))
        third = asyncio.create_task(engine.handle(message("m3")))
        fourth = asyncio.create_task(engine.handle(message("m4")))
        await world.clock.advance(0)
        third.cancel()
        stop.set()
        await world.clock.advance(0)
        assert (await second).failure().cause == "signal"
        assert third.cancelled()
        hold.set()
        assert is_successful(await first)
        assert is_successful(await fourth)
        await world.check_after()

    asyncio.run(scenario())


def test_cut_while_it_waits_for_a_place():
    """A turn that is cut before it has a place takes none from the others."""

    async def one(steps):
        clock = ManualClock()

        async def plan(given, context):
            await clock.sleep(1)
            return Success(GOOD)

        engine = create_engine(planner=plan, clock=clock, max_concurrent_turns=1)
        turns = [
            asyncio.create_task(engine.handle(message(session=f"s{n}")))
            for n in range(4)
        ]
        for _ in range(steps):
            await asyncio.sleep(0)
        turns[1].cancel()
        await clock.advance(9)
        assert turns[1].cancelled()
        assert all(is_successful(turns[n].result()) for n in (0, 2, 3))
        assert asyncio.all_tasks() == {asyncio.current_task()}

    for steps in range(12):
        asyncio.run(one(steps))


def test_a_conflict_writes_nothing():
    """A turn that lost its session meanwhile ends in conflict; the other one stands."""

    async def scenario():
        world = World()
        other = World()
        await other.play()
        (foreign,) = (await MemoryHistory.load(other.history, "s1", 9)).unwrap().turns

        async def plan(given, context):
            await MemoryHistory.append(world.history, "s1", foreign, 0)
            return Success(GOOD)

        engine = world.engine.with_(planner=plan)
        failure = (await engine.handle(message("m9"))).failure()
        assert isinstance(failure, HistoryError)
        assert (failure.kind, failure.retryable) == ("conflict", True)
        assert await world.check_after() == (foreign,)

    asyncio.run(scenario())


class AwayHistory(CutHistory):
    """A store that is away for its first two operations of each kind."""

    def __init__(self, cuts):
        super().__init__(cuts)
        self.failures = {"find": 2, "append": 2}

    def away(self, operation):
        self.failures[operation] -= 1
        return self.failures[operation] >= 0

    async def find(self, session_id, request_id):
        if self.away("find"):
            return Failure(HistoryError("unavailable", "find", "away"))
        return await super().find(session_id, request_id)

    async def append(self, session_id, turn, expected_seq):
        if self.away("append"):
            return Failure(HistoryError("unavailable", "append", "away"))
        return await super().append(session_id, turn, expected_seq)


@pytest.mark.parametrize("store", [CutHistory, AwayHistory])
@pytest.mark.parametrize("cut", ["cancel", "signal", "both"])
def test_cut_at_every_step_of_the_loop(store, cut):
    """Not only where an effect waits: whatever the event loop was about to do."""

    async def one(steps):
        world = World()
        world.clock = ManualClock(auto=True)
        world.history = store(world.cuts)
        world.engine = world.engine.with_(history=world.history, clock=world.clock)
        turn = asyncio.create_task(world.engine.handle(message(), world.signal))
        for _ in range(steps):
            await asyncio.sleep(0)
        if turn.done():
            return True
        if cut in {"signal", "both"}:
            world.signal.set()
        if cut in {"cancel", "both"}:
            turn.cancel()
        await asyncio.wait({turn})
        if cut != "signal":
            assert turn.cancelled()
        elif not is_successful(turn.result()):
            assert turn.result().failure().cause == "signal"
        turns = await world.check_after()
        if not turn.cancelled():
            assert is_successful(turn.result()) == bool(turns)
        assert is_successful(await world.engine.handle(message()))
        return False

    steps = 0
    while not asyncio.run(one(steps)):
        steps += 1 if store is CutHistory else 37
    assert steps > len(POINTS)
