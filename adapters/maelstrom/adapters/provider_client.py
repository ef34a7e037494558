"""An SDK's client: keyed from one place, one per running event loop.

Theory of operation. The SDKs keep connections in pools that belong to an event loop:
used on a second loop, one fails and another claims a lost connection, over and over. So
a client is built at the first call on a loop and kept as long as that loop is.

Warts. Connections of a loop that was closed without `aclose` can no longer be closed in
order; their client is let go, and Python may warn of the open sockets.
"""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import urlsplit

from returns.result import Failure, Result

from maelstrom.adapters.provider_answer import Answer, json_object
from maelstrom.adapters.provider_outcomes import Outcomes
from maelstrom.core.completion import Completion
from maelstrom.core.errors import ProviderError
from maelstrom.effects.config_error import ConfigError

__all__ = [
    "DEFAULT_TIMEOUT",
    "ProviderClient",
    "checked_key",
    "checked_model",
    "checked_url",
]

DEFAULT_TIMEOUT: Final = 600.0
"""Seconds for a connect, a read or a write where the caller names no limit: ten minutes
is what the SDKs give a long answer. The caller's clock bounds the call as a whole."""


def checked_model(model: object) -> str:
    """The model's name, which has no default: names come and go."""
    if not isinstance(model, str) or not model.strip():
        raise ConfigError("model", "must name a model")
    return model


def checked_key(api_key: object, *variables: str) -> str:
    """The key given, or the first that the environment holds under these names.

    ConfigError where there is none, or one that no header can carry; it names the
    variable, and never the key.
    """
    found = api_key or next(filter(None, map(os.environ.get, variables)), None)
    field = " or ".join(variables) or "api_key"
    if not found:
        raise ConfigError(field, "is not set, and no api_key was given")
    if not isinstance(found, str) or not (found.isascii() and found.isprintable()):
        raise ConfigError(field, "must be printable ASCII")
    return found.strip()


def checked_url(base_url: object, default: str) -> str:
    """The address of the API, http or https with a host."""
    if base_url is None:
        return default
    if isinstance(base_url, str):
        parts = urlsplit(base_url)
        if parts.scheme in {"http", "https"} and parts.hostname:
            return base_url
    raise ConfigError("base_url", "must be an http or https address")


class ProviderClient:
    """One provider's SDK: a call is one request, its outcome a value.

    Args:
        outcomes: the adapter's table.
        model: the model asked for.
        secret: the key, kept out of every message.
        build: makes a client; called on the loop that it will serve.
        close: closes one.
    """

    def __init__(
        self,
        outcomes: Outcomes,
        model: str,
        secret: str,
        build: Callable[[], Any],
        close: Callable[[Any], Awaitable[None]],
    ) -> None:
        self._outcomes = outcomes
        self._model = model
        self._secret = secret
        self._build = build
        self._close = close
        self._clients: dict[asyncio.AbstractEventLoop, Any] = {}
        self._closed = False

    def __repr__(self) -> str:
        return f"<{self._outcomes.provider} {self._model}>"

    async def ask(
        self,
        send: Callable[[Any], Awaitable[str | bytes | None]],
        read: Callable[[Any], Answer],
    ) -> Result[Completion, ProviderError]:
        """Send with the loop's client, read the body's JSON, judge the answer."""
        if self._closed:
            return Failure(self._outcomes.error("bad_request", "closed"))
        try:
            body = json_object(await send(self._client()))
        except Exception as error:  # noqa: BLE001  every outcome is a value
            return Failure(
                self._outcomes.raised(error, secret=self._secret, now=time.time())
            )
        answer = None if body is None else read(body)
        return self._outcomes.settle(answer, self._model, self._secret)

    async def aclose(self) -> None:
        """Close the running loop's client; calling it again does nothing."""
        self._closed = True
        client = self._clients.pop(asyncio.get_running_loop(), None)
        self._clients.clear()
        if client is not None:
            await self._close(client)

    def _client(self) -> Any:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            for other in [other for other in self._clients if other.is_closed()]:
                del self._clients[other]
            self._clients[loop] = self._build()
        return self._clients[loop]
