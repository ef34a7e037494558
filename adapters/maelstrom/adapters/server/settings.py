"""How a server is set up, in one checked record."""

import secrets
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from attrs import Attribute, field, frozen

from maelstrom.adapters.server.subject import LEAST_SECRET_BYTES
from maelstrom.core.limits import Limits
from maelstrom.effects.config_error import ConfigError

__all__ = ["Authorize", "Settings"]

Authorize: TypeAlias = Callable[[Any, str], "str | None | Awaitable[str | None]"]
"""`(request, session_id)` to the subject, or None to refuse; sync or async."""


def _positive(_: object, attribute: "Attribute[Any]", value: object) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not value > 0:  # type: ignore[operator]
        raise ConfigError(attribute.name, f"must be over 0, got {value!r}")


def _secret(_: object, attribute: "Attribute[Any]", value: bytes) -> None:
    if not isinstance(value, bytes) or len(value) < LEAST_SECRET_BYTES:
        least = f"must be at least {LEAST_SECRET_BYTES} bytes"
        raise ConfigError(attribute.name, least)


@frozen(kw_only=True)
class Settings:
    """What `create_app` takes beside the engine.

    ``per_minute`` and ``burst`` bound a subject's turns in one worker, ``body_timeout``
    (seconds) how long a body may take to arrive. ``hosts`` are the values of the Host
    header that are served, empty for all. ``secure_cookie`` is off on loopback alone.
    """

    authorize: Authorize | None = None
    secret: bytes = field(factory=lambda: secrets.token_bytes(32), validator=_secret)
    secure_cookie: bool = True
    hosts: tuple[str, ...] = ()
    per_minute: float = field(default=60, validator=_positive)
    burst: int = field(default=20, validator=_positive)
    body_timeout: float = field(default=20, validator=_positive)
    turn_timeout: float | None = None
    limits: Limits = Limits()
    playground: bool = False
