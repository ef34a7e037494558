"""The diagnostics of recent turns, kept in memory for the inspector."""

from collections import OrderedDict, deque
from typing import Final

from maelstrom.core.diagnostics import Diagnostics

__all__ = ["RecentTurns", "recorder"]

TURNS: Final = 50
"""As many as one reads back; a turn's prompt may have 400,000 characters."""

SESSIONS: Final = 64
"""A playground has a few; the bound keeps a stream of made-up ids from filling memory."""


class RecentTurns:
    """An observer: give it to `create_engine` as ``on_turn``, and to `routes`.

    Keeps the last 50 turns of each of the last 64 sessions, by the engine's own name of
    the session. A turn whose message could not be read belongs to none and is not kept.
    """

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, deque[Diagnostics]] = OrderedDict()

    def __call__(self, diagnostics: Diagnostics) -> None:
        """Take the diagnostics of a finished turn."""
        if diagnostics.message is None:
            return
        session_id = diagnostics.message.session_id
        turns = self._sessions.setdefault(session_id, deque(maxlen=TURNS))
        turns.append(diagnostics)
        self._sessions.move_to_end(session_id)
        while len(self._sessions) > SESSIONS:
            self._sessions.popitem(last=False)

    def of(self, session_id: str) -> tuple[Diagnostics, ...]:
        """The turns of a session, oldest first; empty for an unknown one."""
        return tuple(self._sessions.get(session_id, ()))


def recorder() -> RecentTurns:
    """An `on_turn` observer that the debug route reads."""
    return RecentTurns()
