"""How many appends a second do the stores make, beside their bare drivers?

    python -m benchmarks.stores [sqlite|redis|postgres ...] [--rounds 11] [--appends 200]

Each contestant appends turns to sessions of its own: in the same file or server, under
the same settings of durability (SQLite with `synchronous=FULL`, Redis with
`appendfsync always`, PostgreSQL as it comes), the same rows, and as many connections.
Servers are started on free ports. In each round every contestant runs once, in shuffled
order; a figure is the median of the rounds' paired ratios to the bare driver, in seconds
of the wall clock (the server's work and the disk are in it) and of this process's CPU.

Three contestants a store: the store; its driver doing the same statements by hand; the
driver once more, but given the turn itself, which it has to write as JSON as the store
does. What the second one is spared is what stands between it and the third.
"""

import argparse
import asyncio
import gc
import random
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import attrs

from benchmarks.stores_bare import BarePostgres, BareRedis, BareSqlite
from maelstrom.adapters.history_postgres import PostgresHistory
from maelstrom.adapters.history_redis import RedisHistory
from maelstrom.adapters.history_sqlite import SqliteHistory
from maelstrom.core.history import After, Turn
from maelstrom.core.layout import Cell, GridLayout, Position
from maelstrom.core.request import Dimensions, Instance, UserIntent
from maelstrom.core.vessel import Size
from maelstrom.core.wire import turn_to_text
from tests.servers import postgres_running, redis_running

AT_ONCE = (1, 10)
"""Appends under way at a time, each over a connection of its own; SQLite has one."""


def sample():
    """A turn of eight pieces, about two kilobytes."""
    names = [f"piece-{n}" for n in range(8)]
    pieces = (
        Position(name, Cell(3 * (n // 4), 3 * (n % 4)), Size(3, 3))
        for n, name in enumerate(names)
    )
    return Turn(
        seq=1,
        request_id="r-1",
        digest="0" * 64,
        timestamp=1_767_225_600_000,
        reasons=(UserIntent("Show me next week, and what is left to do"),),
        user_message="Here is your week, with your tasks beside it.",
        rationale="The week and the tasks were asked for.",
        execution_plan=(),
        layout=GridLayout(tuple(pieces)),
        after=After(
            tuple(Instance(name, "tasks", "list") for name in names),
            Dimensions(12, 8),
            "grid",
        ),
        severity="none",
        attempts=1,
    )


def turns_of(count):
    """The turns of one session, in order."""
    first = sample()
    return [
        attrs.evolve(first, seq=n, request_id=f"r-{n}") for n in range(1, count + 1)
    ]


# ---------------------------------------------------------------- stores and drivers


class OurStore:
    """A store of ours."""

    def __init__(self, store):
        self._store = store

    async def append(self, session, turn):
        (await self._store.append(session, turn, turn.seq - 1)).unwrap()

    async def aclose(self):
        await self._store.aclose()


class Encoding:
    """A bare driver that is given turns, and has to write them as JSON."""

    def __init__(self, driver):
        self._driver = driver

    async def append(self, session, turn):
        await self._driver.write(session, turn.seq, turn.request_id, turn_to_text(turn))

    async def aclose(self):
        await self._driver.aclose()


class Ready:
    """A bare driver that is given texts of the same length, ready to be written."""

    def __init__(self, driver):
        self._driver = driver
        self._text = turn_to_text(sample())

    async def append(self, session, turn):
        await self._driver.write(session, turn.seq, turn.request_id, self._text)

    async def aclose(self):
        await self._driver.aclose()


# ---------------------------------------------------------------- rounds


async def run(contestant, label, appends, at_once):
    """Seconds of the wall clock and of CPU that an append took."""
    sessions = [turns_of(appends // at_once) for _ in range(at_once)]

    async def play(number, turns):
        for turn in turns:
            await contestant.append(f"{label}-{number}", turn)

    gc.collect()
    began, spent = time.perf_counter(), time.process_time()
    await asyncio.gather(*(play(n, turns) for n, turns in enumerate(sessions)))
    took, spent = time.perf_counter() - began, time.process_time() - spent
    done = sum(map(len, sessions))
    return took / done, spent / done


async def compare(contestants, rounds, appends, at_once):
    """Run them all in each round; the first one warms up."""
    times = {name: [] for name in contestants}
    for number in range(rounds + 1):
        for name in random.sample(list(contestants), len(contestants)):
            label = f"{name}-{at_once}-{number}"
            figure = await run(contestants[name], label, appends, at_once)
            if number:
                times[name].append(figure)
    return times


def report(store, at_once, times):
    """A line a contestant: appends a second, CPU of one, and the ratios of both."""
    for name, rows in times.items():
        rate = 1 / median(took for took, _ in rows)
        cpu = median(spent for _, spent in rows) * 1e6
        line = f"{store:9} {at_once:7} {name:20} {rate:9,.0f} {cpu:6,.0f} us"
        for base in ("driver", "driver and encoding"):
            pairs = list(zip(rows, times[base], strict=True))
            wall, own = (median(one[i] / two[i] for one, two in pairs) for i in (0, 1))
            line += f" {wall:9.2f} {own:6.2f}"
        print(line)


def sqlite(stack):
    """The store's file, in a folder of its own."""
    folder = stack.enter_context(tempfile.TemporaryDirectory())
    path = Path(folder) / "turns.db"
    return lambda _: (SqliteHistory(path), BareSqlite(path), BareSqlite(path))


def redis_server(stack):
    """A server that answers once a write is on the disk."""
    url = stack.enter_context(redis_running()).url
    return lambda count: (
        RedisHistory(url, max_connections=count),
        BareRedis(url, count),
        BareRedis(url, count),
    )


def postgres(stack):
    """A server as it comes."""
    url = stack.enter_context(postgres_running()).url
    return lambda count: (
        PostgresHistory(url, max_connections=count),
        BarePostgres(url, count),
        BarePostgres(url, count),
    )


STORES = {"sqlite": sqlite, "redis": redis_server, "postgres": postgres}


async def measure(store, make, rounds, appends):
    """Print the lines of one store."""
    for at_once in AT_ONCE:
        ours, given_turns, given_texts = make(at_once)
        contestants = {
            "store": OurStore(ours),
            "driver and encoding": Encoding(given_turns),
            "driver": Ready(given_texts),
        }
        await contestants["store"].append(f"open-{at_once}", sample())  # makes tables
        report(store, at_once, await compare(contestants, rounds, appends, at_once))
        for one in contestants.values():
            await one.aclose()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("stores", nargs="*", default=list(STORES))
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--appends", type=int, default=200)
    chosen = parser.parse_args()
    print(
        f"{'store':9} {'at once':>7} {'contestant':20} {'appends/s':>9} {'CPU':>9}",
        end="",
    )
    print(f" {'x driver':>9} {'CPU':>6} {'x encoding':>10} {'CPU':>5}")
    with ExitStack() as stack:
        for store in chosen.stores:
            make = STORES[store](stack)
            asyncio.run(measure(store, make, chosen.rounds, chosen.appends))


if __name__ == "__main__":
    sys.exit(main())
