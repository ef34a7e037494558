"""What a planner proposes: not yet checked, whoever made it."""

from attrs import field, frozen

from maelstrom.core.healed import Repair
from maelstrom.core.json_value import Json

__all__ = ["Candidate"]


@frozen
class Candidate:
    """A message, a plan and a layout, the pieces raw as they were read.

    ``execution_plan`` holds raw entries ``{instanceId, action, params | paramsJson}``,
    ``layout`` a raw object ``{type: "grid", positions: [...]}`` or
    ``{type: "tiling", root, nodes: [...]}``. ``repairs`` are what reading the answer
    took; they come before those of healing.
    """

    rationale: str
    execution_plan: tuple[Json, ...] = field(hash=False)
    layout: Json = field(hash=False)
    user_message: str
    repairs: tuple[Repair, ...] = ()
