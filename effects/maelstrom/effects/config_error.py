"""The one exception of this library: a constructor was given what it cannot work with.

Only constructors raise it: create_engine, llm_planner, the compositions, the adapters
and the stores. It is not a turn's failure: those are values (`maelstrom.core.errors`).
"""

from collections.abc import Iterable
from inspect import isclass
from typing import Final

__all__ = ["ConfigError", "misfit"]

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


def misfit(
    field: str, words: str, value: object, members: Iterable[str] = ()
) -> ConfigError:
    """The error of an option that is something else than it must be.

    ``members`` are those of the port that the option is of; what the value has not is
    named. A class has none of them, for want of an object.

    >>> str(misfit("retry", "a RetryPolicy or False", 3))
    'retry: must be a RetryPolicy or False, not 3'
    >>> str(misfit("lock", "a SessionLock or None", [], ["hold", "clear"]))
    'lock: must be a SessionLock or None, not [], and lacks hold'
    """
    text = repr(value)
    text = text if len(text) <= _LINE else f"{text[: _LINE - 3]}..."
    lacking = [each for each in members if isclass(value) or not hasattr(value, each)]
    more = f", and lacks {', '.join(lacking)}" if lacking else ""
    return ConfigError(field, f"must be {words}, not {text}{more}")
