"""Turns recorded as files: whole or not at all, in order, and never in the way."""

import asyncio
import json
import stat

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from returns.pipeline import is_successful

from maelstrom.adapters.recorder import read_recording, record_to
from maelstrom.adapters.testing.recorders import RecordingLogger
from maelstrom.core.diagnostics import Diagnostics
from maelstrom.core.errors import InternalError
from maelstrom.core.messages import EngineMessage
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.create import create_engine
from maelstrom.effects.keyword import keyword_planner
from tests.core.turn_samples import message, request


def _turn(started=5, session="s", message_id="m"):
    error = InternalError("plan", "x", session_id=session, id=message_id)
    return Diagnostics(None, started, started + 3, "failed", error=error)


def _handle(engine, *messages):
    async def scenario():
        results = [await engine.handle(one) for one in messages]
        await engine.aclose()
        return results

    return asyncio.run(scenario())


def test_each_turn_is_a_file_that_can_be_read(tmp_path):
    """An engine that records leaves a file a turn, in the order of the turns."""
    folder = tmp_path / "deep" / "down"
    engine = create_engine(
        planner=keyword_planner(), on_turn=record_to(folder, content=True)
    )

    results = _handle(engine, message("m1"), message("m2"), '{"id": "m3"')

    files = sorted(folder.iterdir())
    kept = [read_recording(path.read_bytes()).unwrap() for path in files]
    assert sorted(one.id or "" for one in kept) == ["", "m1", "m2"]
    outputs = [one.diagnostics.output for one in kept if one.id]
    assert {one.id for one in outputs} == {"m1", "m2"}
    assert [is_successful(one) for one in results] == [True, True, False]


def test_content_is_kept_only_where_it_is_asked_for(tmp_path):
    """By default what the user said is not in the file."""
    engine = create_engine(planner=keyword_planner(), on_turn=record_to(tmp_path))

    _handle(engine, message(intent="show my secret notes"))

    (path,) = tmp_path.iterdir()
    assert "secret" not in path.read_text("utf-8")
    assert not read_recording(path.read_bytes()).unwrap().content


def test_a_disk_that_fails_does_not_fail_the_turn(tmp_path):
    """The answer is returned, the failure is logged, nothing half-written is left."""
    folder = tmp_path / "gone"
    logger = RecordingLogger()
    engine = create_engine(
        planner=keyword_planner(), on_turn=record_to(folder), logger=logger
    )
    folder.rmdir()

    (result,) = _handle(engine, message())

    assert is_successful(result)
    assert any("FileNotFoundError" in line for line in logger.messages("error"))
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    """A full disk is found out before the file has its name."""

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("maelstrom.adapters.recorder.os.fsync", full)

    with pytest.raises(OSError, match="No space left"):
        record_to(tmp_path).save(_turn())
    assert list(tmp_path.iterdir()) == []


@given(
    st.lists(
        st.tuples(st.integers(-5, 10**14), st.text(min_size=1), st.text(min_size=1)),
        min_size=1,
        max_size=5,
        unique=True,
    )
)
def test_names_are_safe_and_sort_by_time(tmp_path_factory, turns):
    """Whatever the ids: one folder, plain names, another turn another name."""
    folder = tmp_path_factory.mktemp("turns")
    recorder = record_to(folder)

    paths = [recorder.save(_turn(*one)) for one in turns]

    assert {path.parent for path in paths} == {folder}
    assert len(set(paths)) == len(turns)
    assert all(path.name.isascii() and len(path.name) <= 143 for path in paths)
    assert not any(set(path.name) & set('/\\:*?"<>| ~$%') for path in paths)
    by_name = sorted(zip(paths, turns, strict=True))
    times = [max(turn[0], 0) for _, turn in by_name]
    assert times == sorted(times)


def test_the_same_turn_saved_twice_is_there_once(tmp_path):
    """Equal recordings have equal names."""
    recorder = record_to(tmp_path)

    assert recorder.save(_turn()) == recorder.save(_turn())
    assert recorder.save(evolve(_turn(), finished=9)) != recorder.save(_turn())
    assert len(list(tmp_path.iterdir())) == 2


def test_files_are_for_their_owner_alone(tmp_path):
    """They may hold what people wrote."""
    path = record_to(tmp_path, content=True).save(_turn())

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_file_is_json_in_plain_unicode(tmp_path):
    """A wish in any language can be read in the file; broken text does not break it."""
    recorder = record_to(tmp_path, content=True)
    for intent in ("покажи", "half \ud800 a character"):
        asked = EngineMessage("s", "m", 0, request(intent))
        error = InternalError("plan", intent)
        path = recorder.save(Diagnostics(None, 0, 1, "failed", error=error))
        assert json.loads(path.read_text("utf-8"))["diagnostics"]["error"][
            "message"
        ] == (asked.payload.context.update_reasons[0].intent)


def test_what_cannot_be_recorded_to_is_said_at_once(tmp_path):
    """Constructors raise ConfigError, and name what is wrong."""
    file = tmp_path / "file"
    file.write_text("")

    for wrong in (lambda: record_to(file), lambda: record_to("a\0b")):
        with pytest.raises(ConfigError, match="folder"):
            wrong()
    with pytest.raises(ConfigError, match="folder"):
        record_to(5)
    with pytest.raises(ConfigError, match="content"):
        record_to(tmp_path, content="yes")
