"""An engine as one subject sees it: only the sessions that are its own.

Theory: inside, a session is named by subject and id together (`subject.session_name`),
so there is no name under which a subject could reach another's. What comes back carries
the id that the client chose.
"""

from collections.abc import Mapping
from typing import Any

import attrs
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.adapters.server.subject import session_name
from maelstrom.core.errors import EngineError, HistoryError
from maelstrom.core.history import Turn
from maelstrom.core.limits import Limits
from maelstrom.core.messages import EngineMessage, EngineOutput
from maelstrom.core.wire import decode_message
from maelstrom.effects.ports import Engine, ManagedEngine, Signal

__all__ = ["OwnSessions"]


@attrs.frozen
class OwnSessions:
    """The `Engine` of a subject."""

    engine: Engine
    subject: str
    limits: Limits

    async def handle(
        self,
        message: EngineMessage | Mapping[str, Any] | bytes | str,
        signal: Signal | None = None,
        timeout: float | None = None,  # noqa: ASYNC109  the port's shape
    ) -> Result[EngineOutput, EngineError]:
        """Answer one message of this subject."""
        if not isinstance(message, EngineMessage):
            decoded = decode_message(message, self.limits)
            if not is_successful(decoded):
                return Failure(decoded.failure())
            message = decoded.unwrap()
        session_id = message.session_id
        named = attrs.evolve(message, session_id=self._name(session_id))
        result = await self.engine.handle(named, signal, timeout)
        if not is_successful(result):
            return Failure(attrs.evolve(result.failure(), session_id=session_id))
        return Success(attrs.evolve(result.unwrap(), session_id=session_id))

    async def get_history(
        self, session_id: str, limit: int = 50
    ) -> Result[tuple[Turn, ...], HistoryError]:
        """The newest turns of this subject's session, oldest first."""
        turns = await self.engine.get_history(self._name(session_id), limit)
        if not is_successful(turns):
            return Failure(attrs.evolve(turns.failure(), session_id=session_id))
        return turns

    async def delete_session(
        self, engine: ManagedEngine, session_id: str
    ) -> Result[None, EngineError]:
        """Forget this subject's session, where the engine can."""
        done = await engine.delete_session(self._name(session_id))
        if not is_successful(done):
            return Failure(attrs.evolve(done.failure(), session_id=session_id))
        return done

    def _name(self, session_id: str) -> str:
        return session_name(self.subject, session_id)
