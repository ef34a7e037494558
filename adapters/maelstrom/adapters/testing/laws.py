"""The laws of healing as assertions over any request and any candidate.

Each law is one function that raises AssertionError where it is broken; `LAWS` lists
them, and `assert_heal_laws` asks them all. They look at healing from outside, through
what `mend` gives, so they hold for whatever heals.

Warts. Two things are no break of isolation: where the made-up ids of a nested tree
move up as a piece is taken out, and where the exceptions that the law itself lists
apply. Candidates for which `_is_settled` cannot rule those out are passed over.

To keep in step: the laws of the protocol's part 2.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, Final, TypeAlias

from attrs import evolve
from returns.pipeline import is_successful

from maelstrom.core.candidate import Candidate
from maelstrom.core.heal import mend
from maelstrom.core.healed import Healed
from maelstrom.core.json_value import Json, Path
from maelstrom.core.layout import GridLayout, Layout, Leaf, Position, TilingLayout
from maelstrom.core.policy import HealPolicy
from maelstrom.core.request import ChartRequest, Instance, UserIntent
from maelstrom.core.resize import is_resize_only
from maelstrom.core.wire import decode_request, encode_layout, encode_request

__all__ = ["LAWS", "apply", "assert_heal_laws", "assert_unchanged", "candidate_of"]

Law: TypeAlias = Callable[[ChartRequest, Candidate, HealPolicy, Healed], None]

_REFERENCE: Final = HealPolicy.reference()


def assert_heal_laws(
    request: ChartRequest, candidate: Candidate, policy: HealPolicy = _REFERENCE
) -> None:
    """Mend the candidate and check every law that holds for any candidate."""
    before = deepcopy(candidate)
    healed = mend(request, candidate, policy)
    assert _same(before.layout, candidate.layout), "the candidate was mutated"
    assert _same(before.execution_plan, candidate.execution_plan), "it was mutated"
    for law in LAWS:
        law(request, candidate, policy, healed)


def assert_unchanged(
    request: ChartRequest, candidate: Candidate, policy: HealPolicy = _REFERENCE
) -> None:
    """Law 1, of valid candidates: what comes out is what went in, with no record."""
    healed = mend(request, candidate, policy)
    assert (healed.drops, healed.skips, healed.repairs) == ((), (), ())
    given = _without_identity(candidate.layout, healed.new_instances)
    assert encode_layout(healed.layout) == given
    plan = [
        (entry["instanceId"], entry["action"]) for entry in candidate.execution_plan
    ]
    assert [(entry.instance_id, entry.action) for entry in healed.plan] == plan


def candidate_of(healed: Healed) -> Candidate:
    """A healed answer as a candidate again."""
    plan = tuple(
        {
            "instanceId": entry.instance_id,
            "action": entry.action,
            **({} if entry.params is None else {"params": entry.params}),
        }
        for entry in healed.plan
    )
    return Candidate("Because.", plan, encode_layout(healed.layout), "Done.")


def apply(request: ChartRequest, healed: Healed) -> ChartRequest:
    """The next request, once a client has applied a healed answer."""
    vessels = {vessel.id: vessel for vessel in request.vessels}
    known = {
        one.instance_id: one for one in (*request.instances, *healed.new_instances)
    }
    for entry in healed.plan:
        instance = known[entry.instance_id]
        variants = {one.id: one for one in vessels[instance.vessel_id].variants}
        actions = {one.id: one for one in variants[instance.variant].actions}
        variant = actions[entry.action].to or instance.variant
        known[entry.instance_id] = evolve(instance, variant=variant)
    shown = set(_shown(healed.layout))
    left = set() if is_resize_only(request) else set(_shown(request.layout)) - shown
    instances = tuple(one for one in known.values() if one.instance_id not in left)
    context = evolve(request.context, update_reasons=(UserIntent("go on"),))
    layout = _placed(healed.layout)
    return evolve(request, context=context, instances=instances, layout=layout)


def _shown(layout: Layout) -> list[str]:
    """The ids of the instances that a layout shows, in its order."""
    if isinstance(layout, GridLayout):
        return [piece.instance_id for piece in layout.positions]
    return [node.instance_id for node in layout.nodes if isinstance(node, Leaf)]


def _placed(layout: Layout) -> Layout:
    """The layout without what its pieces state of themselves."""
    if isinstance(layout, GridLayout):
        return GridLayout(
            tuple(
                evolve(piece, vessel_id=None, variant=None)
                for piece in layout.positions
            )
        )
    return TilingLayout(
        layout.root,
        tuple(
            evolve(node, vessel_id=None, variant=None)
            if isinstance(node, Leaf)
            else node
            for node in layout.nodes
        ),
    )


def _without_identity(layout: Json, fresh: tuple[Instance, ...]) -> Json:
    """A raw layout as an answer states it: new instances alone say who they are."""
    new = {instance.instance_id for instance in fresh}
    key = "positions" if layout["type"] == "grid" else "nodes"
    pieces = [
        piece
        if piece.get("instanceId") in new
        else {k: v for k, v in piece.items() if k not in ("vesselId", "variant")}
        for piece in layout[key]
    ]
    return {**layout, key: pieces}


def _same(one: Any, other: Any) -> bool:
    """Equal, NaN to itself included: a deep copy keeps the very float."""
    return bool(one == other) or repr(one) == repr(other)


def _is_deterministic(
    request: ChartRequest, candidate: Candidate, policy: HealPolicy, healed: Healed
) -> None:
    """Law 6: the same again, to the last record."""
    again = mend(request, deepcopy(candidate), policy)
    assert _same(again, healed)


def _is_idempotent(
    request: ChartRequest, _candidate: Candidate, policy: HealPolicy, healed: Healed
) -> None:
    """Law 2: mending what was mended changes and records nothing."""
    again = mend(request, candidate_of(healed), policy)
    assert again.layout == healed.layout
    assert again.plan == healed.plan
    assert again.new_instances == healed.new_instances
    records = again.drops, again.skips, again.repairs, again.warnings
    assert records == ((), (), (), ())


def _is_closed(
    request: ChartRequest, _candidate: Candidate, policy: HealPolicy, healed: Healed
) -> None:
    """Law 3: what comes out is right, and so is the next request that it leads to."""
    shown = _shown(healed.layout)
    assert all(entry.instance_id in shown for entry in healed.plan)
    after = apply(request, healed)
    decoded = decode_request(encode_request(after))
    assert is_successful(decoded), decoded.failure()
    if isinstance(healed.layout, GridLayout):
        _assert_stands(after, healed.layout, policy)


def _assert_stands(after: ChartRequest, layout: GridLayout, policy: HealPolicy) -> None:
    chart = after.context.chart_dimensions
    variants = {
        (vessel.id, variant.id): variant
        for vessel in after.vessels
        for variant in vessel.variants
    }
    instances = {one.instance_id: one for one in after.instances}
    taken: set[tuple[int, int]] = set()
    for piece in layout.positions:
        instance = instances[piece.instance_id]
        least = variants[instance.vessel_id, instance.variant].min_size
        cell, size = piece.position, piece.size
        assert size.width >= least.width
        assert size.height >= least.height
        assert 0 <= cell.row <= chart.rows - size.height
        assert 0 <= cell.column <= chart.columns - size.width
        cells = {
            (cell.row + row, cell.column + column)
            for row in range(size.height)
            for column in range(size.width)
        }
        assert policy.overlap == "keep" or not cells & taken
        taken |= cells


def _is_ordered(
    request: ChartRequest, candidate: Candidate, _policy: HealPolicy, healed: Healed
) -> None:
    """Law 5: every piece is kept, or dropped once; records stand by their paths.

    A repair is of a piece that was kept; `root_inferred` is of the slot "root", which
    may have held a node that was dropped.
    """
    paths = [drop.path for drop in healed.drops]
    assert paths == sorted(paths, key=_path_order)
    drops = [drop.path for drop in healed.drops if drop.reason not in _OF_SLOTS]
    assert len(set(drops)) == len(drops)
    paths = [repair.path for repair in healed.repairs]
    assert paths == sorted(paths, key=_path_order)
    mended = {each.path for each in healed.repairs if each.reason != "root_inferred"}
    assert not mended & set(drops)
    assert [skip.index for skip in healed.skips] == sorted(
        {skip.index for skip in healed.skips}
    )
    pieces = dict(_pieces(request, candidate.layout))
    dropped = [path for path in drops if path in pieces]
    kept = [one for path, one in pieces.items() if path not in set(dropped)]
    assert kept == _shown(healed.layout)
    planned = len(candidate.execution_plan)
    assert len(healed.plan) + len(healed.skips) == planned


_OF_SLOTS: Final = frozenset({"tree_missing_child", "tree_cycle", "tree_shared_child"})
"""Reasons of a slot: where it holds a node itself, its path is that of the node too."""

_WORDS: Final = ("rationale", "executionPlan", "layout", "type", "root", "nodes")


def _path_order(path: Path) -> list[int]:
    """Paths as they order: by the order of the wire's fields, then of indexes."""
    return [
        step if isinstance(step, int) else _WORDS.index(step) if step in _WORDS else 0
        for step in path
    ]


def _pieces(request: ChartRequest, layout: Json) -> Iterator[tuple[Path, Json]]:
    """What could show an instance: positions, or leaves wherever they are nested."""
    mode = request.context.layout_mode
    if not isinstance(layout, dict) or layout.get("type") not in (mode, None):
        return
    if mode == "grid":
        for index, piece in enumerate(_listed(layout.get("positions"))):
            yield ("layout", "positions", index), _instance_id(piece)
        return
    nodes = list(enumerate(_listed(layout.get("nodes"))))
    todo: list[tuple[Path, Json]]
    todo = [(("layout", "nodes", index), node) for index, node in reversed(nodes)]
    todo.append((("layout", "root"), layout.get("root")))
    while todo:
        path, node = todo.pop()
        if not isinstance(node, dict):
            continue
        if node.get("kind") == "leaf":
            yield path, _instance_id(node)
        slots = list(enumerate(_listed(node.get("children"))))
        todo.extend(
            ((*path, "children", place), slot)
            for place, slot in reversed(slots)
            if isinstance(slot, dict)
        )


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _instance_id(piece: Json) -> Json:
    return piece.get("instanceId") if isinstance(piece, dict) else None


def _is_isolated(
    request: ChartRequest, candidate: Candidate, policy: HealPolicy, healed: Healed
) -> None:
    """Law 4: taking a dropped piece out of the input leaves the layout equal."""
    if not _is_settled(request, candidate, healed):
        return
    for drop in healed.drops:
        layout = deepcopy(candidate.layout)
        holder = layout
        for step in drop.path[1:-1]:
            holder = holder[step]
        if isinstance(holder, dict) or _is_root(layout, holder[drop.path[-1]]):
            continue
        del holder[drop.path[-1]]
        without = mend(request, evolve(candidate, layout=layout), policy)
        assert without.layout == healed.layout, drop


def _is_root(layout: Json, piece: Json) -> bool:
    return isinstance(piece, dict) and piece.get("id") == layout.get("root")


def _is_spared(
    request: ChartRequest, candidate: Candidate, policy: HealPolicy, healed: Healed
) -> None:
    """Law 4: a piece that is right alone, and touches no other such, stays as it is."""
    if not isinstance(healed.layout, GridLayout):
        return
    ids = [one for _, one in _pieces(request, candidate.layout) if isinstance(one, str)]
    right: list[Position] = []
    for path, _ in _pieces(request, candidate.layout):
        index = path[-1]
        layout = {"type": "grid", "positions": [candidate.layout["positions"][index]]}
        alone = mend(request, evolve(candidate, layout=layout), policy)
        moved = any(not r.lossless and r.path[0] == "layout" for r in alone.repairs)
        if isinstance(alone.layout, GridLayout) and not alone.drops and not moved:
            right += alone.layout.positions
    for piece in right:
        others = [one for one in right if one is not piece]
        if ids.count(piece.instance_id) == 1 and not any(
            _overlap(piece, other) for other in others
        ):
            assert piece in healed.layout.positions, piece


def _overlap(one: Position, other: Position) -> bool:
    rows = other.position.row - one.position.row
    columns = other.position.column - one.position.column
    return (
        -other.size.height < rows < one.size.height
        and -other.size.width < columns < one.size.width
    )


def _is_settled(request: ChartRequest, candidate: Candidate, healed: Healed) -> bool:
    """Whether no exception of law 4 can apply.

    Those are: fresh ids that several pieces name, nodes that share an id, roots that
    are inferred or missing, and ids that are made up.
    """
    reasons = {drop.reason for drop in healed.drops}
    reasons |= {repair.reason for repair in healed.repairs}
    unsettled = {
        "duplicate_node_id",
        "root_inferred",
        "tree_missing_root",
        "tree_flattened",
    }
    known = {instance.instance_id for instance in request.instances}
    named = [
        instance_id
        for _, instance_id in _pieces(request, candidate.layout)
        if isinstance(instance_id, str) and instance_id not in known
    ]
    return not reasons & unsettled and len(set(named)) == len(named)


LAWS: Final[tuple[Law, ...]] = (
    _is_deterministic,
    _is_idempotent,
    _is_closed,
    _is_ordered,
    _is_isolated,
    _is_spared,
)
"""The laws that hold for any candidate; those of valid ones are `assert_unchanged`'s."""
