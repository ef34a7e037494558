"""What every store of turns has to get right, whatever it stores them in.

Theory: a store keeps, per session, a head (the sequence number of the newest turn ever
recorded) and the texts of the newest turns. The head outlives the texts, which
retention and TTL take away from the oldest on; so the texts held are always the turns
`head - count + 1 .. head`, without a gap. Reading checks just that: a text that does
not parse, or that bears another number or id than its place says, is corrupt, and is
named. A text of a newer schema is refused by its version before anything else in it is
looked at.

To keep in step: `maelstrom.core.wire` owns the text itself; `contracts_history` in the
test kit says in tests what is said here in words.
"""

from collections.abc import Sequence
from math import isfinite
from typing import Final

from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.core.errors import HistoryError
from maelstrom.core.history import Loaded, Turn
from maelstrom.core.wire import turn_from_text
from maelstrom.effects.config_error import ConfigError

__all__ = [
    "check_retention",
    "check_seconds",
    "check_ttl",
    "conflict",
    "corrupt",
    "read_found",
    "read_loaded",
]

_LONGEST_TTL: Final = 100 * 365 * 86_400
"""Seconds in a hundred years: past it, a server's date arithmetic overflows."""


def check_retention(value: int | None) -> int | None:
    """The number of turns that a store keeps per session, None for all of them.

    >>> check_retention(50)
    50
    """
    if value is None or (value.__class__ is int and value >= 1):
        return value
    raise ConfigError("retention", f"{value!r} is not a whole number of 1 or more")


def check_seconds(field: str, value: float) -> float:
    """A positive, finite number of seconds, at most a hundred years.

    >>> check_seconds("timeout", 5)
    5.0
    """
    is_number = value.__class__ in {int, float}
    if is_number and isfinite(value) and 0 < value <= _LONGEST_TTL:
        return float(value)
    raise ConfigError(field, f"{value!r} is not a positive number of seconds")


def check_ttl(value: float | None) -> int | None:
    """Milliseconds that turns are kept after the last load or append, None for ever.

    >>> check_ttl(1.5)
    1500
    """
    return None if value is None else max(1, round(check_seconds("ttl", value) * 1000))


def corrupt(operation: str, message: str) -> HistoryError:
    """What is stored cannot be what a store wrote."""
    return HistoryError("corrupt", operation, message)


def conflict(expected_seq: int, seq: int) -> HistoryError:
    """Another turn was recorded since the session was read."""
    message = f"expected turn {expected_seq} to be the newest, found {seq}"
    return HistoryError("conflict", "append", message)


def read_loaded(texts: Sequence[bytes], seq: int) -> Result[Loaded, HistoryError]:
    """The turns of a session from their texts, oldest first, the last one being `seq`."""
    turns = []
    for place, text in enumerate(texts, seq - len(texts) + 1):
        read = _read("load", text)
        if not is_successful(read):
            return Failure(read.failure())
        turn = read.unwrap()
        if turn.seq != place:
            return Failure(corrupt("load", f"turn {turn.seq} stands at {place}"))
        turns.append(turn)
    return Success(Loaded(tuple(turns), seq))


def read_found(
    text: bytes | None, request_id: str
) -> Result[Turn | None, HistoryError]:
    """The turn that was looked for, from its text, None where there is none."""
    if text is None:
        return Success(None)
    read = _read("find", text)
    if not is_successful(read):
        return Failure(read.failure())
    if read.unwrap().request_id != request_id:
        return Failure(corrupt("find", "the turn found answers another message"))
    return Success(read.unwrap())


def _read(operation: str, text: bytes) -> Result[Turn, HistoryError]:
    read = turn_from_text(text)
    if is_successful(read):
        return Success(read.unwrap())
    fault = read.failure()
    return Failure(HistoryError(fault.kind, operation, fault.message))
