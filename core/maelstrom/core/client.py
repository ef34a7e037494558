"""Applying a response: the law that every client follows.

Theory: `apply` is one atomic step. First the layout: instances that it introduces
appear in their declared variant, those that it leaves out go, or are parked where the
request was a resize alone; one that was parked and stays out stays parked. Then the
plan in order, each action moving its instance to its `to`. Nothing is resized or
repaired: the numbers are the engine's.

What a response means is decided by the request that it answers; what can still be done
of it, by the state as it is by now. Where the two differ the state has drifted: an
instance is the one that the request knew only if id and vessel agree, the piece of one
that is gone goes, one that the request did not know is parked, and an action that its
instance does not have (any more) is skipped as `state_drift`. The rest goes on.

Wart: a response may introduce an id that the app has given to an instance of its own
meanwhile. The app's instance stands, parked, and the introduced one never appears.

To keep in step: the playground's ``maelstrom.js`` follows the same laws.
"""

from collections.abc import Mapping

from attrs import evolve, field, frozen

from maelstrom.core.chart_state import ChartState, variant_of
from maelstrom.core.healed import Skip
from maelstrom.core.json_value import Json
from maelstrom.core.layout import GridLayout, Layout, Leaf, Position
from maelstrom.core.prune import bare, placed, prune
from maelstrom.core.request import ChartRequest, Instance
from maelstrom.core.resize import is_resize_only
from maelstrom.core.response import ActionExecution, MaelstromResponse
from maelstrom.core.vessel import Action, Vessel

__all__ = ["Applied", "Effect", "apply"]


@frozen
class Effect:
    """A call that the app must run: an action on an instance.

    ``vessel_id`` and ``variant`` say which definition of the action is meant: the
    instance's vessel, and the variant that it was in when the action was taken.
    """

    instance_id: str
    action: str
    params: Json | None = field(default=None, hash=False)
    vessel_id: str = field(kw_only=True)
    variant: str = field(kw_only=True)


@frozen
class Applied:
    """The new state, the calls to run in order, and what had drifted."""

    state: ChartState
    effects: tuple[Effect, ...] = ()
    skips: tuple[Skip, ...] = ()


def apply(
    state: ChartState, request: ChartRequest, response: MaelstromResponse
) -> Applied:
    """Apply a response to a chart, in one atomic step.

    Args:
        state: The chart as it is now; it may have moved on since the request.
        request: The request that the response answers.
        response: The engine's answer; one of the other layout mode is ignored.
    """
    if isinstance(response.layout, GridLayout) != (state.mode == "grid"):
        return Applied(state)
    arranged, present = _arrange(state, request, response.layout)
    return _run(arranged, present, response.execution_plan)


def _arrange(
    state: ChartState, request: ChartRequest, layout: Layout
) -> tuple[ChartState, frozenset[str]]:
    """The state with the layout applied, and the instances that the layout shows."""
    asked = {one.instance_id: one.vessel_id for one in request.instances}
    here = {one.instance_id: one for one in state.instances}
    arriving = _arriving(state, layout, asked)
    known = frozenset(
        key for key, one in here.items() if asked.get(key) == one.vessel_id
    )
    keep = known.union(one.instance_id for one in arriving)
    shown = prune(bare(layout), keep)
    present = frozenset(placed(shown))
    leaving = (
        frozenset[str]()
        if is_resize_only(request)
        else (known & frozenset(placed(request.layout))) - present
    )
    staying = tuple(one for one in state.instances if one.instance_id not in leaving)
    return evolve(state, instances=(*staying, *arriving), layout=shown), present


def _arriving(
    state: ChartState, layout: Layout, asked: Mapping[str, str]
) -> tuple[Instance, ...]:
    """The instances that the layout introduces and that the app can still show."""
    taken = frozenset(one.instance_id for one in state.instances)
    variants = frozenset(
        (vessel.id, variant.id)
        for vessel in state.vessels
        for variant in vessel.variants
    )
    pieces = layout.positions if isinstance(layout, GridLayout) else layout.nodes
    return tuple(
        Instance(piece.instance_id, piece.vessel_id or "", piece.variant or "")
        for piece in pieces
        if isinstance(piece, Position | Leaf)
        and piece.instance_id not in asked
        and piece.instance_id not in taken
        and (piece.vessel_id, piece.variant) in variants
    )


def _run(
    state: ChartState, present: frozenset[str], plan: tuple[ActionExecution, ...]
) -> Applied:
    """Run the plan in order over the instances that the layout shows."""
    vessels = {vessel.id: vessel for vessel in state.vessels}
    current = {one.instance_id: one for one in state.instances}
    effects: list[Effect] = []
    skips: list[Skip] = []
    for index, entry in enumerate(plan):
        target = current[entry.instance_id] if entry.instance_id in present else None
        action = _action(vessels, target, entry.action) if target else None
        if target is None or action is None:
            skips.append(Skip("state_drift", index, entry.instance_id, entry.action))
            continue
        effects.append(
            Effect(
                entry.instance_id,
                entry.action,
                entry.params,
                vessel_id=target.vessel_id,
                variant=target.variant,
            )
        )
        current[entry.instance_id] = evolve(target, variant=action.to or target.variant)
    moved = evolve(state, instances=tuple(current.values()))
    return Applied(moved, tuple(effects), tuple(skips))


def _action(
    vessels: Mapping[str, Vessel], instance: Instance, name: str
) -> Action | None:
    """The action that an instance has in the variant that it is in."""
    vessel = vessels.get(instance.vessel_id)
    variant = vessel and variant_of(vessel, instance.variant)
    actions = variant.actions if variant else ()
    return next((one for one in actions if one.id == name), None)
