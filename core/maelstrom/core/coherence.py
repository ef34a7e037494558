"""The rules of a request across its fields, once its shape is right.

Theory: every rule is a generator of issues over the record; they run in the order of
the record's fields, and whoever asks takes the first sixteen. The path of an issue is
the field that holds the bad reference, or the later of two duplicates.

The tree: a node is at fault, once, where two slots name it, where the root reaches it
not, where it is a split with fewer than two children, or where it is the root and a
node that the root reaches names it. So a cycle shows at the root, or at the node by
which it is entered. A later node of the same id is a duplicate, and no more: neither
it nor what it alone names is part of the tree. With an unknown root nothing can be
said of reach.

What nearly all requests are, without a fault, is found by sets: `offered` says at once
whether a catalogue agrees with itself, its schemas aside, and which variants it offers.
Who knows that, and that its schemas are right, need not ask again for the next request.
"""

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from itertools import islice, repeat
from typing import Final, TypeAlias, assert_never

from maelstrom.core.errors import Issue
from maelstrom.core.json_value import Path
from maelstrom.core.layout import (
    GridLayout,
    Layout,
    Position,
    Split,
    TilingLayout,
    TilingNode,
)
from maelstrom.core.quoting import quoted
from maelstrom.core.request import ChartRequest, Instance, VesselMutation
from maelstrom.core.schema_guard import schema_fault
from maelstrom.core.vessel import Action, Variant, Vessel

__all__ = ["MAX_ISSUES", "Offer", "incoherences", "offered"]

MAX_ISSUES: Final = 16

Offer: TypeAlias = frozenset[tuple[str, str]]
"""The ids of each vessel with those of its variants."""


def incoherences(
    request: ChartRequest, path: Path = (), offer: Offer | None = None
) -> tuple[Issue, ...]:
    """At most 16 issues, in the order of the protocol's fields; ``path`` leads them.

    With the ``offer`` of vessels that are right, schemas and all, nothing is looked for
    in them.
    """
    return tuple(islice(_request(request, path, offer), MAX_ISSUES))


def offered(vessels: tuple[Vessel, ...]) -> Offer | None:
    """The variants on offer, None where an id stands twice or names nothing.

    >>> note = Vessel("note", "A note", (Variant("open", "All of it"),))
    >>> offered((note,)), offered((note, note))
    (frozenset({('note', 'open')}), None)
    """
    offer: set[tuple[str, str]] = set()
    count = 0
    for vessel in vessels:
        variants = vessel.variants
        ids = [variant.id for variant in variants]
        count += len(ids)
        offer.update(zip(repeat(vessel.id), ids))
        targets = {action.to for variant in variants for action in variant.actions}
        targets.add(vessel.initial_variant)
        if not targets <= {None, *ids}:
            return None
        for variant in variants:
            actions = variant.actions
            if len({action.id for action in actions}) != len(actions):
                return None
    once = len({each.id for each in vessels}) == len(vessels) and len(offer) == count
    return frozenset(offer) if once else None


def _request(request: ChartRequest, path: Path, offer: Offer | None) -> Iterator[Issue]:
    known = frozenset([each.instance_id for each in request.instances])
    yield from _reasons(request, known, (*path, "context", "updateReasons"))
    if offer is None or not _are_on_offer(request.instances, known, offer):
        yield from _instances(request, (*path, "instances"))
    if offer is None:
        yield from _vessels(request.vessels, (*path, "vessels"))
    yield from _layout(request.layout, request.context.layout_mode, known, path)


def _are_on_offer(
    instances: tuple[Instance, ...], ids: frozenset[str], offer: Offer
) -> bool:
    """Whether there is nothing to say of them, as of nearly all."""
    if len(ids) != len(instances):
        return False
    return offer.issuperset([(each.vessel_id, each.variant) for each in instances])


def _reasons(
    request: ChartRequest, known: Container[str], path: Path
) -> Iterator[Issue]:
    for index, reason in enumerate(request.context.update_reasons):
        if isinstance(reason, VesselMutation) and reason.instance_id not in known:
            yield _unknown(
                "instance of the request",
                reason.instance_id,
                (*path, index, "instanceId"),
            )


def _instances(request: ChartRequest, path: Path) -> Iterator[Issue]:
    variants: dict[str, frozenset[str]] = {}
    for vessel in request.vessels:
        ids = frozenset(variant.id for variant in vessel.variants)
        variants.setdefault(vessel.id, ids)
    twice = _later([each.instance_id for each in request.instances])
    for index, each in enumerate(request.instances):
        if index in twice:
            yield _duplicate("instance", each.instance_id, (*path, index, "instanceId"))
        if each.vessel_id not in variants:
            yield _unknown(
                "vessel of the request", each.vessel_id, (*path, index, "vesselId")
            )
        elif each.variant not in variants[each.vessel_id]:
            yield _unknown(
                "variant of the vessel", each.variant, (*path, index, "variant")
            )


def _vessels(vessels: tuple[Vessel, ...], path: Path) -> Iterator[Issue]:
    twice = _later([each.id for each in vessels])
    for index, vessel in enumerate(vessels):
        at = (*path, index)
        if index in twice:
            yield _duplicate("vessel", vessel.id, (*at, "id"))
        ids = frozenset(variant.id for variant in vessel.variants)
        yield from _variants(vessel.variants, ids, (*at, "variants"))
        if vessel.initial_variant is not None and vessel.initial_variant not in ids:
            yield _unknown(
                "variant of the vessel", vessel.initial_variant, (*at, "initialVariant")
            )


def _variants(
    variants: tuple[Variant, ...], ids: Container[str], path: Path
) -> Iterator[Issue]:
    twice = _later([each.id for each in variants])
    for index, variant in enumerate(variants):
        if index in twice:
            yield _duplicate("variant", variant.id, (*path, index, "id"))
        yield from _actions(variant.actions, ids, (*path, index, "actions"))


def _actions(
    actions: tuple[Action, ...], variants: Container[str], path: Path
) -> Iterator[Issue]:
    twice = _later([each.id for each in actions])
    for index, action in enumerate(actions):
        if index in twice:
            yield _duplicate("action", action.id, (*path, index, "id"))
        if action.to is not None and action.to not in variants:
            yield _unknown("variant of the vessel", action.to, (*path, index, "to"))
        if action.params is not None:
            fault = schema_fault(action.params)
            if fault is not None:
                yield Issue((*path, index, "params"), "invalid_schema", fault)


def _layout(
    layout: Layout, mode: str, known: frozenset[str], path: Path
) -> Iterator[Issue]:
    at = (*path, "layout")
    match layout:
        case GridLayout(positions=positions):
            if mode != "grid":
                yield _mismatch((*at, "type"))
            shown: set[str] = set()
            if _are_shown_once(positions, known):
                return
            for index, each in enumerate(positions):
                place = (*at, "positions", index)
                yield from _shown(each.instance_id, known, shown, place)
                shown.add(each.instance_id)
        case TilingLayout():
            if mode != "tiling":
                yield _mismatch((*at, "type"))
            yield from _tree(layout, known, at)
        case _:
            assert_never(layout)


def _tree(layout: TilingLayout, known: Container[str], path: Path) -> Iterator[Issue]:
    table: dict[str, TilingNode] = {}
    for node in layout.nodes:
        table.setdefault(node.id, node)
    if layout.root is not None and layout.root not in table:
        yield _unknown("node of the layout", layout.root, (*path, "root"))
    faults = _tree_faults(layout, table)
    shown: set[str] = set()
    for index, node in enumerate(layout.nodes):
        at = (*path, "nodes", index)
        if index in faults:
            yield Issue(at, "malformed_tree", faults[index])
        if table[node.id] is not node:
            yield _duplicate("node", node.id, (*at, "id"))
        if isinstance(node, Split):
            unknown = (
                (slot, each)
                for slot, each in enumerate(node.children)
                if each not in table
            )
            yield from (
                _unknown("node of the layout", each, (*at, "children", slot))
                for slot, each in unknown
            )
        else:
            yield from _shown(node.instance_id, known, shown, at)
            shown.add(node.instance_id)


def _are_shown_once(positions: tuple[Position, ...], known: frozenset[str]) -> bool:
    """Whether there is nothing to say of them, as of nearly all."""
    ids = {each.instance_id for each in positions}
    return len(ids) == len(positions) and ids <= known


def _shown(
    instance_id: str, known: Container[str], shown: Container[str], path: Path
) -> Iterator[Issue]:
    if instance_id not in known:
        yield _unknown("instance of the request", instance_id, (*path, "instanceId"))
    elif instance_id in shown:
        words = f"{quoted(instance_id)} has a place in the layout already"
        yield Issue((*path, "instanceId"), "duplicate_id", words)


def _tree_faults(
    layout: TilingLayout, table: Mapping[str, TilingNode]
) -> dict[int, str]:
    """What is wrong with nodes as parts of a tree, by their index."""
    parents = Counter(
        child
        for node in table.values()
        if isinstance(node, Split)
        for child in node.children
    )
    reached, named = _reach(layout.root, table)
    rooted = layout.root is None or layout.root in table
    faults: dict[int, str] = {}
    for index, node in enumerate(layout.nodes):
        if isinstance(node, Split) and len(node.children) < 2:  # noqa: PLR2004  a split splits
            faults[index] = "a split has two or more children"
        elif table[node.id] is not node:
            continue
        elif parents[node.id] > 1:
            faults[index] = "two slots name this node"
        elif node.id == layout.root and node.id in named:
            faults[index] = "the tree leads back to its root"
        elif rooted and node.id not in reached:
            faults[index] = "the root does not reach this node"
    return faults


def _reach(
    root: str | None, table: Mapping[str, TilingNode]
) -> tuple[frozenset[str], frozenset[str]]:
    """The nodes that the root reaches, and those that a reached split names."""
    reached: set[str] = set()
    named: set[str] = set()
    work = [] if root is None else [root]
    while work:
        node = table.get(work.pop())
        if node is None or node.id in reached:
            continue
        reached.add(node.id)
        if isinstance(node, Split):
            named.update(node.children)
            work.extend(node.children)
    return frozenset(reached), frozenset(named)


def _later(ids: list[str]) -> frozenset[int]:
    """The indexes whose id stood before."""
    if len(frozenset(ids)) == len(ids):
        return frozenset()
    seen: set[str] = set()
    later = set()
    for index, each in enumerate(ids):
        if each in seen:
            later.add(index)
        seen.add(each)
    return frozenset(later)


def _unknown(what: str, name: str, path: Path) -> Issue:
    return Issue(path, "unknown_reference", f"{quoted(name)} is no {what}")


def _duplicate(what: str, name: str, path: Path) -> Issue:
    words = f"an earlier {what} has the id {quoted(name)} already"
    return Issue(path, "duplicate_id", words)


def _mismatch(path: Path) -> Issue:
    return Issue(path, "layout_mode_mismatch", "is not the layoutMode")
