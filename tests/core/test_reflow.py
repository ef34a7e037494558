"""Reflow: against the oracle, the golden vectors, and by example."""

import json
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.core.layout import GridLayout, Leaf, Split, TilingLayout
from maelstrom.core.limits import Limits
from maelstrom.core.policy import HealPolicy
from maelstrom.core.reflow import reflow
from maelstrom.core.request import (
    ChartRequest,
    ChartResize,
    Context,
    Dimensions,
    Instance,
)
from maelstrom.core.vessel import Variant, Vessel
from tests.core import grid_strategies, oracle_grid
from tests.core.read_request import read_layout, read_request

GOLDEN = [
    case
    for case in json.loads(
        (Path(__file__).parents[1] / "golden" / "retry.json").read_text("utf-8")
    )
    if case["kind"] == "reflow"
]


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["name"])
def test_golden(case):
    """The conformance vectors of reflow hold."""
    assert reflow(read_request(case["request"])) == read_layout(case["expect"])


def plain(layout):
    """A grid layout in the oracle's terms."""
    return [
        (
            one.instance_id,
            one.position.row,
            one.position.column,
            one.size.width,
            one.size.height,
        )
        for one in layout.positions
    ]


@pytest.mark.law
@given(grid_strategies.requests(), grid_strategies.policies)
def test_equals_the_oracle(request, policy):
    """Whatever stood where, the fast way and the naive one agree."""
    expected = oracle_grid.reflow(request, policy, Limits())
    assert plain(reflow(request, policy)) == expected


@given(grid_strategies.requests(), grid_strategies.policies)
def test_what_fits_comes_back_equal(request, policy):
    """Once reflowed, and with nothing to scale by, the same layout comes back."""
    once = reflow(request, policy)
    reasons = (ChartResize(),)
    context = evolve(request.context, update_reasons=reasons)
    shown = {position.instance_id for position in once.positions}
    instances = tuple(one for one in request.instances if one.instance_id in shown)
    again = evolve(request, context=context, instances=instances, layout=once)
    assert reflow(again, policy) == once


NOTES = Vessel("notes", "Notes", (Variant("list", "All notes"),))


def tiling_request(count, columns=4, rows=4, layout=None):
    """A request in tiling mode with this many instances, all parked by default."""
    return ChartRequest(
        Context((ChartResize(),), Dimensions(columns, rows), "tiling"),
        tuple(Instance(f"notes-{n}", "notes", "list") for n in range(count)),
        (NOTES,),
        layout or TilingLayout(),
    )


def test_a_tree_is_left_as_it_is():
    """Cells mean nothing to a tree, and parked instances stay parked."""
    tree = TilingLayout("r", (Leaf("r", "notes-0"),))
    assert reflow(tiling_request(2, layout=tree)) == tree


@pytest.mark.parametrize(("columns", "direction"), [(4, "row"), (3, "column")])
def test_parked_instances_make_a_tree_where_there_is_none(columns, direction):
    """One split, its direction by the longer side, its leaves in request order."""
    assert reflow(tiling_request(2, columns)) == TilingLayout(
        "n0",
        (
            Split("n0", direction, ("n1", "n2")),
            Leaf("n1", "notes-0"),
            Leaf("n2", "notes-1"),
        ),
    )


def test_one_alone_is_the_root():
    """A split of one would be none."""
    tree = TilingLayout("n0", (Leaf("n0", "notes-0"),))
    assert reflow(tiling_request(1)) == tree


def test_no_instance_no_tree():
    """Nothing to show, nothing shown."""
    assert reflow(tiling_request(0)) == TilingLayout()


@pytest.mark.parametrize(("nodes", "kept"), [(1, 1), (2, 1), (3, 3), (4, 4)])
def test_a_tree_of_parked_instances_keeps_the_limit(nodes, kept):
    """What comes out is a layout that the same limits take."""
    made = reflow(tiling_request(9), limits=Limits(tree_nodes=nodes))
    assert len(made.nodes) == kept


@given(st.integers(1, 1_000), st.integers(1, 1_000))
def test_scaling_loses_no_piece_however_far_out_it_stands(before, columns):
    """Coordinates at the end of the wire's range scale and move in."""
    request = read_request(GOLDEN[0]["request"])
    far = 2**53 - 1
    piece = request.layout.positions[0]
    piece = evolve(
        piece,
        position=evolve(piece.position, row=far, column=far),
        size=evolve(piece.size, width=far, height=far),
    )
    context = Context(
        (ChartResize(Dimensions(before, before)),),
        Dimensions(max(columns, 4), 4),
        "grid",
    )
    layout = reflow(evolve(request, context=context, layout=GridLayout((piece,))))
    first = layout.positions[0]
    assert first.instance_id == piece.instance_id
    assert (first.size.width, first.size.height) == (max(columns, 4), 4)


def test_policy_counts_for_overlaps_alone():
    """An overlap stays where the policy keeps overlaps, and is parted elsewhere."""
    request = read_request(GOLDEN[0]["request"])
    piece = request.layout.positions[0]
    other = evolve(piece, instance_id=request.instances[1].instance_id)
    both = evolve(request, layout=GridLayout((piece, other)))
    assert reflow(both, HealPolicy(overlap="keep")) == both.layout
    assert reflow(both, HealPolicy(overlap="drop")) == reflow(both)
    assert reflow(both) != both.layout
