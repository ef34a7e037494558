"""Lua scripts over redis-py: what the history and the lock in Redis stand on.

Theory: each operation is one script, atomic on the server. It is called by its digest,
and sent in full where the server does not know it (any more). A command whose reply
did not arrive is sent once more on a new connection, so every script has to be
idempotent. Connections belong to the event loop that opened them: on another loop a
new client is made.

No text of the driver's exceptions is passed on: it may hold what a URL held.
"""

import asyncio
import hashlib
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from maelstrom.core.errors import HistoryErrorKind
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.stored import check_seconds

if TYPE_CHECKING:
    from redis.asyncio import Redis

__all__ = ["OUTCOMES", "RedisScripts", "outcome"]

OUTCOMES: Final = MappingProxyType[str, HistoryErrorKind](
    {
        # exception of the driver, or of what is below it: kind
        "RedisError": "unavailable",
        "RedisClusterException": "unavailable",
        "OSError": "unavailable",  # TimeoutError is one
        "UnicodeEncodeError": "corrupt",  # an id that no text can hold
    }
)


def outcome(error: Exception) -> HistoryErrorKind | None:
    """What an exception means; None for one that is a bug.

    >>> outcome(ConnectionRefusedError())
    'unavailable'
    """
    names = (base.__name__ for base in type(error).__mro__)
    return next((OUTCOMES[name] for name in names if name in OUTCOMES), None)


class RedisScripts:
    """A server that runs scripts on the keys of one session.

    Args:
        url: `redis://`, `rediss://` or `unix://`, with credentials where needed.
        prefix: What the names of all keys start with.
        timeout: Seconds that connecting, or one reply, may take.
        max_connections: Connections open at a time; scripts past it wait in line.

    Raises:
        ConfigError: An argument is not what it should be; the message names it.
        ImportError: The extra is not installed.
    """

    def __init__(
        self, url: str, prefix: str, timeout: float, max_connections: int
    ) -> None:
        try:
            from redis import asyncio as driver
        except ImportError as error:
            raise ImportError(
                "Redis needs its extra: pip install 'maelstrom-engine[redis]'"
            ) from error
        if prefix.__class__ is not str or {"{", "}"} & set(prefix):
            raise ConfigError("prefix", f"{prefix!r} is not a text without braces")
        if max_connections.__class__ is not int or max_connections < 1:
            raise ConfigError(
                "max_connections", f"{max_connections!r} is not 1 or more"
            )
        self._driver = driver
        self._url = url
        self._prefix = prefix
        self._timeout = check_seconds("timeout", timeout)
        self._max_connections = max_connections
        self._loop: asyncio.AbstractEventLoop | None = None
        self._client: Redis | None = None
        try:
            self._connect()
        except (ValueError, AttributeError, TypeError):
            # Not its text, nor the exception: the URL may hold a password.
            raise ConfigError("url", "not one of a Redis server") from None

    def key(self, session_id: str, part: str) -> str:
        """A key of the session; all of them have one hash tag, so one cluster node."""
        return f"{self._prefix}:{{{quote(session_id, safe='')}}}:{part}"

    async def run(self, script: str, keys: tuple[str, ...], *args: str | int) -> Any:
        """Run the script; texts in its answer are bytes. Raises what the driver does."""
        client = self._bound()
        digest = hashlib.sha1(script.encode(), usedforsecurity=False).hexdigest()
        try:
            return await client.evalsha(digest, len(keys), *keys, *args)  # type: ignore[no-untyped-call, unused-ignore]
        except Exception as error:
            if type(error).__name__ != "NoScriptError":
                raise
        return await client.eval(script, len(keys), *keys, *args)

    async def aclose(self) -> None:
        """Close the connections; calling it again does nothing."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.aclose()

    def _bound(self) -> "Redis":
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._client, self._loop = self._connect(), loop
        return self._client

    def _connect(self) -> "Redis":
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        pool = self._driver.BlockingConnectionPool.from_url(
            self._url,
            max_connections=self._max_connections,
            timeout=self._timeout,
            socket_timeout=self._timeout,
            socket_connect_timeout=self._timeout,
            retry=Retry(NoBackoff(), 1),
        )
        return self._driver.Redis.from_pool(pool)
