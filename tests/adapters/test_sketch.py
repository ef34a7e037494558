"""A raw layout as it can be drawn: lenient, bounded, and never at a loss."""

from hypothesis import given
from hypothesis import strategies as st

from maelstrom.adapters.draw import boxes
from maelstrom.adapters.sketch import sketch
from maelstrom.adapters.testing.strategies import faulty_candidates, requests
from maelstrom.core.heal import mend
from maelstrom.core.layout import GridLayout, Leaf, TilingLayout
from maelstrom.core.prune import placed
from maelstrom.core.request import Dimensions

CHART = Dimensions(6, 4)
KEYS = (
    *("type", "positions", "nodes", "root", "id", "instanceId", "children", "kind"),
    *("position", "size", "row", "column", "width", "height", "weight"),
)
_ids = st.sampled_from(("a", "b", "c"))
_odd = st.none() | st.integers() | st.floats() | st.text(max_size=3) | st.booleans()
_json = st.recursive(
    _odd | _ids,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)
_layouts = st.fixed_dictionaries(
    {"type": st.sampled_from(("grid", "tiling"))},
    optional={"positions": _json, "nodes": _json, "root": _json},
)


@given(_json | _layouts)
def test_any_json_can_be_sketched_and_drawn(raw):
    """Whatever a model wrote, there is a picture, and it is no larger than a little."""
    for box in boxes(sketch(raw, CHART), CHART, 36, 8):
        assert box.width <= 36 * 2
        assert box.height <= 8 * 2


@given(st.data())
def test_what_a_model_proposed_is_in_the_sketch(data):
    """Each instance that healing shows was proposed, so the sketch shows it too."""
    request = data.draw(requests())
    candidate = data.draw(faulty_candidates(request)).candidate
    healed = mend(request, candidate)
    drawn = sketch(candidate.layout, request.context.chart_dimensions)
    pieces = drawn.positions if isinstance(drawn, GridLayout) else drawn.nodes

    assert set(placed(healed.layout)) <= {
        piece.instance_id for piece in pieces if hasattr(piece, "instance_id")
    }


def test_a_piece_far_outside_is_just_outside():
    """A million cells away looks like one cell away, and costs as little."""
    piece = {"instanceId": "a", "row": 10**9, "column": -7, "width": "9e9", "height": 0}

    (drawn,) = sketch({"type": "grid", "positions": [piece]}, CHART).positions

    assert (drawn.position.row, drawn.position.column) == (5, -1)
    assert (drawn.size.width, drawn.size.height) == (7, 1)


def test_a_tree_is_drawn_from_its_root_each_node_once():
    """Cycles, missing and shared children, a missing root: none of them hangs it."""
    nodes = [
        {"id": "s", "kind": "split", "children": ["l", "s", "l", "gone", 5]},
        {"id": "l", "kind": "leaf", "instanceId": "a", "weight": -1},
        {"id": "apart", "kind": "leaf", "instanceId": "b"},
    ]

    drawn = sketch({"type": "tiling", "root": "s", "nodes": nodes}, CHART)
    assert isinstance(drawn, TilingLayout)
    assert drawn.nodes[0].children == ("l",)
    assert drawn.nodes[1] == Leaf("l", "a")
    nested = {"kind": "split", "direction": "column", "children": [nodes[1], nodes[2]]}
    drawn = sketch({"type": "tiling", "root": nested, "nodes": []}, CHART)
    assert [node.instance_id for node in drawn.nodes[1:]] == ["a", "b"]
    assert sketch({"type": "tiling", "nodes": nodes[1:2]}, CHART).root == "l"
