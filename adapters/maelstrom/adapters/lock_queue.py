"""First come, first served within a process, in front of a lock that processes share.

Only the first in line asks the server, so a crowd in one process costs it no more than
one. A session's queue is forgotten when nobody holds or awaits it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

__all__ = ["LockQueue"]


class LockQueue:
    """One queue a session.

    >>> async def main() -> bool:
    ...     queue = LockQueue()
    ...     async with queue.hold("a"), queue.hold("b"):
    ...         return queue.idle
    >>> asyncio.run(main())
    False
    """

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._users: dict[str, int] = {}

    @property
    def idle(self) -> bool:
        """Whether nobody holds or awaits anything."""
        return not self._users

    @asynccontextmanager
    async def hold(self, session_id: str) -> AsyncIterator[None]:
        """Wait for those who came before, hold the session for the block."""
        lock = self._locks.setdefault(session_id, asyncio.Lock())
        self._users[session_id] = self._users.get(session_id, 0) + 1
        try:
            async with lock:
                yield
        finally:
            self._users[session_id] -= 1
            if not self._users[session_id]:
                del self._users[session_id], self._locks[session_id]
