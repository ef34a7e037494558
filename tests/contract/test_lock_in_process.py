"""The lock in this process keeps the contract of every lock."""

from maelstrom.adapters.testing.contracts_lock import LockContract
from maelstrom.effects.sessions import InProcessLock


class TestInProcessLock(LockContract):
    """An asyncio lock per session keeps the contract."""

    def make_lock(self):
        return InProcessLock()
