"""Turns in Redis, for engines in several processes.

Theory: a session is two keys under one hash tag, so that a cluster keeps them on one
node. `...:seq` holds the sequence number and never expires. `...:turns` is a hash with
three fields a turn: `t:<seq>` its text, `r:<seq>` its request id, `q:<request id>` its
sequence number; it expires as a whole. Each operation is one Lua script, so it is there
whole or not at all, whatever happens to the client.

Warts: a turn is as durable as the server makes it. "Never lost" holds with
`appendonly yes` and `appendfsync always`, and without eviction (`maxmemory-policy
noeviction`).

To keep in step: `lock_redis` names its keys in the same way.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from returns.result import Failure, Result, Success

from maelstrom.adapters.redis_scripts import RedisScripts, outcome
from maelstrom.core.errors import HistoryError
from maelstrom.core.history import Loaded, Turn
from maelstrom.core.wire import turn_to_text
from maelstrom.effects.stored import (
    check_retention,
    check_ttl,
    conflict,
    read_found,
    read_loaded,
)

__all__ = ["APPEND", "RedisHistory"]

_T = TypeVar("_T")
_Answer = Result[_T, HistoryError]

_PARTS: Final = ("seq", "turns")

_LOAD: Final = """
local seq = tonumber(redis.call('GET', KEYS[1]) or '0')
local texts = {}
for place = seq, seq - tonumber(ARGV[1]) + 1, -1 do
    local text = redis.call('HGET', KEYS[2], string.format('t:%.0f', place))
    if not text then break end
    table.insert(texts, text)
end
if ARGV[2] ~= '' then redis.call('PEXPIRE', KEYS[2], ARGV[2]) end
return {seq, texts}
"""
_FIND: Final = """
local seq = redis.call('HGET', KEYS[2], 'q:' .. ARGV[1])
return seq and redis.call('HGET', KEYS[2], 't:' .. seq)
"""
APPEND: Final = """
local expected, request, text, ttl, retention = unpack(ARGV)
local seq = string.format('%.0f', expected + 1)
local head = redis.call('GET', KEYS[1]) or '0'
if head ~= expected then
    if redis.call('HGET', KEYS[2], 't:' .. seq) == text then return {1, 0} end
    return {0, tonumber(head)}
end
if redis.call('HEXISTS', KEYS[2], 'q:' .. request) == 1 then return {0, tonumber(head)} end
redis.call('HSET', KEYS[2], 't:' .. seq, text, 'r:' .. seq, request, 'q:' .. request, seq)
redis.call('SET', KEYS[1], seq)
if ttl ~= '' then redis.call('PEXPIRE', KEYS[2], ttl)
else redis.call('PERSIST', KEYS[2]) end
if retention ~= '' then
    local old = string.format('%.0f', seq - retention)
    local name = redis.call('HGET', KEYS[2], 'r:' .. old)
    while name do
        redis.call('HDEL', KEYS[2], 't:' .. old, 'r:' .. old, 'q:' .. name)
        old = string.format('%.0f', old - 1)
        name = redis.call('HGET', KEYS[2], 'r:' .. old)
    end
end
return {1, 0}
"""
_DELETE: Final = "return redis.call('DEL', KEYS[1], KEYS[2])"


class RedisHistory:
    """A `HistoryStore` in Redis 6.2 or newer, or what speaks as it does.

    Args:
        url: `redis://`, `rediss://` or `unix://`, with credentials where needed.
        prefix: What the names of all keys start with.
        retention: Turns kept per session; None for all of them.
        ttl: Seconds that a session's turns are kept after its last load or append;
            None for ever. The sequence number is kept in any case.
        timeout: Seconds that connecting, or one reply, may take.
        max_connections: Connections open at a time; operations past it wait in line.

    Raises:
        ConfigError: An argument is not what it should be; the message names it.
        ImportError: The extra is not installed.
    """

    def __init__(
        self,
        url: str,
        *,
        prefix: str = "maelstrom",
        retention: int | None = None,
        ttl: float | None = None,
        timeout: float = 5.0,
        max_connections: int = 32,
    ) -> None:
        self._scripts = RedisScripts(url, prefix, timeout, max_connections)
        self._retention = "" if check_retention(retention) is None else str(retention)
        milliseconds = check_ttl(ttl)
        self._ttl = "" if milliseconds is None else str(milliseconds)
        self._closed = False

    async def load(self, session_id: str, limit: int) -> _Answer[Loaded]:
        """The newest `limit` turns, oldest first, and the last sequence number."""

        def read(answer: Any) -> _Answer[Loaded]:
            seq, texts = answer
            return read_loaded(tuple(reversed(texts)), seq)

        return await self._run("load", read, _LOAD, session_id, limit, self._ttl)

    async def find(self, session_id: str, request_id: str) -> _Answer[Turn | None]:
        """The turn that answered this message, if it is still held."""

        def read(answer: Any) -> _Answer[Turn | None]:
            return read_found(answer, request_id)

        return await self._run("find", read, _FIND, session_id, request_id)

    async def append(
        self, session_id: str, turn: Turn, expected_seq: int
    ) -> _Answer[None]:
        """Record, if the session's sequence number is still `expected_seq`."""

        def read(answer: Any) -> _Answer[None]:
            done, head = answer
            return Success(None) if done else Failure(conflict(expected_seq, head))

        fields = (turn.request_id, turn_to_text(turn))
        settings = (self._ttl, self._retention)
        return await self._run(
            "append", read, APPEND, session_id, expected_seq, *fields, *settings
        )

    async def delete(self, session_id: str) -> _Answer[None]:
        """Forget the session, its sequence number included."""
        return await self._run("delete", _nothing, _DELETE, session_id)

    async def aclose(self) -> None:
        """Close the connections; calling it again does nothing."""
        self._closed = True
        await self._scripts.aclose()

    async def _run(
        self,
        operation: str,
        read: Callable[[Any], _Answer[_T]],
        script: str,
        session_id: str,
        *args: str | int,
    ) -> _Answer[_T]:
        if self._closed:
            error = HistoryError("unavailable", operation, "the history is closed")
            return Failure(error)
        try:
            keys = tuple(self._scripts.key(session_id, part) for part in _PARTS)
            answer = await self._scripts.run(script, keys, *args)
        except Exception as error:
            kind = outcome(error)
            if kind is None:
                raise
            said = f"Redis: {type(error).__name__}"
            return Failure(HistoryError(kind, operation, said))
        return read(answer)


def _nothing(_: object) -> _Answer[None]:
    return Success(None)
