"""The one exception of ours: a constructor was called with something that cannot work."""

__all__ = ["ConfigError"]


class ConfigError(ValueError):
    """A setting is unknown, of the wrong type, out of range or missing.

    Raised by constructors alone (create_engine, llm_planner, adapters, stores), never
    while a turn runs. ``field`` names the setting or the variable to mend.

    >>> ConfigError("retry", "must not be negative").field
    'retry'
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
