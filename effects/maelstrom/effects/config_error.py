"""The one exception of this library: a constructor was given what it cannot work with.

Only constructors raise it: create_engine, llm_planner, the compositions, the adapters
and the stores. It is not a turn's failure: those are values (`maelstrom.core.errors`).
"""

__all__ = ["ConfigError"]


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
