"""How to reach PostgreSQL, and what its exceptions mean: for the history and the lock.

No text of the driver's exceptions is passed on: it may hold what a conninfo held.
"""

from types import MappingProxyType
from typing import Any, Final

from maelstrom.core.errors import HistoryErrorKind
from maelstrom.effects.config_error import ConfigError

__all__ = ["OUTCOMES", "check_conninfo", "outcome", "said"]

OUTCOMES: Final = MappingProxyType[str, HistoryErrorKind](
    {
        # exception of the driver, or of what is below it: kind
        "UniqueViolation": "conflict",  # the message was recorded meanwhile
        "DataCorrupted": "corrupt",
        "IndexCorrupted": "corrupt",
        "DataError": "corrupt",  # an id that no text can hold
        "UnicodeEncodeError": "corrupt",
        "Error": "unavailable",  # psycopg.Error, the base of all
        "OSError": "unavailable",  # TimeoutError is one
    }
)


def outcome(error: Exception) -> HistoryErrorKind | None:
    """What an exception means; None for one that is a bug.

    >>> outcome(TimeoutError())
    'unavailable'
    """
    names = (base.__name__ for base in type(error).__mro__)
    return next((OUTCOMES[name] for name in names if name in OUTCOMES), None)


def said(error: Exception) -> str:
    """The exception in words that hold no secret: its class, and PostgreSQL's code."""
    code = getattr(error, "sqlstate", None)
    return f"PostgreSQL: {type(error).__name__}" + (f" ({code})" if code else "")


def check_conninfo(conninfo: str, timeout: float) -> dict[str, Any]:
    """The settings of a connection, those of ours filling in for what is not said.

    Raises:
        ConfigError: It is no conninfo.
        ImportError: The extra is not installed.
    """
    try:
        import psycopg
        import psycopg_pool  # noqa: F401  the extra has both, or it is not there
        from psycopg.conninfo import conninfo_to_dict
    except ImportError as error:
        raise ImportError(
            "PostgreSQL needs its extra: pip install 'maelstrom-engine[postgres]'"
        ) from error
    try:
        given = conninfo_to_dict(conninfo)
    except (psycopg.Error, TypeError, AttributeError):
        # Not its text, nor the exception: the conninfo may hold a password.
        raise ConfigError("conninfo", "not one of PostgreSQL") from None
    ours = {
        "application_name": "maelstrom",
        # libpq counts in whole seconds and takes 1 for 2.
        "connect_timeout": max(2, round(timeout)),
        # A peer that vanished without a word is noticed in about this time.
        "tcp_user_timeout": max(1, round(timeout * 1000)),
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
    }
    return {**ours, **given}
