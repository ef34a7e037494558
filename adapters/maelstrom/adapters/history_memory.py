"""A history in memory: for tests, and for what may be forgotten with the process.

Turns are frozen records, so they are held as they are. What a session was, and no
longer is, leaves one number behind: ``seq`` survives retention and TTL.
"""

from typing import Final

from attrs import define
from returns.result import Failure, Result, Success

from maelstrom.core.errors import HistoryError
from maelstrom.core.history import Loaded, Turn
from maelstrom.effects.clock import SystemClock
from maelstrom.effects.ports import Clock
from maelstrom.effects.stored import check_retention, check_ttl, conflict

__all__ = ["MemoryHistory"]

_CLOCK: Final = SystemClock()


@define
class _Session:
    turns: tuple[Turn, ...] = ()
    seq: int = 0
    expires: int | None = None


class MemoryHistory:
    """A `HistoryStore` in a dictionary.

    Args:
        retention: Most turns kept per session; None for all.
        ttl: Seconds that turns are kept after the last load or append; None for ever.
        clock: What the TTL is measured with.

    Raises:
        ConfigError: A bound is not a positive number.
    """

    def __init__(
        self,
        *,
        retention: int | None = None,
        ttl: float | None = None,
        clock: Clock = _CLOCK,
    ) -> None:
        self._retention = check_retention(retention)
        self._ttl = check_ttl(ttl)
        self._clock = clock
        self._sessions: dict[str, _Session] = {}

    async def load(self, session_id: str, limit: int) -> Result[Loaded, HistoryError]:
        """The newest `limit` turns, oldest first, and the last sequence number."""
        session = self._session(session_id)
        self._refresh(session)
        newest = session.turns[-limit:] if limit > 0 else ()
        return Success(Loaded(newest, session.seq))

    async def find(
        self, session_id: str, request_id: str
    ) -> Result[Turn | None, HistoryError]:
        """The turn that answered this message, if it is still held."""
        turns = reversed(self._session(session_id).turns)
        return Success(next((t for t in turns if t.request_id == request_id), None))

    async def append(
        self, session_id: str, turn: Turn, expected_seq: int
    ) -> Result[None, HistoryError]:
        """Record, if the session's sequence number is still `expected_seq`."""
        session = self._session(session_id)
        if turn.seq == expected_seq + 1 and turn in session.turns:
            return Success(None)  # an append whose answer was lost, sent again
        answered = any(held.request_id == turn.request_id for held in session.turns)
        if answered or session.seq != expected_seq or turn.seq != expected_seq + 1:
            return Failure(conflict(expected_seq, session.seq))
        kept = (*session.turns, turn)
        session.turns = kept[-self._retention :] if self._retention else kept
        session.seq = turn.seq
        self._refresh(session)
        self._sessions[session_id] = session
        return Success(None)

    async def delete(self, session_id: str) -> Result[None, HistoryError]:
        """Forget the session, its sequence number included."""
        self._sessions.pop(session_id, None)
        return Success(None)

    async def aclose(self) -> None:
        """Nothing is open; what was recorded stays."""

    def _session(self, session_id: str) -> _Session:
        session = self._sessions.get(session_id) or _Session()
        if session.expires is not None and self._clock.now() >= session.expires:
            session.turns = ()
        return session

    def _refresh(self, session: _Session) -> None:
        if self._ttl is not None:
            session.expires = self._clock.now() + self._ttl
