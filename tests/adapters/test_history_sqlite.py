"""What SQLite adds to the contract: the file, its version, its neighbours."""

import asyncio
import sqlite3
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.pipeline import is_successful

from maelstrom.adapters.history_sqlite import MIGRATIONS, SqliteHistory
from maelstrom.adapters.testing.contracts_history import record, refused, sample_turn
from maelstrom.core.history import Loaded
from maelstrom.effects.config_error import ConfigError


def play(store, scenario):
    async def main():
        try:
            return await scenario(store)
        finally:
            await store.aclose()

    return asyncio.run(main())


def test_settings_are_strict(tmp_path):
    """A setting that is not what it should be is named where the store is made."""
    path = tmp_path / "history.db"
    for field, settings in (
        ("path", {"path": ""}),
        ("path", {"path": 7}),
        ("path", {"path": ":memory:"}),
        ("retention", {"retention": 0}),
        ("retention", {"retention": True}),
        ("retention", {"retention": 2.0}),
        ("ttl", {"ttl": 0}),
        ("ttl", {"ttl": float("nan")}),
        ("ttl", {"ttl": "60"}),
        ("busy_timeout", {"busy_timeout": -1}),
        ("busy_timeout", {"busy_timeout": False}),
    ):
        with pytest.raises(ConfigError) as caught:
            SqliteHistory(**{"path": path, **settings})
        assert caught.value.field == field
    assert not path.exists()


def test_commits_reach_the_disk(tmp_path):
    """The file is in WAL mode, and a commit waits for the disk."""
    path = tmp_path / "history.db"

    async def scenario(store):
        await record(store, "s", sample_turn(1))
        database = store._database
        [[full]] = await asyncio.wrap_future(
            store._thread.submit(
                lambda: database._connection.execute("PRAGMA synchronous").fetchall()
            )
        )
        return full

    assert play(SqliteHistory(path), scenario) == 2
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert db.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    db.close()


def test_newer_file_is_refused_by_name(tmp_path):
    """A file that a newer release migrated is left alone, and its version named."""
    path = tmp_path / "history.db"
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 977")
    db.close()

    async def scenario(store):
        for result in (await store.load("s", 1), await store.delete("s")):
            assert "977" in refused(result, "newer_version").message

    play(SqliteHistory(path), scenario)


def test_file_of_another_kind_is_corrupt(tmp_path):
    """A file that is no database is refused, and not overwritten."""
    path = tmp_path / "history.db"
    path.write_bytes(b"dear diary, " * 1000)
    play(SqliteHistory(path), lambda store: _refused(store, "corrupt"))
    assert path.read_bytes().startswith(b"dear diary")


def test_missing_folder_is_unavailable_until_it_is_there(tmp_path):
    """A file that cannot be opened is an answer; the store recovers by itself."""
    path = tmp_path / "later" / "history.db"

    async def scenario(store):
        await _refused(store, "unavailable")
        said = (await store.load("s", 1)).failure().message
        assert "SQLITE_CANTOPEN: is the file's folder there" in said
        assert str(tmp_path) not in said  # a client may read it
        path.parent.mkdir()
        await record(store, "s", sample_turn(1))

    play(SqliteHistory(path), scenario)


def test_waits_for_another_writer_but_not_forever(tmp_path):
    """While another process writes, an append waits; past the timeout it is refused."""
    path = tmp_path / "history.db"

    async def scenario(store):
        await record(store, "s", sample_turn(1))
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        error = refused(await store.append("s", sample_turn(2), 1), "unavailable")
        assert error.retryable
        assert (await store.load("s", 9)).unwrap().seq == 1
        other.execute("ROLLBACK")
        other.close()
        await record(store, "s", sample_turn(2))

    play(SqliteHistory(path, busy_timeout=0.05), scenario)


def test_many_processes_may_make_the_file(tmp_path):
    """Processes that open a new file at the same time agree on it."""
    program = (
        "import asyncio, sys\n"
        "from maelstrom.adapters.history_sqlite import SqliteHistory\n"
        "from maelstrom.adapters.testing.contracts_history import record, sample_turn\n"
        "async def main():\n"
        "    store = SqliteHistory(sys.argv[1])\n"
        "    await record(store, sys.argv[2], sample_turn(1))\n"
        "    await store.aclose()\n"
        "asyncio.run(main())\n"
    )
    path = tmp_path / "history.db"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", program, path, str(n)],
            env={"PYTHONPATH": ":".join(sys.path)},
        )
        for n in range(4)
    ]
    assert [writer.wait() for writer in writers] == [0] * 4

    async def scenario(store):
        for n in range(4):
            assert (await store.load(str(n), 9)).unwrap().seq == 1

    play(SqliteHistory(path), scenario)


def test_expired_sessions_are_swept(tmp_path):
    """Turns of sessions that nobody asks for any more leave the file with the next one."""

    class Clock:
        time = 0

        def now(self):
            return self.time

    clock = Clock()
    path = tmp_path / "history.db"

    async def scenario(store):
        for n in range(5):
            await record(store, f"s{n}", sample_turn(1))
        clock.time += 61_000
        await record(store, "new", sample_turn(1))
        assert await store.load("s1", 9) == await store.load("s2", 9)
        assert (await store.load("s1", 9)).unwrap() == Loaded((), 1)

    play(SqliteHistory(path, ttl=60, clock=clock), scenario)
    db = sqlite3.connect(path)
    assert db.execute("SELECT session_id FROM turns").fetchall() == [("new",)]
    db.close()


@given(session=st.text(max_size=8) | st.just("\ud800"), request=st.text(max_size=8))
def test_any_id_has_an_answer(tmp_path_factory, session, request):
    """Whatever is asked for, the answer is a value."""
    path = tmp_path_factory.getbasetemp() / "ids.db"

    async def scenario(store):
        result = await store.find(session, request)
        assert is_successful(result) or result.failure().kind == "corrupt"

    play(SqliteHistory(path), scenario)


async def _refused(store, kind):
    for result in (
        await store.load("s", 1),
        await store.find("s", "m"),
        await store.append("s", sample_turn(1), 0),
        await store.delete("s"),
    ):
        refused(result, kind)
