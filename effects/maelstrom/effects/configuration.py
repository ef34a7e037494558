"""What an engine is made of, checked once and then trusted.

`_RULES` is the table of what each option must be. Everything that is wrong with an
option is a ConfigError which names it.
"""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from inspect import isclass
from math import isfinite
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from attrs import frozen

from maelstrom.core.limits import Limits
from maelstrom.core.policy import HealPolicy
from maelstrom.core.retry import RetryPolicy
from maelstrom.core.turn_events import TurnSettings
from maelstrom.effects.closing import PLANNER, is_planner
from maelstrom.effects.config_error import ConfigError, misfit
from maelstrom.effects.ports import (
    Attributes,
    Clock,
    HistoryStore,
    Ids,
    Instrument,
    Logger,
    Observer,
    Planner,
    Stage,
)

__all__ = ["HANDLERS", "Configuration", "check", "noop_instrument"]

_Rule: TypeAlias = tuple[Callable[[Any], bool], str]


HANDLERS: Final = frozenset(
    {
        "planner",
        "history",
        "lock",
        "clock",
        "ids",
        "logger",
        "instrument",
        "on_turn",
    }
)
"""The options that `with_` may swap: what acts, not how turns are decided."""


@frozen(kw_only=True)
class Configuration:
    """The handlers of an engine, and its settings. Times are in seconds."""

    planner: Planner
    history: HistoryStore | None
    clock: Clock
    ids: Ids
    logger: Logger
    instrument: Instrument
    on_turn: Observer | None
    settings: TurnSettings
    lock_timeout: float
    turn_timeout: float
    log_content: bool


class _NoopInstrument:
    """An instrument that does nothing."""

    def stage(self, name: str, stage: Stage) -> Stage:  # noqa: ARG002  the port's shape
        """The stage as it is."""
        return stage

    def event(self, name: str, attributes: Attributes) -> None:
        """Nothing."""


noop_instrument: Final = _NoopInstrument()


def check(
    options: Mapping[str, Any], said_as: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Raise ConfigError for the first option that is unknown or not what it must be.

    ``said_as`` holds the names that another constructor has for the same options.
    """
    for name, value in options.items():
        if name not in _RULES:
            alike = get_close_matches(name, _RULES, 1)
            hint = f": did you mean {alike[0]}?" if alike else ""
            raise ConfigError(name, f"there is no such option{hint}")
        holds, words = _RULES[name]
        if not holds(value):
            members = holds.methods if isinstance(holds, _Has) else ()
            raise misfit(said_as.get(name, name), words, value, members)


@frozen
class _Has:
    """Whether an object has the methods of a port."""

    methods: tuple[str, ...]
    optional: bool = False

    def __call__(self, value: Any) -> bool:
        if value is None or isclass(value):
            return self.optional and value is None
        return all(callable(getattr(value, each, None)) for each in self.methods)


def _or_none(holds: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or holds(value)


def _is(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind)


def _whole(least: int) -> Callable[[Any], bool]:
    return lambda value: value.__class__ is int and value >= least


def _seconds(value: Any) -> bool:
    return value.__class__ in {int, float} and isfinite(value) and value > 0


def _text(value: Any) -> bool:
    """A text that says something, and that UTF-8 can write."""
    return (
        isinstance(value, str)
        and bool(value.strip())
        and not any("\ud800" <= character <= "\udfff" for character in value)
    )


_STORE: Final = ("load", "find", "append", "delete", "aclose")
_LOCK: Final = ("hold", "aclose")
_INSTRUMENT: Final = ("stage", "event")
_CLOCK: Final = ("now", "monotonic", "sleep", "timeout")
_LEVELS: Final = ("debug", "info", "warning", "error")

_RULES: Final = MappingProxyType[str, _Rule](
    {
        "planner": (is_planner, PLANNER),
        "history": (_Has(_STORE, optional=True), "a HistoryStore or None"),
        "history_required": (_is(bool), "True or False"),
        "history_turns": (_whole(0), "a whole number, 0 or more"),
        "history_chars": (_whole(0), "a whole number, 0 or more"),
        "retry": (
            lambda value: value is False or isinstance(value, RetryPolicy),
            "a RetryPolicy or False",
        ),
        "heal": (_is(HealPolicy), "a HealPolicy"),
        "on_unrecoverable": (
            lambda value: isinstance(value, str) and value in {"reflow", "empty"},
            "'reflow' or 'empty'",
        ),
        "fallback_message": (_text, "a text with words in it"),
        "lock": (_Has(_LOCK, optional=True), "a SessionLock or None"),
        "max_waiting": (_whole(0), "a whole number, 0 or more"),
        "lock_timeout": (_seconds, "a number of seconds, more than 0"),
        "turn_timeout": (_seconds, "a number of seconds, more than 0"),
        "max_concurrent_turns": (
            _or_none(_whole(1)),
            "a whole number, 1 or more, or None",
        ),
        "limits": (_is(Limits), "Limits"),
        "clock": (_Has(_CLOCK), "a Clock"),
        "ids": (callable, "a callable that gives an id"),
        "logger": (_Has(_LEVELS), "a logger"),
        "instrument": (_Has(_INSTRUMENT), "an Instrument"),
        "on_turn": (_or_none(callable), "a callable or None"),
        "log_content": (_is(bool), "True or False"),
    }
)
