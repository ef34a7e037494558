"""What the engine answers: applied by the client in one step."""

from attrs import frozen

from maelstrom.core.json_value import Json
from maelstrom.core.layout import Layout

__all__ = ["ActionExecution", "MaelstromResponse"]


@frozen
class ActionExecution:
    """One action to invoke on an instance; ``params`` is None where it takes none."""

    instance_id: str
    action: str
    params: Json | None = None


@frozen
class MaelstromResponse:
    """The whole result of a turn.

    ``layout`` is the whole result: an instance that the request had placed and the
    layout leaves out leaves the chart. ``rationale`` is for logs and debugging: no
    client shows it to users.
    """

    request_id: str
    user_message: str
    rationale: str
    execution_plan: tuple[ActionExecution, ...]
    layout: Layout
