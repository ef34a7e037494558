"""Faults of answers by name: each breaks a raw answer in one place.

A fault is named after the reason that healing most often gives for it. It
says whether the answer had a place for it; the answer is a copy that it may change.

To keep in step: the names are those of `maelstrom.core.reasons`; the tables at the end
say which faults an answer of either mode can have.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from hypothesis import strategies as st

from maelstrom.core.json_value import Json

__all__ = ["FAULTS", "GRID_FAULTS", "TILING_FAULTS", "Fault"]

Fault: TypeAlias = Callable[[st.DrawFn, Json], bool]
"""Breaks a raw answer ``{executionPlan, layout}``; False where it has no such place."""

_NO_OBJECTS: Final[tuple[Json, ...]] = (None, 5, "clock", [], {}, {"instanceId": " "})
_NO_INTEGERS: Final = (6.5, "", "six", None, True, 2**53, float("nan"))
_NO_WEIGHTS: Final[tuple[Json, ...]] = (0, -1, "two", True, [], float("inf"), 2**53)
_GHOST: Final = "ghost"


def _pieces(raw: Json) -> list[Json]:
    """The pieces that show an instance."""
    layout = raw["layout"]
    if layout["type"] == "grid":
        return [piece for piece in layout["positions"] if isinstance(piece, dict)]
    return _nodes(raw, "leaf")


def _nodes(raw: Json, kind: str) -> list[Json]:
    nodes = raw["layout"]["nodes"]
    return [n for n in nodes if isinstance(n, dict) and n.get("kind") == kind]


def _add(draw: st.DrawFn, raw: Json, piece: Json) -> bool:
    """Put a piece at the end: of the grid, or of a split that is there."""
    layout = raw["layout"]
    if layout["type"] == "grid":
        place = {"position": {"row": 0, "column": 0}, "size": {"width": 1, "height": 1}}
        layout["positions"].append({**place, **piece})
        return True
    splits = _nodes(raw, "split")
    if not splits:
        return False
    name = f"added-{len(layout['nodes'])}"
    layout["nodes"].append({"id": name, "kind": "leaf", **piece})
    draw(st.sampled_from(splits))["children"].append(name)
    return True


def _unknown_instance(draw: st.DrawFn, raw: Json) -> bool:
    return _add(draw, raw, {"instanceId": _GHOST, "vesselId": "", "variant": None})


def _unknown_vessel(draw: st.DrawFn, raw: Json) -> bool:
    stated = draw(st.sampled_from(("stocks", 5, [])))
    return _add(draw, raw, {"instanceId": _GHOST, "vesselId": stated})


def _duplicate_instance_id(draw: st.DrawFn, raw: Json) -> bool:
    pieces = _pieces(raw)
    if not pieces:
        return False
    copy = dict(draw(st.sampled_from(pieces)))
    copy.pop("id", None)
    return _add(draw, raw, copy)


def _variant_ignored(draw: st.DrawFn, raw: Json) -> bool:
    known = [
        one
        for one in _pieces(raw)
        if not str(one.get("instanceId")).startswith(("new-", _GHOST))
    ]
    if known:
        draw(st.sampled_from(known))["variant"] = "gigantic"
    return bool(known)


def _variant_defaulted(draw: st.DrawFn, raw: Json) -> bool:
    fresh = [p for p in _pieces(raw) if str(p.get("instanceId")).startswith("new-")]
    if fresh:
        draw(st.sampled_from(fresh))["variant"] = ""
    return bool(fresh)


def _malformed_action(draw: st.DrawFn, raw: Json) -> bool:
    raw["executionPlan"].append(draw(st.sampled_from(_NO_OBJECTS)))
    return True


def _plan_for(draw: st.DrawFn, raw: Json, entry: Json) -> bool:
    pieces = _pieces(raw)
    if not pieces:
        return False
    target = draw(st.sampled_from(pieces)).get("instanceId")
    raw["executionPlan"].append({"instanceId": target, **entry})
    return True


def _action_not_valid(draw: st.DrawFn, raw: Json) -> bool:
    return _plan_for(draw, raw, {"action": "explode"})


def _odd_params(draw: st.DrawFn, raw: Json) -> bool:
    """Any action with any parameters: right for some, wrong for most."""
    action = draw(st.sampled_from(("show", "expand", "collapse", "refresh")))
    odd = st.sampled_from(("{days", '{"days": 3}', "[]", '"{}"', "", "null", {"a": 1}))
    return _plan_for(draw, raw, {"action": action, "paramsJson": draw(odd)})


def _malformed_position(draw: st.DrawFn, raw: Json) -> bool:
    positions = raw["layout"]["positions"]
    positions.insert(
        draw(st.integers(0, len(positions))), draw(st.sampled_from(_NO_OBJECTS))
    )
    return True


def _geometry_not_integer(draw: st.DrawFn, raw: Json) -> bool:
    return _resize(draw, raw, st.sampled_from(_NO_INTEGERS))


def _number_coerced(draw: st.DrawFn, raw: Json) -> bool:
    return _resize(draw, raw, st.sampled_from(("1", "2.0", 2.0)))


def _resize(draw: st.DrawFn, raw: Json, values: st.SearchStrategy[Json]) -> bool:
    pieces = [piece for piece in _pieces(raw) if isinstance(piece.get("size"), dict)]
    if not pieces:
        return False
    piece = draw(st.sampled_from(pieces))
    side = draw(st.sampled_from(("width", "height")))
    piece["size"] = {**piece["size"], side: draw(values)}
    return True


def _size_below_minimum(draw: st.DrawFn, raw: Json) -> bool:
    return _resize(draw, raw, st.integers(-1, 0))


def _position_overflow(draw: st.DrawFn, raw: Json) -> bool:
    return _move(draw, raw, st.sampled_from((-1, 7, 99)))


def _position_overlap(draw: st.DrawFn, raw: Json) -> bool:
    return _move(draw, raw, st.integers(0, 2))


def _move(draw: st.DrawFn, raw: Json, values: st.SearchStrategy[Json]) -> bool:
    pieces = [one for one in _pieces(raw) if isinstance(one.get("position"), dict)]
    if not pieces:
        return False
    piece = draw(st.sampled_from(pieces))
    axis = draw(st.sampled_from(("row", "column")))
    piece["position"] = {**piece["position"], axis: draw(values)}
    return True


def _geometry_flattened(draw: st.DrawFn, raw: Json) -> bool:
    pieces = [one for one in _pieces(raw) if isinstance(one.get("size"), dict)]
    if not pieces:
        return False
    piece = draw(st.sampled_from(pieces))
    piece |= piece.pop("size")
    return True


def _tree_invalid_node(draw: st.DrawFn, raw: Json) -> bool:
    nodes = raw["layout"]["nodes"]
    bad = draw(st.sampled_from((*_NO_OBJECTS, {"id": "odd", "kind": "panel"})))
    nodes.insert(draw(st.integers(0, len(nodes))), bad)
    return True


def _duplicate_node_id(draw: st.DrawFn, raw: Json) -> bool:
    nodes = [*_nodes(raw, "leaf"), *_nodes(raw, "split")]
    if nodes:
        raw["layout"]["nodes"].append(dict(draw(st.sampled_from(nodes))))
    return bool(nodes)


def _name_child(draw: st.DrawFn, raw: Json, child: Json) -> bool:
    splits = _nodes(raw, "split")
    if splits:
        slots = draw(st.sampled_from(splits))["children"]
        slots.insert(draw(st.integers(0, len(slots))), child)
    return bool(splits)


def _tree_missing_child(draw: st.DrawFn, raw: Json) -> bool:
    return _name_child(draw, raw, draw(st.sampled_from(("nowhere", 5, None, []))))


def _tree_cycle(draw: st.DrawFn, raw: Json) -> bool:
    return _name_child(draw, raw, raw["layout"]["root"])


def _tree_shared_child(draw: st.DrawFn, raw: Json) -> bool:
    leaves = [leaf["id"] for leaf in _nodes(raw, "leaf") if "id" in leaf]
    return bool(leaves) and _name_child(draw, raw, draw(st.sampled_from(leaves)))


def _tree_unreachable_node(_draw: st.DrawFn, raw: Json) -> bool:
    node = {"id": "apart", "kind": "leaf", "instanceId": _GHOST}
    raw["layout"]["nodes"].append(node)
    return True


def _root_inferred(draw: st.DrawFn, raw: Json) -> bool:
    raw["layout"]["root"] = draw(st.sampled_from(("", None, "nowhere", 5)))
    return True


def _direction_defaulted(draw: st.DrawFn, raw: Json) -> bool:
    splits = _nodes(raw, "split")
    if splits:
        draw(st.sampled_from(splits))["direction"] = draw(
            st.sampled_from((None, "", "Row", 5))
        )
    return bool(splits)


def _weight_out_of_range(draw: st.DrawFn, raw: Json) -> bool:
    nodes = [*_nodes(raw, "leaf"), *_nodes(raw, "split")]
    if nodes:
        odd = draw(st.sampled_from((*_NO_WEIGHTS, "2", "0.5")))
        draw(st.sampled_from(nodes))["weight"] = odd
    return bool(nodes)


def _split_collapsed(draw: st.DrawFn, raw: Json) -> bool:
    splits = _nodes(raw, "split")
    if splits:
        slots = draw(st.sampled_from(splits))["children"]
        del slots[draw(st.integers(0, 1)) :]
    return bool(splits)


def _tree_flattened(_draw: st.DrawFn, raw: Json) -> bool:
    """Put the last child of each split into its slot, and out of the table."""
    nodes = raw["layout"]["nodes"]
    named = {n["id"]: n for n in nodes if isinstance(n, dict) and "id" in n}
    nested = False
    for split in _nodes(raw, "split"):
        last = split["children"][-1] if split["children"] else None
        child = named.pop(last, None) if isinstance(last, str) else None
        if child is not None and child in nodes and child is not split:
            nodes.remove(child)
            split["children"][-1] = child
            nested = True
    return nested


FAULTS: Final[tuple[tuple[str, Fault], ...]] = (
    ("unknown_instance", _unknown_instance),
    ("unknown_vessel", _unknown_vessel),
    ("duplicate_instance_id", _duplicate_instance_id),
    ("variant_ignored", _variant_ignored),
    ("variant_defaulted", _variant_defaulted),
    ("malformed_action", _malformed_action),
    ("action_not_valid", _action_not_valid),
    ("params_parse_failed", _odd_params),
)
"""Of either mode."""

GRID_FAULTS: Final[tuple[tuple[str, Fault], ...]] = (
    ("malformed_position", _malformed_position),
    ("geometry_not_integer", _geometry_not_integer),
    ("number_coerced", _number_coerced),
    ("size_below_minimum", _size_below_minimum),
    ("position_overflow", _position_overflow),
    ("position_overlap", _position_overlap),
    ("geometry_flattened", _geometry_flattened),
)

TILING_FAULTS: Final[tuple[tuple[str, Fault], ...]] = (
    ("tree_invalid_node", _tree_invalid_node),
    ("duplicate_node_id", _duplicate_node_id),
    ("tree_missing_child", _tree_missing_child),
    ("tree_cycle", _tree_cycle),
    ("tree_shared_child", _tree_shared_child),
    ("tree_unreachable_node", _tree_unreachable_node),
    ("root_inferred", _root_inferred),
    ("direction_defaulted", _direction_defaulted),
    ("weight_out_of_range", _weight_out_of_range),
    ("split_collapsed", _split_collapsed),
    ("tree_flattened", _tree_flattened),
)
