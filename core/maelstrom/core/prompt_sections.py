"""The sections of a prompt that depend on the request, as a table of functions.

Theory of operation: a section is a function of the plan's input to a text, None where
the turn has no use for it. Sections stand in the order of how rarely they change: the
catalogue, the past turns, then what is true and asked right now. Nothing before the
last of these groups holds an id, a time or a count of the turn, so that a turn's prompt
begins with the bytes of the prompt before.

Outside text goes through `maelstrom.core.prompt_blocks`. Around it stand words of
ours: what the user asked, which size became which, which vessel changed.

In step with: `maelstrom.core.prompt_rules`, which explains the blocks, and the golden
prompts of the tests.
"""

from collections.abc import Callable
from types import MappingProxyType
from typing import Final, TypeAlias, assert_never

from maelstrom.core.healed import FeedbackItem
from maelstrom.core.history import Turn
from maelstrom.core.json_value import Json
from maelstrom.core.layout import (
    GridLayout,
    Layout,
    LayoutMode,
    Position,
    Split,
    TilingNode,
)
from maelstrom.core.plan_input import PlanInput
from maelstrom.core.prompt_blocks import block, data, data_lines, listing
from maelstrom.core.prompt_catalogue import catalogue_text
from maelstrom.core.prompt_rules import MUTATION_RULE, RESIZE_RULE
from maelstrom.core.reasons import DROPS, SKIPS
from maelstrom.core.request import (
    ChartRequest,
    ChartResize,
    Dimensions,
    Instance,
    UpdateReason,
    UserIntent,
    VesselMutation,
)
from maelstrom.core.resize import is_resize_only
from maelstrom.core.schema import encode_answer

__all__ = ["LAST_SECTIONS", "past_answer", "past_turn", "vessels"]

_MEANINGS: Final = MappingProxyType({row.name: row.meaning for row in (*DROPS, *SKIPS)})


def vessels(plan_input: PlanInput) -> str:
    """The catalogue."""
    return catalogue_text(plan_input.request.vessels)


def past_turn(turn: Turn) -> str:
    """What a past turn was asked, and on what chart."""
    after = turn.after
    reasons = _reason_lines(turn.reasons, after.dimensions, after.instances)
    chart = _chart_line(after.layout_mode, after.dimensions)
    return block("past_turn", f"Chart: {chart}\n{reasons}")


def past_answer(turn: Turn) -> str:
    """What a past turn was answered, healed, in the response schema's own form."""
    return data(
        encode_answer(
            turn.rationale, turn.execution_plan, turn.layout, turn.user_message
        )
    )


def _chart(plan_input: PlanInput) -> str:
    context = plan_input.request.context
    return block("chart", _chart_line(context.layout_mode, context.chart_dimensions))


def _chart_line(mode: LayoutMode, size: Dimensions) -> str:
    return f"{mode}, {size.columns} columns, {size.rows} rows"


def _instances(plan_input: PlanInput) -> str:
    request = plan_input.request
    shown = _shown(request.layout)
    lines = (
        f"{data(one.instance_id)}: vessel {data(one.vessel_id)},"
        f" variant {data(one.variant)}"
        + ("" if one.instance_id in shown else ", parked")
        for one in request.instances
    )
    return listing("instances", lines)


def _shown(layout: Layout) -> frozenset[str]:
    if isinstance(layout, GridLayout):
        return frozenset(piece.instance_id for piece in layout.positions)
    leaves = (node for node in layout.nodes if not isinstance(node, Split))
    return frozenset(leaf.instance_id for leaf in leaves)


def _layout(plan_input: PlanInput) -> str:
    layout = plan_input.request.layout
    if isinstance(layout, GridLayout):
        lines = [_piece(piece) for piece in layout.positions]
    else:
        root = [] if layout.root is None else [f"root {data(layout.root)}"]
        lines = [*root, *(_node(node) for node in layout.nodes)]
    return listing("layout", lines)


def _piece(piece: Position) -> str:
    cell, size = piece.position, piece.size
    return (
        f"{data(piece.instance_id)}: row {cell.row}, column {cell.column},"
        f" width {size.width}, height {size.height}"
    )


def _node(node: TilingNode) -> str:
    weight = "" if node.weight is None else f", weight {data(node.weight)}"
    if isinstance(node, Split):
        children = data(list(node.children))
        return f"split {data(node.id)}: {node.direction} {children}{weight}"
    return f"leaf {data(node.id)}: {data(node.instance_id)}{weight}"


def _reasons(plan_input: PlanInput) -> str:
    request = plan_input.request
    context = request.context
    lines = _reason_lines(
        context.update_reasons, context.chart_dimensions, request.instances
    )
    return block("reasons", lines)


def _reason_lines(
    reasons: tuple[UpdateReason, ...], now: Dimensions, instances: tuple[Instance, ...]
) -> str:
    vessel_of = {item.instance_id: item.vessel_id for item in instances}
    return "\n".join(_reason(reason, now, vessel_of) for reason in reasons)


def _reason(reason: UpdateReason, now: Dimensions, vessel_of: dict[str, str]) -> str:
    match reason:
        case UserIntent():
            return f"The user asks: {data(reason.intent)}"
        case ChartResize():
            before = reason.previous
            source = "" if before is None else f" from {_size(before)}"
            return f"The chart was resized{source} to {_size(now)}."
        case VesselMutation():
            vessel = vessel_of.get(reason.instance_id)
            of = "" if vessel is None else f" of vessel {data(vessel)}"
            what = "" if reason.description is None else f": {data(reason.description)}"
            return f"Instance {data(reason.instance_id)}{of} changed{what}"
    assert_never(reason)


def _size(size: Dimensions) -> str:
    return f"{size.columns} columns and {size.rows} rows"


def _resize_rule(plan_input: PlanInput) -> str | None:
    return RESIZE_RULE if is_resize_only(plan_input.request) else None


def _mutation_rule(plan_input: PlanInput) -> str | None:
    return MUTATION_RULE if _has_mutation(plan_input.request) else None


def _has_mutation(request: ChartRequest) -> bool:
    reasons = request.context.update_reasons
    return any(isinstance(reason, VesselMutation) for reason in reasons)


def _feedback(plan_input: PlanInput) -> str | None:
    feedback = plan_input.feedback
    if feedback is None:
        return None
    opening = (
        f"This is attempt {feedback.attempt}. The answer before was refused: with it,"
        " nothing would have changed for the user. Avoid its faults:"
    )
    faults = data_lines(_fault(item) for item in feedback.items)
    return block("feedback", f"{opening}\n{faults}")


def _fault(item: FeedbackItem) -> Json:
    parts = {
        "reason": item.reason,
        "meaning": _MEANINGS.get(item.reason),
        "instanceId": item.instance_id,
        "action": item.action,
        "detail": item.detail,
    }
    return {name: part for name, part in parts.items() if part is not None}


def _now(plan_input: PlanInput) -> str | None:
    if plan_input.local_time is None:
        return None
    locale = plan_input.request.context.locale
    spoken = "" if locale is None else f", locale {data(locale)}"
    return block("now", f"{data(plan_input.local_time)}{spoken}")


_SectionText: TypeAlias = Callable[[PlanInput], str | None]

LAST_SECTIONS: Final[tuple[tuple[str, _SectionText], ...]] = (
    ("chart", _chart),
    ("instances", _instances),
    ("layout", _layout),
    ("reasons", _reasons),
    ("resize_rule", _resize_rule),
    ("mutation_rule", _mutation_rule),
    ("feedback", _feedback),
    ("now", _now),
)
"""The sections of the last message, in order."""
