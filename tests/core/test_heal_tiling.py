"""Healing a tree, clause by clause."""

import pytest
from attrs import evolve

from maelstrom.core.heal import mend
from maelstrom.core.layout import Leaf, Split
from maelstrom.core.limits import Limits
from tests.core.heal_app import act, leaf, records, request, split, tree


def healed(candidate, limits=None, **kwargs):
    """The tree, mended."""
    return mend(request(**kwargs), candidate, limits=limits or Limits())


def nodes(result):
    """The surviving nodes by id: a split's children, a leaf's instance."""
    return {
        node.id: node.children if isinstance(node, Split) else node.instance_id
        for node in result.layout.nodes
    }


@pytest.mark.parametrize("root", [None, "", "nowhere", 5, []])
def test_the_only_orphan_becomes_the_root(root):
    """T0: null, blank, unknown or no text, the root is inferred, and recorded."""
    result = healed(tree(root, leaf("a"), split("r", "a", "b"), leaf("b")))

    assert result.layout.root == "r"
    assert records(result.repairs) == [("root_inferred", "root")]


@pytest.mark.parametrize(
    "table",
    [
        (leaf("a"), leaf("b")),
        (split("x", "y"), split("y", "x")),
    ],
)
def test_without_one_orphan_all_drop(table):
    """T0: several, or none in a ring, and every node of the table drops."""
    result = healed(tree("", *table))

    assert result.layout.nodes == ()
    assert [drop.reason for drop in result.drops] == ["tree_missing_root"] * 2
    assert (result.severity, result.retry) == ("unrecoverable", True)


def test_a_slot_that_names_nothing_makes_nobody_a_child():
    """T0: the split is the only orphan, and its slot is lost as ever."""
    result = healed(tree("", split("r", "a", "b", "nowhere"), leaf("a"), leaf("b")))

    assert result.layout.root == "r"
    assert records(result.drops) == [("tree_missing_child", "nodes", 0, "children", 2)]


def test_a_leaf_may_state_the_variant_that_the_plan_leads_to():
    """2.1: it is no fault, and the door keeps being a known instance."""
    candidate = tree("d", leaf("d", variant="open"))
    plan = (act("d", "open"),)

    assert healed(evolve(candidate, execution_plan=plan)).repairs == ()
    assert records(healed(candidate).repairs) == [("variant_ignored", "nodes", 0)]


def test_nothing_is_recorded_of_a_root_that_holds_nothing():
    """T0: an inferred root is recorded only where something is left."""
    result = healed(tree("", leaf("a", "ghost")))

    assert records(result.drops) == [("unknown_instance", "nodes", 0)]
    assert result.repairs == ()


def test_a_bad_root_object_lets_another_be_inferred():
    """T0, T1: a root given as an object that is no node is missing."""
    result = healed(tree({"id": "r", "kind": "panel"}, leaf("a")))

    assert result.layout.root == "a"
    assert records(result.drops) == [("tree_invalid_node", "root")]
    assert records(result.repairs) == [("tree_flattened",), ("root_inferred", "root")]


def test_a_slot_of_a_node_that_is_none_has_a_record_of_its_own():
    """T1, T3: flat, the node and the slot that named it are two records."""
    result = healed(
        tree("r", split("r", "a", "b", "x"), leaf("a"), leaf("b"), {"id": "x"})
    )

    assert records(result.drops) == [
        ("tree_missing_child", "nodes", 0, "children", 2),
        ("tree_invalid_node", "nodes", 3),
    ]


def test_a_slot_that_held_the_bad_node_has_none():
    """T1: nested, the slot went with the object."""
    bad = {"id": "x", "kind": "leaf"}
    result = healed(tree("r", split("r", leaf("a"), bad, leaf("b"))))

    assert nodes(result) == {"r": ("a", "b"), "a": "a", "b": "b"}
    assert records(result.drops) == [
        ("tree_invalid_node", "nodes", 0, "children", 1),
    ]


def test_the_first_of_two_nodes_counts():
    """T2: by the order of the table."""
    result = healed(
        tree("r", split("r", "a", "b"), leaf("a"), leaf("b"), leaf("a", "c"))
    )

    assert nodes(result)["a"] == "a"
    assert [(d.reason, d.instance_id) for d in result.drops] == [
        ("duplicate_node_id", "c")
    ]


def test_a_subtree_is_walked_before_the_next_slot():
    """T5: the deeper slot took the child already, though it stands further down."""
    result = healed(
        tree("r", split("r", "s", "a"), split("s", "a", "b"), leaf("a"), leaf("b"))
    )

    assert records(result.drops) == [("tree_shared_child", "nodes", 0, "children", 1)]
    assert result.layout.root == "s"


def test_a_root_in_a_slot_is_a_cycle():
    """T4: the child stands on the path; on another branch it is shared."""
    table = split("r", "s", "t", "r"), split("s", "a", "r"), split("t", "b", "s")
    result = healed(tree("r", *table, leaf("a"), leaf("b")))

    assert records(result.drops) == [
        ("tree_cycle", "nodes", 0, "children", 2),
        ("tree_cycle", "nodes", 1, "children", 1),
        ("tree_shared_child", "nodes", 2, "children", 1),
    ]


def test_the_first_leaf_in_pre_order_shows_the_instance():
    """T7: not the first of the table."""
    result = healed(
        tree("r", leaf("y", "a"), leaf("x", "a"), leaf("b"), split("r", "x", "y", "b"))
    )

    assert nodes(result) == {"x": "a", "b": "b", "r": ("x", "b")}
    assert records(result.drops) == [("duplicate_instance_id", "nodes", 0)]


def test_fresh_ids_are_declared_in_pre_order_and_only_by_what_is_reached():
    """2.1: an unreached leaf declares nothing, the first one reached does."""
    result = healed(
        tree(
            "r",
            leaf("u", "new", vesselId="door", variant="open"),
            leaf("y", "new", vesselId="door", variant="shut"),
            leaf("x", "new", vesselId="clock"),
            split("r", "x", "y", "a"),
            leaf("a"),
        )
    )

    assert result.new_instances[0].vessel_id == "clock"
    assert records(result.drops) == [
        ("tree_unreachable_node", "nodes", 0),
        ("duplicate_instance_id", "nodes", 1),
    ]
    assert records(result.repairs) == [("variant_defaulted", "nodes", 2)]


def test_a_split_that_was_given_nothing_drops_by_itself():
    """T9: one that lost all it had has no record of its own, nor have those above."""
    result = healed(
        tree(
            "r",
            split("r", "s", "e", "a", "b"),
            split("s", "t"),
            split("t", "g"),
            leaf("g", "ghost"),
            split("e"),
            leaf("a"),
            leaf("b"),
        )
    )

    assert nodes(result) == {"r": ("a", "b"), "a": "a", "b": "b"}
    assert records(result.drops) == [
        ("unknown_instance", "nodes", 3),
        ("tree_missing_child", "nodes", 4),
    ]


def test_nested_collapses_keep_the_outermost_weight():
    """T10: a leaf takes the place and weight of the splits above; its own is lost."""
    result = healed(
        tree(
            "r",
            split("r", "s", "b"),
            split("s", "t", weight=5),
            split("t", "a", weight="bad", direction="?"),
            leaf("a", weight=-1),
            leaf("b"),
        )
    )

    assert result.layout.nodes[1] == Leaf("a", "a", weight=5)
    assert records(result.repairs) == [
        ("split_collapsed", "nodes", 1),
        ("split_collapsed", "nodes", 2),
    ]


def test_a_taken_weight_is_mended_where_the_child_stands():
    """T10, T13: the split's bad weight is now the child's."""
    result = healed(
        tree(
            "r",
            split("r", "s", "b"),
            split("s", "a", weight=0),
            leaf("a"),
            leaf("b", weight=3),
        )
    )

    assert result.layout.nodes[1] == Leaf("a", "a", weight=3)
    assert records(result.repairs) == [
        ("split_collapsed", "nodes", 1),
        ("weight_out_of_range", "nodes", 2),
    ]


def test_a_default_direction_looks_at_the_tree_as_it_comes_out():
    """T11: the collapsed column between is not there any more."""
    result = healed(
        tree(
            "r",
            split("r", "m", "c"),
            split("m", "s", direction="column"),
            split("s", "a", "b", direction=None),
            leaf("a"),
            leaf("b"),
            leaf("c"),
        )
    )

    assert result.layout.nodes[1].direction == "column"
    assert records(result.repairs) == [
        ("split_collapsed", "nodes", 1),
        ("direction_defaulted", "nodes", 2),
    ]


@pytest.mark.parametrize(
    ("columns", "rows", "direction"), [(4, 4, "row"), (3, 4, "column")]
)
def test_a_root_without_direction_follows_the_chart(columns, rows, direction):
    """T11: along the longer side, a row where they are equal."""
    candidate = tree("r", split("r", "a", "b", direction="Row"), leaf("a"), leaf("b"))

    result = healed(candidate, columns=columns, rows=rows)

    assert result.layout.nodes[0].direction == direction


@pytest.mark.parametrize(
    ("weight", "mended", "reason"),
    [
        (None, None, None),
        (2.5, 2.5, None),
        (1e300, 1e300, None),
        ("2", 2, "number_coerced"),
        ("0.25", 0.25, "number_coerced"),
        ("-2", 2.0, "weight_out_of_range"),
        ("1e3", 2.0, "weight_out_of_range"),
        ("\u0662", 2.0, "weight_out_of_range"),
        (0, 2.0, "weight_out_of_range"),
        (True, 2.0, "weight_out_of_range"),
        (2**53, 2.0, "weight_out_of_range"),
        (float("nan"), 2.0, "weight_out_of_range"),
        (float("inf"), 2.0, "weight_out_of_range"),
    ],
)
def test_weights(weight, mended, reason):
    """T12, T13: absent stays absent and counts as 1; bad ones get the siblings' mean."""
    result = healed(
        tree(
            "r",
            split("r", "a", "b", "c"),
            leaf("a", weight=weight),
            leaf("b", weight=3),
            leaf("c"),
        )
    )

    assert result.layout.nodes[1].weight == mended
    assert [repair.reason for repair in result.repairs] == ([reason] if reason else [])


def test_a_mean_past_the_largest_number_is_still_a_weight():
    """T13: the sum overflows, the mean does not."""
    big = 1.5e308
    leaves = leaf("a", weight=big), leaf("b", weight=big), leaf("c", weight=0)

    result = healed(tree("r", split("r", "a", "b", "c"), *leaves))

    assert result.layout.nodes[3].weight == big


def test_the_roots_bad_weight_becomes_one():
    """T13: it has no siblings."""
    result = healed(tree("r", split("r", "a", "b", weight=-1), leaf("a"), leaf("b")))

    assert result.layout.nodes[0].weight == 1
    assert records(result.repairs) == [("weight_out_of_range", "nodes", 0)]


def test_nodes_past_the_limit_go():
    """T14: in the order of the table; the slot of a flat parent is another record."""
    candidate = tree("r", split("r", "a", "b", "c"), leaf("a"), leaf("b"), leaf("c"))

    result = healed(candidate, Limits(tree_nodes=3))

    assert records(result.drops) == [
        ("tree_missing_child", "nodes", 0, "children", 2),
        ("tree_too_large", "nodes", 3),
    ]


def test_leaves_past_the_instance_limit_go():
    """T14: in pre-order."""
    candidate = tree("r", leaf("c"), split("r", "a", "b", "c"), leaf("a"), leaf("b"))

    result = healed(candidate, Limits(instances=2))

    assert records(result.drops) == [("tree_too_large", "nodes", 0)]


def test_made_up_ids_skip_those_in_use():
    """Nested: in pre-order, for table nodes too; borne and named ids are used."""
    inner = {"kind": "leaf", "instanceId": "a"}
    root = {**split(None, inner, "n3", leaf("n0", "b")), "id": ""}

    result = healed(tree(root, leaf("n3", "c"), split("n4", "nowhere")))

    assert result.layout.root == "n1"
    assert nodes(result) == {
        "n1": ("n2", "n3", "n0"),
        "n2": "a",
        "n0": "b",
        "n3": "c",
    }
    assert records(result.drops) == [("tree_unreachable_node", "nodes", 1)]
    assert records(result.repairs) == [("tree_flattened",)]


def test_a_flat_node_without_an_id_is_none():
    """T1: ids are made up in nested trees alone."""
    result = healed(
        tree("r", split("r", "a", "b"), leaf("a"), leaf("b"), leaf("", "c"))
    )

    assert [(d.reason, d.instance_id) for d in result.drops] == [
        ("tree_invalid_node", "c")
    ]


@pytest.mark.parametrize("depth", [2_000])
def test_depth_is_no_matter(depth):
    """No recursion: a chain far deeper than Python's stack gives way to its leaf."""
    node = leaf("a")
    for _ in range(depth):
        node = {"kind": "split", "children": [node]}

    result = healed(tree(node))

    assert nodes(result) == {"a": "a"}
    assert len(result.repairs) == depth + 1


def test_past_the_limits_a_deep_tree_goes_as_one():
    """T14: what is nested deeper than any answer may be goes with its holder."""
    node = leaf("a")
    for _ in range(50_000):
        node = {"kind": "split", "children": [node]}

    result = healed(tree(node))

    assert [drop.reason for drop in result.drops] == ["tree_too_large"]
    assert result.severity == "unrecoverable"
