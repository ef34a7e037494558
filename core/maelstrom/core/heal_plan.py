"""Healing a plan: each entry judged in the variant that the entries before lead to.

Theory of operation. Actions belong to a variant, so a plan is simulated: a variant per
instance, moved on by each entry that runs. An entry meets the reasons in the order of
the protocol's table and is skipped for the first that applies; it then moves nothing.
What comes out also says which variant every instance ends in, which the geometry is
healed against; only when that is done is it known who stands in the layout, so
`place_plan` takes the last step. An entry that is skipped there has been simulated all
the same: its piece was measured against where it would have led.

Warts. Parameters on an action that takes none are removed whether or not they can be
read: nothing is left to read. A fresh instance has a variant before the plan, the
declared one, and drifts from it like any other.

To keep in step: `reasons.SKIPS`, in the order of this file's checks.
"""

from collections.abc import Container, Mapping, Sequence
from operator import attrgetter

from attrs import evolve, field, frozen
from returns.pipeline import is_successful

from maelstrom.core.catalogue import Catalogue
from maelstrom.core.healed import Repair, Skip
from maelstrom.core.identity import Identities, read_id
from maelstrom.core.json_value import Json
from maelstrom.core.limits import Limits
from maelstrom.core.params import Emitted, read_params
from maelstrom.core.response import ActionExecution
from maelstrom.core.schema_guard import check_params
from maelstrom.core.vessel import Action, Vessel

__all__ = ["HealedPlan", "Step", "heal_plan", "place_plan"]


@frozen
class Step:
    """An entry that runs; ``params_ignored`` where it lost parameters."""

    index: int
    execution: ActionExecution
    params_ignored: bool = False


@frozen
class HealedPlan:
    """A simulated plan.

    ``variants`` are the ids of the variants of the instances that the plan moved.
    """

    steps: tuple[Step, ...] = ()
    skips: tuple[Skip, ...] = ()
    variants: Mapping[str, str] = field(factory=dict, hash=False)


@frozen
class _Scene:
    """What every entry is judged by."""

    who: Identities
    catalogue: Catalogue
    resize_only: bool
    limits: Limits


@frozen
class _Reason:
    """Why an entry is skipped."""

    name: str
    detail: str | None = None


@frozen
class _Target:
    """Whom an entry names: the variant before the plan, and the simulated one."""

    vessel: Vessel
    before: str
    variant: str


def heal_plan(
    entries: Sequence[Json],
    who: Identities,
    catalogue: Catalogue,
    resize_only: bool,
    limits: Limits,
) -> HealedPlan:
    """Simulate the raw entries in order; all but the last step, `place_plan`."""
    scene = _Scene(who, catalogue, resize_only, limits)
    steps: list[Step] = []
    skips: list[Skip] = []
    variants: dict[str, str] = {}
    for index, entry in enumerate(entries):
        raw = entry if isinstance(entry, dict) else {}
        instance_id = read_id(raw.get("instanceId"), limits)
        action_id = read_id(raw.get("action"), limits)
        if index >= limits.plan_entries:
            outcome: Step | _Reason = _Reason("plan_too_long")
        elif instance_id is None or action_id is None:
            outcome = _Reason("malformed_action")
        else:
            execution = ActionExecution(instance_id, action_id)
            outcome = _run(Step(index, execution), raw, scene, variants)
        if isinstance(outcome, Step):
            steps.append(outcome)
        else:
            name, detail = outcome.name, outcome.detail
            skips.append(Skip(name, index, instance_id, action_id, detail))
    return HealedPlan(tuple(steps), tuple(skips), variants)


def _run(
    step: Step, raw: dict[str, Json], scene: _Scene, variants: dict[str, str]
) -> Step | _Reason:
    """Judge an entry with two ids, and move its instance on where it runs."""
    execution = step.execution
    target = _find_target(execution.instance_id, scene, variants)
    if isinstance(target, _Reason):
        return target
    action = _find_action(execution.action, target, scene.catalogue)
    if isinstance(action, _Reason):
        return action
    emitted = read_params(raw)
    reason = _guard_resize(action, emitted) if scene.resize_only else None
    if reason is not None:
        return reason
    ignored = action.params is None and emitted is not None
    if ignored:
        emitted = None
    reason = _refuse_params(action, emitted) or _refuse_noop(action, emitted, target)
    if reason is not None:
        return reason
    if action.to is not None:
        variants[execution.instance_id] = action.to
    if emitted is not None:
        execution = evolve(execution, params=emitted.value)
    return Step(step.index, execution, ignored)


def _find_target(
    instance_id: str, scene: _Scene, variants: Mapping[str, str]
) -> _Target | _Reason:
    """A2: an instance of the request, or one that a piece declares."""
    who = scene.who
    if (known := who.known.get(instance_id)) is not None:
        vessel, before = scene.catalogue.vessels[known.vessel_id], known.variant
    elif (fresh := who.fresh.get(instance_id)) is not None:
        vessel, before = fresh.vessel, fresh.variant
    else:
        return _Reason(who.failed.get(instance_id, "unknown_instance"))
    return _Target(vessel, before, variants.get(instance_id, before))


def _find_action(
    action_id: str, target: _Target, catalogue: Catalogue
) -> Action | _Reason:
    """A3, A4: an action of the simulated variant."""
    action = catalogue.action(target.vessel, target.variant, action_id)
    if action is not None:
        return action
    stale = catalogue.action(target.vessel, target.before, action_id) is not None
    return _Reason("state_drift" if stale else "action_not_valid")


def _guard_resize(action: Action, emitted: Emitted | None) -> _Reason | None:
    """A5, A6: nobody asked for anything, so nothing is run that could show."""
    if not action.idempotent:
        return _Reason("non_idempotent_on_resize")
    return None if emitted is None else _Reason("parameterized_on_resize")


def _refuse_params(action: Action, emitted: Emitted | None) -> _Reason | None:
    """A7; none emitted counts as an empty object."""
    if action.params is None:
        return None
    if emitted is not None and emitted.fault is not None:
        return _Reason("params_parse_failed", emitted.fault)
    checked = check_params(action.params, {} if emitted is None else emitted.value)
    if is_successful(checked):
        return None
    return _Reason("params_parse_failed", checked.failure())


def _refuse_noop(
    action: Action, emitted: Emitted | None, target: _Target
) -> _Reason | None:
    """A8: it leads to where it stands, and brings nothing along."""
    if emitted is None and action.to == target.variant:
        return _Reason("self_transition_noop")
    return None


def place_plan(
    plan: HealedPlan, placed: Container[str]
) -> tuple[tuple[ActionExecution, ...], tuple[Skip, ...], tuple[Repair, ...]]:
    """A9: the entries whose instance stands in the healed layout, skips and repairs."""
    executions: list[ActionExecution] = []
    skips = list(plan.skips)
    repairs: list[Repair] = []
    for step in plan.steps:
        execution = step.execution
        instance_id, action_id = execution.instance_id, execution.action
        if instance_id not in placed:
            reason = "instance_not_placed"
            skips.append(Skip(reason, step.index, instance_id, action_id))
            continue
        executions.append(execution)
        if step.params_ignored:
            path = ("executionPlan", step.index)
            repairs.append(Repair("params_ignored", path, instance_id, lossless=False))
    skips.sort(key=attrgetter("index"))
    return tuple(executions), tuple(skips), tuple(repairs)
