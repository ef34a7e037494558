"""Rules across fields: each fault has its path, duplicates are the later ones."""

import pytest

from maelstrom.core.coherence import incoherences
from maelstrom.core.wire import decode_message
from tests.core.wire_values import GRID, changed, issues

_VESSELS = ("payload", "vessels")
_LAYOUT = ("payload", "layout")
_NODES = (*_LAYOUT, "nodes")


def _leaf(node_id, instance_id="calendar-1"):
    return {"id": node_id, "kind": "leaf", "instanceId": instance_id}


def _split(node_id, *children):
    return {"id": node_id, "kind": "split", "direction": "row", "children": [*children]}


def _tree(root, *nodes):
    message = changed(GRID, ("payload", "context", "layoutMode"), "tiling")
    message["payload"]["instances"] = [
        {"instanceId": name, "vesselId": "notes", "variant": "list"}
        for name in ("a", "b", "c", "d")
    ]
    message["payload"]["layout"] = {"type": "tiling", "root": root, "nodes": [*nodes]}
    return message


A, B, C, D = (_leaf(name, name) for name in "abcd")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (_tree(None), []),
        (_tree("a", A), []),
        (_tree("r", _split("r", "a", "b"), A, B), []),
        (_tree(None, A), [((0,), "malformed_tree")]),
        (_tree("x", A, B), [("root", "unknown_reference")]),
        (_tree("r", _split("r", "a"), A), [((0,), "malformed_tree")]),
        (_tree("r", _split("r")), [((0,), "malformed_tree")]),
        (_tree("r", _split("r", "a", "x"), A), [((0, "children", 1), "unknown_reference")]),
        (_tree("r", _split("r", "a", "a"), A), [((1,), "malformed_tree")]),
        (_tree("r", _split("r", "a", "r"), A), [((0,), "malformed_tree")]),
        (
            _tree("r", _split("r", "a", "s"), _split("s", "b", "r"), A, B),
            [((0,), "malformed_tree")],
        ),
        (
            _tree("r", _split("r", "a", "s"), _split("s", "b", "s"), A, B),
            [((1,), "malformed_tree")],
        ),
        (
            _tree("r", _split("r", "a", "b"), A, B, _split("u", "v", "c"), _split("v", "u", "d"), C, D),
            [((3,), "malformed_tree"), ((4,), "malformed_tree"), ((5,), "malformed_tree"), ((6,), "malformed_tree")],
        ),
        (
            _tree("r", _split("r", "a", "b"), A, B, _split("u", "r", "c"), C),
            [((3,), "malformed_tree"), ((4,), "malformed_tree")],
        ),
        (
            _tree("r", _split("r", "a", "b"), A, B, _leaf("a", "c")),
            [((3, "id"), "duplicate_id")],
        ),
        (
            _tree("r", _split("r", "a", "b"), A, _leaf("b", "a")),
            [((2, "instanceId"), "duplicate_id")],
        ),
        (
            _tree("r", _split("r", "a", "b"), A, _leaf("b", "x")),
            [((2, "instanceId"), "unknown_reference")],
        ),
    ],
    ids=range(17),
)  # fmt: skip
def test_trees(message, expected):
    """A tree's faults, one a node."""
    paths = [
        ((*_LAYOUT, where) if isinstance(where, str) else (*_NODES, *where), code)
        for where, code in expected
    ]

    assert paths == issues(message)


def test_a_tree_of_any_depth():
    """A chain of 5,000 splits is walked without recursion."""
    nodes = [_split(f"s{n}", f"s{n + 1}", f"x{n}") for n in range(4_000)]
    message = _tree("s0", *nodes)

    assert len(issues(message)) == 16


@pytest.mark.parametrize(
    ("path", "double", "key"),
    [
        ((*_VESSELS,), (*_VESSELS, 3, "id"), "id"),
        ((*_VESSELS, 0, "variants"), (*_VESSELS, 0, "variants", 3, "id"), "id"),
        (
            (*_VESSELS, 0, "variants", 0, "actions"),
            (*_VESSELS, 0, "variants", 0, "actions", 3, "id"),
            "id",
        ),
        (("payload", "instances"), ("payload", "instances", 1, "instanceId"), "id"),
        (
            (*_LAYOUT, "positions"),
            (*_LAYOUT, "positions", 1, "instanceId"),
            "instanceId",
        ),
    ],
)
def test_duplicates(path, double, key):
    """Of two things with one id, the later is at fault."""
    message = changed(GRID, ("id",), "m-1")
    holder = message
    for each in path:
        holder = holder[each]
    holder.append(holder[0])

    assert [(double, "duplicate_id")] == issues(message)


def test_order_and_number_of_issues():
    """Issues come in the order of the protocol's fields, sixteen of them."""
    message = changed(GRID, ("payload", "context", "layoutMode"), "tiling")
    payload = message["payload"]
    payload["context"]["updateReasons"] = [
        {"type": "vessel_mutation", "instanceId": "nobody"}
    ]
    payload["instances"] *= 2
    payload["instances"][0] = {"instanceId": "a", "vesselId": "x", "variant": "y"}
    payload["vessels"][2]["initialVariant"] = "no"
    paths = [path[1:] for path, _ in issues(message)]

    assert paths == [
        ("context", "updateReasons", 0, "instanceId"),
        ("instances", 0, "vesselId"),
        ("vessels", 2, "initialVariant"),
        ("layout", "type"),
    ]
    payload["layout"]["positions"] *= 40
    assert len(issues(message)) == 16


def test_paths_are_led():
    """The path given leads every issue's."""
    request = decode_message(GRID).unwrap().payload

    assert incoherences(request, ("payload",)) == ()
