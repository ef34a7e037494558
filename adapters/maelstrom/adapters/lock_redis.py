"""One turn at a time per session, across processes, with Redis.

Theory: the lock of a session is a key that holds the random token of its holder and
expires after the lease. The holder renews it three times a lease; it takes itself for
the loser once the lease has passed since the last renewal that worked began, or once a
renewal finds another token. Who waits asks again after a short pause, and stands in a
queue on the server meanwhile, so that processes are served in the order they came. A
waiter that is not heard of for `_STALE` loses its place. Within a process, only the
first in line asks the server.

Warts: a lease can expire under a process that is stalled, and a Redis that fails over
can forget it. That is why correctness rests on the conditional append, not on this.

To keep in step: `history_redis` names its keys in the same way.
"""

import asyncio
import random
import secrets
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Final

from maelstrom.adapters.redis_scripts import RedisScripts, outcome
from maelstrom.effects.sessions import InProcessLock
from maelstrom.effects.stored import check_seconds

__all__ = ["RedisLock"]

_STALE: Final = 2_000
"""Milliseconds without asking, after which a waiter is taken for dead: many pauses."""

_PAUSES: Final = (0.01, 0.1)
"""Seconds between two questions: the first pause, and what they grow to."""

_AWAY: Final = (0.05, 1.0)
"""The same, while the server does not answer."""

_PARTING: Final = 1.0
"""Seconds that a release may hold its caller up; past it, it goes on by itself."""

_PARTS: Final = ("lock", "queue", "beats")

_TAKE: Final = """
local token, lease, stale = ARGV[1], ARGV[2], tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local holder = redis.call('GET', KEYS[1])
if holder == token then
    redis.call('PEXPIRE', KEYS[1], lease)
    return 1
end
local first = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
while first and first ~= token
    and now - tonumber(redis.call('HGET', KEYS[3], first) or '0') > stale do
    redis.call('ZREM', KEYS[2], first)
    redis.call('HDEL', KEYS[3], first)
    first = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
end
if not holder and (not first or first == token) then
    redis.call('SET', KEYS[1], token, 'PX', lease)
    redis.call('ZREM', KEYS[2], token)
    redis.call('HDEL', KEYS[3], token)
    return 1
end
if not redis.call('ZSCORE', KEYS[2], token) then
    local last = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')[2]
    redis.call('ZADD', KEYS[2], (last or 0) + 1, token)
end
redis.call('HSET', KEYS[3], token, string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[2], stale * 5)
redis.call('PEXPIRE', KEYS[3], stale * 5)
return 0
"""
_RENEW: Final = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
"""
_LEAVE: Final = """
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[1])
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
"""


class RedisLock:
    """A `SessionLock` for engines in several processes.

    Args:
        url: `redis://`, `rediss://` or `unix://`, with credentials where needed.
        prefix: What the names of all keys start with.
        lease: Seconds that a lock outlives a holder that died or stalled.
        timeout: Seconds that connecting, or one reply, may take.
        max_connections: Connections open at a time.

    Raises:
        ConfigError: An argument is not what it should be; the message names it.
        ImportError: The extra is not installed.
    """

    def __init__(
        self,
        url: str,
        *,
        prefix: str = "maelstrom",
        lease: float = 10.0,
        timeout: float = 2.0,
        max_connections: int = 32,
    ) -> None:
        self._lease = check_seconds("lease", lease)
        self._scripts = RedisScripts(url, prefix, timeout, max_connections)
        self._queue = InProcessLock()
        self._parting: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def hold(self, session_id: str) -> AsyncIterator["RedisLease"]:
        """Wait until the session is free, hold it for the block."""
        async with self._queue.hold(session_id):
            keys = tuple(self._scripts.key(session_id, part) for part in _PARTS)
            token = secrets.token_hex(16)
            try:
                lease = RedisLease(await self._take(keys, token))
                renewing = asyncio.create_task(self._renew(keys, token, lease))
                try:
                    yield lease
                finally:
                    renewing.cancel()
                    await asyncio.wait([renewing])
            finally:
                await self._part(self._leave(keys, token))

    async def aclose(self) -> None:
        """Close the connections; calling it again does nothing."""
        if self._parting:
            await asyncio.wait(self._parting, timeout=_PARTING)
        await self._scripts.aclose()

    async def _take(self, keys: tuple[str, ...], token: str) -> float:
        """Ask until it is ours; when the lease ends, on the monotonic scale."""
        pause = 0.0
        while True:
            asked = time.monotonic()
            try:
                arguments = (token, self._milliseconds, _STALE)
                if await self._scripts.run(_TAKE, keys, *arguments):
                    return asked + self._lease
                first, last = _PAUSES
            except Exception as error:
                if outcome(error) != "unavailable":
                    raise
                first, last = _AWAY
            pause = min(last, max(first, pause * 2))
            # Spread, so that processes do not ask in step.
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311  no secret

    async def _renew(
        self, keys: tuple[str, ...], token: str, lease: "RedisLease"
    ) -> None:
        while True:
            await asyncio.sleep(self._lease / 3)
            asked = time.monotonic()
            try:
                kept = await self._scripts.run(_RENEW, keys, token, self._milliseconds)
            except Exception as error:
                if outcome(error) != "unavailable":
                    raise
                continue  # the lease itself says when it is too late
            if not kept:
                lease.end()
                return
            lease.extend(asked + self._lease)

    async def _leave(self, keys: tuple[str, ...], token: str) -> None:
        try:
            await self._scripts.run(_LEAVE, keys, token)
        except Exception as error:
            if outcome(error) != "unavailable":
                raise
            # It ends with its lease, and the place in the queue by being stale.

    async def _part(self, leaving: Coroutine[Any, Any, None]) -> None:
        """Leave even if the task is cancelled, and do not wait for a dead server."""
        task = asyncio.create_task(leaving)
        self._parting.add(task)
        task.add_done_callback(self._parting.discard)
        await asyncio.wait([task], timeout=_PARTING)

    @property
    def _milliseconds(self) -> int:
        return max(1, round(self._lease * 1000))


class RedisLease:
    """A lock while it is held; the times are on the monotonic scale, in seconds."""

    def __init__(self, until: float) -> None:
        self._until = until

    def lost(self) -> bool:
        """Whether another process may hold the session by now."""
        return time.monotonic() >= self._until

    def extend(self, until: float) -> None:
        """A renewal worked: unless it came too late, hold on until then."""
        if not self.lost():
            self._until = until

    def end(self) -> None:
        """A renewal found that somebody else is the holder."""
        self._until = float("-inf")
