"""The history in memory keeps the contract of every store."""

from maelstrom.adapters.history_memory import MemoryHistory
from maelstrom.adapters.testing.clock import ManualClock
from maelstrom.adapters.testing.contracts_history import HistoryContract


class TestMemoryHistory(HistoryContract):
    """A dictionary keeps the contract."""

    def make_store(self, *, retention=None, ttl=None):
        self.clock = ManualClock()
        return MemoryHistory(retention=retention, ttl=ttl, clock=self.clock)

    async def pass_time(self, session_id, seconds):
        await self.clock.advance(seconds)
