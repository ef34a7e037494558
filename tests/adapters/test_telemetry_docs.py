"""docs/telemetry.md says what engines tell in turns that meet everything."""

import asyncio
import re
from pathlib import Path
from typing import get_args

import pytest
from returns.result import Failure

from maelstrom.adapters import otel
from maelstrom.adapters.history_memory import MemoryHistory
from maelstrom.adapters.testing import (
    RecordingInstrument,
    RecordingLogger,
    sample_message,
    scripted_adapter,
)
from maelstrom.core.completion import Completion, Usage
from maelstrom.core.diagnostics import Decision
from maelstrom.core.errors import HistoryError, ProviderError
from maelstrom.effects import create_engine, llm_planner, telemetry

DOCS = (Path(__file__).parents[2] / "docs" / "telemetry.md").read_text("utf-8")
IDS = {"maelstrom.session_id", "maelstrom.message_id"}
BAD = """{"rationale": "", "userMessage": "Well.", "executionPlan": [{}],
"layout": {"type": "grid", "positions": [{}, {"instanceId": "notes-1",
"position": {"row": "0", "column": 0}, "size": {"width": 2, "height": 2}}]}}"""
TOLD = Completion(BAD, "m-1", "r-1", usage=Usage(9, 8, 7, 6))
ERROR = ProviderError("timeout", "scripted", "late")


class Away(MemoryHistory):
    """A history that does not record."""

    async def append(self, session_id, turn, expected_seq):
        """Refuse."""
        return Failure(HistoryError("corrupt", "append", "no"))


class Unread(MemoryHistory):
    """A history that cannot be read."""

    async def find(self, session_id, request_id):
        """Refuse."""
        return Failure(HistoryError("corrupt", "find", "no"))


def rows(heading):
    """The cells of the table under a heading."""
    section = DOCS.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def names(cell):
    return set(re.findall("`([^`]+)`", cell))


@pytest.fixture(scope="module")
def told():
    """What was told in turns that are retried, fail, lose their history, and crash."""
    instrument, logger = RecordingInstrument(), RecordingLogger()

    async def turn(*replies, history=None):
        engine = create_engine(
            planner=llm_planner(adapter=scripted_adapter(replies)),
            history=history,
            instrument=instrument,
            logger=logger,
        )
        await engine.handle(sample_message("s"))

    async def turns():
        await turn(TOLD, TOLD, history=Away())
        await turn(TOLD, TOLD, history=Unread())
        await turn(ERROR)
        await turn(RuntimeError("x"))

    asyncio.run(turns())
    return instrument, logger


def _kind(attribute):
    return re.sub(
        r"^(maelstrom\.(drop|skip|repair|warning))\..*", r"\1.REASON", attribute
    )


def test_events_and_attributes_are_documented(told):
    """Every event of the table is told with just these attributes, all of them seen."""
    instrument, _ = told
    seen = {}
    for name, attributes in instrument.events:
        assert set(attributes) >= IDS
        seen.setdefault(name, set()).update(map(_kind, set(attributes) - IDS))

    assert {
        names(name).pop(): names(cell) for name, _, cell in rows("The events")
    } == seen


def test_levels_are_documented(told):
    """The levels at which the logger hears of an event are those of the table."""
    _, logger = told
    seen = {}
    for record in logger.records:
        seen.setdefault(record.message, set()).add(record.level)

    for name, levels, _ in rows("The events"):
        assert set(levels.split(", ")) == seen[names(name).pop()]


def test_events_of_the_table_are_all_there_are():
    """Each name that the code has for an event stands in the table."""
    known = {
        value
        for key, value in vars(telemetry).items()
        if key.isupper() and isinstance(value, str)
    }

    assert {names(name).pop() for name, _, _ in rows("The events")} == known


def test_decisions_are_documented():
    """In the order of the type."""
    listed = [names(row[0]).pop() for row in rows("The diagnostics of a turn")]

    assert tuple(listed) == get_args(Decision)


def test_metrics_are_documented():
    """Their dimensions are those of the adapter, and the tokens' type."""
    tokens, seconds = (names(row[2]) for row in rows("OpenTelemetry")[2:])

    assert seconds == set(otel._DIMENSIONS)
    assert tokens == seconds | {"gen_ai.token.type"}
