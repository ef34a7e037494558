"""The two envelopes. An output repeats the ids of the message that it answers."""

from attrs import field, frozen

from maelstrom.core.json_value import Json
from maelstrom.core.request import ChartRequest
from maelstrom.core.response import MaelstromResponse

__all__ = ["EngineMessage", "EngineOutput"]


@frozen
class EngineMessage:
    """A request in its envelope.

    ``timestamp`` is in milliseconds since the Unix epoch. ``meta`` is an object of the
    app's own, at most 4 kB: heal ignores it, prompt customizers may read it.
    """

    session_id: str
    id: str
    timestamp: int
    payload: ChartRequest
    meta: Json | None = field(default=None, kw_only=True)


@frozen
class EngineOutput:
    """A response in its envelope; ``timestamp`` is when the answer was settled."""

    session_id: str
    id: str
    timestamp: int
    payload: MaelstromResponse
