"""How a server is set up, in one checked record."""

import math
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from attrs import Attribute, field, frozen
from starlette.requests import Request

from maelstrom.adapters.server.subject import LEAST_SECRET_BYTES
from maelstrom.core.limits import Limits
from maelstrom.effects.config_error import ConfigError

__all__ = ["Authorize", "Settings"]

Authorize: TypeAlias = Callable[[Request, str], "str | Awaitable[str | None] | None"]
"""`(request, session_id)` to the subject, or None to refuse; sync or async."""


def _positive(_: object, attribute: "Attribute[Any]", value: object) -> None:
    if value is None and attribute.default is None:
        return
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 < value < math.inf:  # type: ignore[operator]
        raise ConfigError(attribute.name, f"must be a number over 0, not {value!r}")


def _callable(_: object, attribute: "Attribute[Any]", value: object) -> None:
    if value is not None and not callable(value):
        raise ConfigError(attribute.name, f"{value!r} cannot be called")


def _secret(_: object, attribute: "Attribute[Any]", value: object) -> None:
    if not isinstance(value, bytes) or len(value) < LEAST_SECRET_BYTES:
        words = f"must be bytes, {LEAST_SECRET_BYTES} or more"
        hint = (
            ": secret.encode() makes some of a text" if isinstance(value, str) else ""
        )
        raise ConfigError(attribute.name, words + hint)


def _texts(_: object, attribute: "Attribute[Any]", value: object) -> None:
    if not isinstance(value, tuple) or not all(isinstance(one, str) for one in value):
        raise ConfigError(attribute.name, "must be a tuple of texts")


def _limits(_: object, attribute: "Attribute[Any]", value: object) -> None:
    if not isinstance(value, Limits):
        raise ConfigError(attribute.name, "must be Limits")


def _some_secret(given: bytes | None) -> bytes:
    return secrets.token_bytes(32) if given is None else given


@frozen(kw_only=True)
class Settings:
    """What `create_app` takes beside the engine; see there."""

    authorize: Authorize | None = field(default=None, validator=_callable)
    secret: bytes = field(default=None, converter=_some_secret, validator=_secret)
    hosts: tuple[str, ...] = field(default=(), validator=_texts)
    per_minute: float = field(default=60, validator=_positive)
    burst: float = field(default=20, validator=_positive)
    body_timeout: float = field(default=20, validator=_positive)
    turn_timeout: float | None = field(default=None, validator=_positive)
    limits: Limits = field(factory=Limits, validator=_limits)
