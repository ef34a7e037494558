"""The one exception of this library: a constructor was given what it cannot work with.

Only constructors raise it: create_engine, llm_planner, the compositions, the adapters
and the stores. It is not a turn's failure: those are values (`maelstrom.core.errors`).
"""

from collections.abc import Iterable
from inspect import isclass
from typing import Final

__all__ = ["ConfigError", "lacks", "misfit"]

_LINE: Final = 80
"""Characters of a value that a message shows."""


class ConfigError(ValueError):
    """An option of a constructor is unknown, of the wrong type or out of its range.

    ``field`` names the option, dotted where it is nested: mend it and start again.

    >>> error = ConfigError("retry.max", "must be at least 0, not -1")
    >>> str(error), error.field
    ('retry.max: must be at least 0, not -1', 'retry.max')
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message

    def __reduce__(self) -> tuple[type["ConfigError"], tuple[str, str]]:
        return type(self), (self.field, self.message)


def misfit(field: str, words: str, value: object, more: str = "") -> ConfigError:
    """The error of an option that is something else than it must be.

    >>> str(misfit("history", "a HistoryStore or None", "turns.db"))
    "history: must be a HistoryStore or None, not 'turns.db'"
    """
    text = repr(value)
    text = text if len(text) <= _LINE else f"{text[: _LINE - 3]}..."
    return ConfigError(field, f"must be {words}, not {text}{more}")


def lacks(value: object, members: Iterable[str]) -> tuple[str, ...]:
    """The members of a port that an object has not; a class has none, for want of self.

    >>> lacks([], ["append", "find"])
    ('find',)
    """
    names = tuple(members)
    if isclass(value):
        return names
    return tuple(name for name in names if getattr(value, name, None) is None)
