"""The reference engine keeps the contract of every engine."""

from maelstrom.adapters.history_memory import MemoryHistory
from maelstrom.adapters.testing.contracts_engine import EngineContract
from maelstrom.effects.create import create_engine
from maelstrom.effects.offline import reflow_planner


class TestWithHistory(EngineContract):
    """An engine that records its turns."""

    def make_engine(self):
        return create_engine(planner=reflow_planner(), history=MemoryHistory())


class TestWithRequiredHistory(EngineContract):
    """An engine that fails where its history does."""

    def make_engine(self):
        return create_engine(
            planner=reflow_planner(), history=MemoryHistory(), history_required=True
        )


class TestWithoutHistory(EngineContract):
    """An engine without a memory."""

    remembers = False

    def make_engine(self):
        return create_engine(planner=reflow_planner())
