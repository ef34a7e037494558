"""Fixtures for pytest: an engine whose model, time, store and telemetry a test controls.

Loaded by itself where the package is installed, as the entry point `pytest11`; else by
``pytest_plugins = ["maelstrom.adapters.testing.plugin"]``. Each fixture is one thing,
and `maelstrom_engine` puts them together:

    def test_an_outage_is_told(maelstrom_engine, maelstrom_observer):
        engine = maelstrom_engine(ProviderError("overloaded", "test", "busy"))
        result = asyncio.run(engine.handle(sample_message("session-1")))
        assert result.failure().kind == "overloaded"
        assert len(maelstrom_observer.turns) == 1

Wart: pytest loads plugins before it measures coverage; so this file imports what it
needs within the fixtures.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

if TYPE_CHECKING:
    from maelstrom.adapters.history_memory import MemoryHistory
    from maelstrom.adapters.testing.clock import ManualClock
    from maelstrom.adapters.testing.recorders import (
        RecordingInstrument,
        RecordingLogger,
        RecordingObserver,
    )
    from maelstrom.effects.ports import ManagedEngine

__all__ = [
    "MakeEngine",
    "maelstrom_clock",
    "maelstrom_engine",
    "maelstrom_history",
    "maelstrom_instrument",
    "maelstrom_logger",
    "maelstrom_observer",
]

MakeEngine: TypeAlias = "Callable[..., ManagedEngine]"


@pytest.fixture
def maelstrom_clock() -> "ManualClock":
    """A clock that moves by itself where somebody sleeps, and else when told."""
    from maelstrom.adapters.testing.clock import ManualClock

    return ManualClock(auto=True)


@pytest.fixture
def maelstrom_history(maelstrom_clock: "ManualClock") -> "MemoryHistory":
    """An empty history in memory."""
    from maelstrom.adapters.history_memory import MemoryHistory

    return MemoryHistory(clock=maelstrom_clock)


@pytest.fixture
def maelstrom_logger() -> "RecordingLogger":
    """A logger whose lines stand in ``records``."""
    from maelstrom.adapters.testing.recorders import RecordingLogger

    return RecordingLogger()


@pytest.fixture
def maelstrom_instrument() -> "RecordingInstrument":
    """An instrument whose events stand in ``events``."""
    from maelstrom.adapters.testing.recorders import RecordingInstrument

    return RecordingInstrument()


@pytest.fixture
def maelstrom_observer() -> "RecordingObserver":
    """An observer whose diagnostics stand in ``turns``."""
    from maelstrom.adapters.testing.recorders import RecordingObserver

    return RecordingObserver()


@pytest.fixture
def maelstrom_engine(
    maelstrom_clock: "ManualClock",
    maelstrom_history: "MemoryHistory",
    maelstrom_logger: "RecordingLogger",
    maelstrom_instrument: "RecordingInstrument",
    maelstrom_observer: "RecordingObserver",
) -> MakeEngine:
    """Makes an engine over the other fixtures.

    Call it with the replies of a `scripted_planner`, or with ``planner=``, and with any
    option of `create_engine`. Without either, words are matched (`keyword_planner`).
    What it makes holds nothing open.
    """
    from maelstrom.effects import create_engine, keyword_planner, scripted_planner

    def make(*replies: Any, **options: Any) -> "ManagedEngine":
        planner = scripted_planner(replies) if replies else keyword_planner()
        given = {
            "planner": planner,
            "clock": maelstrom_clock,
            "history": maelstrom_history,
            "logger": maelstrom_logger,
            "instrument": maelstrom_instrument,
            "on_turn": maelstrom_observer,
        }
        return create_engine(**{**given, **options})

    return make
