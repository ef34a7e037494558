"""Strategies of answers that are right: healing gives them back as they are.

An answer is drawn in the order in which it is healed. First a cast, known and new
instances; then a plan, each action one that its instance has at that step; then a
layout in which each instance has the room that its last variant needs. Actions of
instances that found no room are taken out of the plan again.
"""

from collections.abc import Sequence

from attrs import evolve, frozen
from hypothesis import strategies as st

from maelstrom.adapters.testing.samples import sample_params
from maelstrom.core.candidate import Candidate
from maelstrom.core.json_value import Json
from maelstrom.core.request import ChartRequest, Dimensions
from maelstrom.core.resize import is_resize_only
from maelstrom.core.vessel import Action, Variant, Vessel

__all__ = ["candidates"]

_FRESH = ("new-1", "new-2")


@frozen
class _Actor:
    """One of the cast, in its variant at this step of the plan."""

    instance_id: str
    vessel: Vessel
    variant: Variant
    declared: str
    fresh: bool = False


@st.composite
def candidates(draw: st.DrawFn, request: ChartRequest) -> Candidate:
    """A valid answer to the request, raw as a planner hands it on."""
    cast = draw(_cast(request))
    plan: list[Json] = []
    for _ in range(draw(st.integers(0, 3)) if cast else 0):
        index = draw(st.integers(0, len(cast) - 1))
        entry, actor = draw(_act(cast[index], is_resize_only(request)))
        cast[index] = actor
        plan += [] if entry is None else [entry]
    if request.context.layout_mode == "grid":
        layout, placed = draw(_grid(cast, request.context.chart_dimensions))
    else:
        layout, placed = draw(_tiling(cast)), {actor.instance_id for actor in cast}
    kept = tuple(entry for entry in plan if entry["instanceId"] in placed)
    return Candidate("Because.", kept, layout, "Done.")


@st.composite
def _cast(draw: st.DrawFn, request: ChartRequest) -> list[_Actor]:
    registered = {vessel.id: vessel for vessel in request.vessels}
    cast: list[_Actor] = []
    for instance in request.instances:
        vessel = registered[instance.vessel_id]
        variant = next(one for one in vessel.variants if one.id == instance.variant)
        cast.append(_Actor(instance.instance_id, vessel, variant, variant.id))
    for name in draw(st.lists(st.sampled_from(_FRESH), unique=True)):
        vessel = draw(st.sampled_from(request.vessels))
        variant = draw(st.sampled_from(vessel.variants))
        cast.append(_Actor(name, vessel, variant, variant.id, fresh=True))
    shown = draw(st.permutations(cast))
    return list(shown[: draw(st.integers(0, len(shown)))])


@st.composite
def _act(
    draw: st.DrawFn, actor: _Actor, resize_only: bool
) -> tuple[Json | None, _Actor]:
    """An action that runs, with its parameters, and whom it leaves behind."""
    runnable = [
        (action, params)
        for action in actor.variant.actions
        for params in _params(action)
        if not (resize_only and (params or not action.idempotent))
        and (params or action.to != actor.variant.id)
    ]
    if not runnable:
        return None, actor
    action, params = draw(st.sampled_from(runnable))
    entry: Json = {"instanceId": actor.instance_id, "action": action.id}
    if params:
        entry["params"] = dict(params)
    variants = {variant.id: variant for variant in actor.vessel.variants}
    return entry, evolve(actor, variant=variants.get(action.to or "", actor.variant))


def _params(action: Action) -> Sequence[dict[str, Json]]:
    """Parameters that the action takes."""
    return ({},) if action.params is None else sample_params(action.params)


def _identity(draw: st.DrawFn, actor: _Actor) -> dict[str, Json]:
    """A new instance says who it is; a known one may."""
    piece: dict[str, Json] = {"instanceId": actor.instance_id}
    if actor.fresh or draw(st.booleans()):
        piece |= {"vesselId": actor.vessel.id, "variant": actor.declared}
    return piece


@st.composite
def _grid(
    draw: st.DrawFn, cast: list[_Actor], chart: Dimensions
) -> tuple[Json, set[str]]:
    positions: list[Json] = []
    placed: set[str] = set()
    taken: set[tuple[int, int]] = set()
    for actor in cast:
        least = actor.variant.min_size
        if least.width > chart.columns or least.height > chart.rows:
            continue
        width = draw(st.integers(least.width, min(least.width + 2, chart.columns)))
        height = draw(st.integers(least.height, min(least.height + 2, chart.rows)))
        row = draw(st.integers(0, chart.rows - height))
        column = draw(st.integers(0, chart.columns - width))
        cells = {(row + y, column + x) for y in range(height) for x in range(width)}
        if cells & taken:
            continue
        taken |= cells
        placed.add(actor.instance_id)
        place = {"row": row, "column": column}
        size = {"width": width, "height": height}
        identity = _identity(draw, actor)
        positions.append({**identity, "position": place, "size": size})
    return {"type": "grid", "positions": positions}, placed


@st.composite
def _tiling(draw: st.DrawFn, cast: list[_Actor]) -> Json:
    weights = st.sampled_from((None, 1, 2, 0.5))
    nodes: list[Json] = [
        {"id": f"l{index}", "kind": "leaf", **_identity(draw, actor)}
        for index, actor in enumerate(cast)
    ]
    tops = [node["id"] for node in nodes]
    while len(tops) > 1:
        count = draw(st.integers(2, min(3, len(tops))))
        name = f"s{len(nodes)}"
        direction = draw(st.sampled_from(("row", "column")))
        split = {"id": name, "kind": "split", "direction": direction}
        nodes.append({**split, "children": tops[:count]})
        tops = [*tops[count:], name]
    for node in nodes:
        if (weight := draw(weights)) is not None:
            node["weight"] = weight
    shuffled = list(draw(st.permutations(nodes)))
    return {"type": "tiling", "root": tops[0] if tops else None, "nodes": shuffled}
