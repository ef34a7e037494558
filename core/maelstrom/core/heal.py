"""From a candidate to a coherent answer: who, plan, geometry, plan again, verdict.

Theory of operation. An empty chart is worse than a partial one, so nothing here fails:
each invalid piece is dropped alone, and recorded with a reason. The order of the work
is what makes that well defined. Who everyone is depends on nothing; the plan needs to
know who it moves; the geometry needs the variants that the plan leads to; and only the
healed layout says whose actions can run. `mend` goes through it once, `heal` adds the
verdict. Answers in which no piece needs healing, which are most, are found out first
and take the short way of `plain_grid` and `plain_tree`; they come out the same.

Warts. The candidate is whatever JSON a planner made of a model's words: a layout that
is no object, or that says it is of another kind than the request's, has no pieces to
keep. What it proposed still counts as proposed, so that it is not mistaken for an
answer that leaves the chart empty on purpose.

To keep in step: part 2 of the protocol. Records come in the order of their paths:
those of reading the answer, the plan's, the layout's.
"""

from collections.abc import Mapping
from typing import Final

from attrs import field, frozen
from returns.result import Failure, Result, Success

from maelstrom.core.candidate import Candidate
from maelstrom.core.catalogue import Catalogue
from maelstrom.core.feedback import build_feedback
from maelstrom.core.grid_reading import GridReading, read_positions
from maelstrom.core.heal_grid import heal_grid
from maelstrom.core.heal_plan import HealedPlan, heal_plan, place_plan
from maelstrom.core.heal_tiling import heal_tiling
from maelstrom.core.healed import Drop, Healed, Repair, RetryAdvised
from maelstrom.core.healed import Warning as HealWarning
from maelstrom.core.identity import Claim, Identified, Identities, identify
from maelstrom.core.json_value import Json
from maelstrom.core.layout import (
    GridLayout,
    Layout,
    LayoutMode,
    Leaf,
    Position,
    TilingLayout,
)
from maelstrom.core.limits import Limits
from maelstrom.core.plain_grid import PlainGrid, read_plain_grid, stand_plain_grid
from maelstrom.core.plain_tree import PlainTree, read_plain_tree
from maelstrom.core.policy import HealPolicy
from maelstrom.core.request import ChartRequest, Instance
from maelstrom.core.resize import is_resize_only
from maelstrom.core.severity import Balance, judge
from maelstrom.core.tree import Tree, read_tree
from maelstrom.core.vessel import Size, Variant

__all__ = ["heal", "mend"]

_REFERENCE: Final = HealPolicy.reference()
_DEFAULTS: Final = Limits()


@frozen
class _Outcome:
    """A healed layout of either kind, and the pieces that show an instance."""

    layout: Layout
    shown: tuple[Position | Leaf, ...]
    drops: tuple[Drop, ...] = ()
    repairs: tuple[Repair, ...] = ()
    warnings: tuple[HealWarning, ...] = ()


@frozen
class _Task:
    """What is healed, and by what; ``layout`` is the raw one, of the request's mode."""

    request: ChartRequest
    layout: Json = field(hash=False)
    catalogue: Catalogue
    policy: HealPolicy
    limits: Limits


@frozen
class _Judged:
    """A layout read piece by piece, and who everyone is."""

    reading: GridReading | Tree
    who: Identities


def heal(
    request: ChartRequest,
    candidate: Candidate,
    policy: HealPolicy = _REFERENCE,
    limits: Limits = _DEFAULTS,
) -> Result[Healed, RetryAdvised]:
    """`mend`, and the verdict: Failure where another attempt is worth its wait.

    Returns:
        The healed answer; or `RetryAdvised`, which holds it too, with what the next
        attempt should be told.
    """
    healed = mend(request, candidate, policy, limits)
    if not healed.retry:
        return Success(healed)
    feedback = build_feedback(healed.drops, healed.skips)
    return Failure(RetryAdvised(healed, healed.severity, feedback))


def mend(
    request: ChartRequest,
    candidate: Candidate,
    policy: HealPolicy = _REFERENCE,
    limits: Limits = _DEFAULTS,
) -> Healed:
    """Make a candidate coherent with the request, piece by piece.

    Total: any JSON in the candidate gives an answer, and never an exception. The
    request is a valid one; nothing is mutated.
    """
    mode = request.context.layout_mode
    catalogue = Catalogue(request.vessels)
    layout = _of_mode(candidate.layout, mode)
    task = _Task(request, layout, catalogue, policy, limits)
    judged = _read_plainly(task) or _judge_pieces(task)
    entries = _entries(candidate.execution_plan)
    plan = heal_plan(entries, judged.who, catalogue, is_resize_only(request), limits)
    outcome = _stand(task, judged, plan)
    shown = {piece.instance_id for piece in outcome.shown}
    executions, skips, repairs = place_plan(plan, shown)
    balance = Balance(
        proposed=_proposes(candidate.layout, mode),
        shown=bool(shown),
        planned=bool(entries),
        ran=bool(executions),
        drops=outcome.drops,
        skips=skips,
        repairs=(*candidate.repairs, *repairs, *outcome.repairs),
        warnings=(*_rationale_warning(candidate.rationale), *outcome.warnings),
    )

    def minimum(instance_id: str) -> Size:
        return _after(judged.who.known[instance_id], plan, catalogue).min_size

    severity, retry = judge(request, balance, minimum)
    new_instances = _new_instances(outcome.shown)
    return Healed(
        outcome.layout,
        executions,
        new_instances,
        balance.drops,
        balance.skips,
        balance.repairs,
        balance.warnings,
        severity,
        retry,
    )


def _read_plainly(task: _Task) -> PlainGrid | PlainTree | None:
    """The layout where its pieces need no judging, else None."""
    known = {one.instance_id: one for one in task.request.instances}
    if task.request.context.layout_mode == "grid":
        return read_plain_grid(task.layout, known, task.catalogue, task.limits)
    return read_plain_tree(task.layout, known, task.catalogue, task.limits)


def _judge_pieces(task: _Task) -> _Judged:
    """Any layout: its pieces one by one, and who each of them is."""
    reading: GridReading | Tree
    claims: tuple[Claim, ...]
    if task.request.context.layout_mode == "grid":
        reading = read_positions(task.layout, task.limits)
        claims = reading.pieces
    else:
        reading = read_tree(task.layout, task.limits)
        claims = reading.claims
    who = identify(task.request.instances, claims, task.catalogue)
    return _Judged(reading, who)


def _of_mode(layout: Json, mode: LayoutMode) -> Json:
    """The raw layout, None where it is none of the mode; no type is no objection."""
    fits = isinstance(layout, dict) and layout.get("type") in (mode, None)
    return layout if fits else None


def _proposes(layout: Json, mode: LayoutMode) -> bool:
    """Whether a raw layout has a piece: of its mode, else of either."""
    if not isinstance(layout, dict):
        return False
    grid = _filled(layout.get("positions"))
    tiling = isinstance(layout.get("root"), dict) or _filled(layout.get("nodes"))
    if _of_mode(layout, mode) is None:
        return grid or tiling
    return grid if mode == "grid" else tiling


def _filled(listed: Json) -> bool:
    return isinstance(listed, list | tuple) and len(listed) > 0


def _entries(plan: Json) -> tuple[Json, ...]:
    return tuple(plan) if isinstance(plan, list | tuple) else ()


def _rationale_warning(rationale: Json) -> tuple[HealWarning, ...]:
    if isinstance(rationale, str) and rationale:
        return ()
    return (HealWarning("rationale_missing", ("rationale",)),)


def _after(
    who: Identified | Instance, plan: HealedPlan, catalogue: Catalogue
) -> Variant:
    """The variant that an instance ends in."""
    if isinstance(who, Instance):
        vessel = catalogue.vessels[who.vessel_id]
    else:
        vessel = who.vessel
    variant = catalogue.variant(vessel, plan.variants.get(who.instance_id, who.variant))
    assert variant is not None, "a valid request, and only its actions, lead to it"
    return variant


def _variants_after(
    who: Identities, plan: HealedPlan, catalogue: Catalogue
) -> Mapping[str, Variant]:
    return {
        verdict.instance_id: _after(verdict, plan, catalogue)
        for verdict in who.verdicts
        if not isinstance(verdict, str)
    }


def _stand(
    task: _Task, judged: PlainGrid | PlainTree | _Judged, plan: HealedPlan
) -> _Outcome:
    """The layout that stands; pieces may be plain, and in each other's way."""
    request, catalogue = task.request, task.catalogue
    if isinstance(judged, PlainTree):
        return _Outcome(judged.layout, _leaves(judged.layout))
    if isinstance(judged, PlainGrid):
        chart = request.context.chart_dimensions
        overlaps = task.policy.overlap == "keep"
        stood = stand_plain_grid(judged, plan.variants, catalogue, chart, overlaps)
        if stood is not None:
            return _Outcome(GridLayout(stood), stood)
        judged = _judge_pieces(task)
    return _heal_layout(task, judged, _variants_after(judged.who, plan, catalogue))


def _heal_layout(
    task: _Task, judged: _Judged, after: Mapping[str, Variant]
) -> _Outcome:
    request, reading, verdicts = task.request, judged.reading, judged.who.verdicts
    if isinstance(reading, GridReading):
        grid = heal_grid(reading, verdicts, after, request, task.policy)
        layout = GridLayout(grid.positions)
        return _Outcome(layout, grid.positions, grid.drops, grid.repairs, grid.warnings)
    chart = request.context.chart_dimensions
    tree = heal_tiling(reading, verdicts, after, chart)
    return _Outcome(tree.layout, _leaves(tree.layout), tree.drops, tree.repairs)


def _leaves(layout: TilingLayout) -> tuple[Leaf, ...]:
    return tuple(node for node in layout.nodes if isinstance(node, Leaf))


def _new_instances(shown: tuple[Position | Leaf, ...]) -> tuple[Instance, ...]:
    """The fresh instances as declared: their pieces alone state who they are."""
    return tuple(
        Instance(piece.instance_id, piece.vessel_id, piece.variant)
        for piece in shown
        if piece.vessel_id is not None and piece.variant is not None
    )
