"""Answers that need no healing: the short way is taken, and ends where the long one does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.adapters.testing.strategies import candidates, faulty_candidates
from maelstrom.adapters.testing.strategies import requests as any_requests
from maelstrom.core.catalogue import Catalogue
from maelstrom.core.heal_grid import heal_grid, read_positions
from maelstrom.core.heal_tiling import heal_tiling
from maelstrom.core.identity import identify
from maelstrom.core.layout import Leaf, Split, TilingLayout
from maelstrom.core.limits import Limits
from maelstrom.core.plain_grid import read_plain_grid, stand_plain_grid
from maelstrom.core.plain_tree import read_plain_tree
from maelstrom.core.request import Instance
from maelstrom.core.tree import read_tree
from tests.core import grid_strategies
from tests.core.heal_app import request as app_request

LIMITS = Limits(instances=7)


def known_of(request):
    """The instances of a request by id."""
    return {one.instance_id: one for one in request.instances}


def is_tiling(request):
    """Whether the request is for a tree."""
    return request.context.layout_mode == "tiling"


@pytest.mark.law
@given(st.data())
def test_a_plain_grid_is_what_healing_leaves_alone(data):
    """Pieces that stand plainly come out of healing equal, with no record."""
    request = data.draw(grid_strategies.requests())
    layout = data.draw(grid_strategies.layouts)
    policy = data.draw(grid_strategies.policies)
    catalogue = Catalogue(request.vessels)
    plain = read_plain_grid(layout, known_of(request), catalogue, LIMITS)
    reading = read_positions(layout, LIMITS)
    who = identify(request.instances, reading.pieces, catalogue)
    if plain is None:
        return
    assert (plain.who.fresh, plain.who.failed) == (who.fresh, who.failed)
    after = data.draw(grid_strategies.variants_after(request, who.verdicts))
    variants = {name: variant.id for name, variant in after.items()}
    stood = stand_plain_grid(
        plain,
        variants,
        catalogue,
        request.context.chart_dimensions,
        policy.overlap == "keep",
    )
    healed = heal_grid(reading, who.verdicts, after, request, policy)
    untouched = not (healed.drops or healed.repairs or healed.warnings)
    assert (stood is not None) == untouched
    assert stood is None or stood == healed.positions


@pytest.mark.law
@given(st.data())
def test_a_plain_tree_is_what_healing_leaves_alone(data):
    """A tree that is read plainly comes out of healing equal, with no record."""
    request = data.draw(any_requests().filter(is_tiling))
    valid = candidates(request)
    faulty = faulty_candidates(request).map(lambda one: one.candidate)
    layout = data.draw(valid | faulty).layout
    catalogue, limits = Catalogue(request.vessels), Limits()
    plain = read_plain_tree(layout, known_of(request), catalogue, limits)
    if plain is None:
        return
    tree = read_tree(layout, limits)
    who = identify(request.instances, tree.claims, catalogue)
    healed = heal_tiling(tree, who.verdicts, {}, request.context.chart_dimensions)
    assert plain.layout == healed.layout
    assert (healed.drops, healed.repairs) == ((), ())
    assert (plain.who.fresh, plain.who.failed) == (who.fresh, who.failed)


def piece(**fields):
    """A position of clock a in the corner, but for these fields."""
    return {
        "instanceId": "a",
        "position": {"row": 0, "column": 0},
        "size": {"width": 2, "height": 1},
    } | fields


def read_grid(*pieces, limits=LIMITS):
    """These positions, read for the app of the examples."""
    request = app_request("grid")
    layout = {"type": "grid", "positions": list(pieces)}
    catalogue = Catalogue(request.vessels)
    return read_plain_grid(layout, known_of(request), catalogue, limits)


FRESH = piece(instanceId="new", vesselId="door", variant="open")


def test_known_and_declared_pieces_are_plain():
    """A piece may repeat who it is, and a fresh one says it in full."""
    plain = read_grid(piece(vesselId="clock", variant=None), FRESH)

    assert [one[0] for one in plain.pieces] == [
        Instance("a", "clock", "face"),
        Instance("new", "door", "open"),
    ]
    assert list(plain.who.fresh) == ["new"]


@pytest.mark.parametrize(
    "pieces",
    [
        (3,),
        (piece(instanceId=3),),
        (piece(size=None),),
        (piece(vesselId="door"),),
        (piece(variant="open"),),
        (piece(), piece()),
        (FRESH | {"variant": None},),
        (FRESH | {"variant": "ajar"},),
        (FRESH | {"vesselId": "window"},),
        (FRESH | {"instanceId": " "},),
    ],
)
def test_other_pieces_are_not_plain(pieces):
    """Whatever needs judging makes the whole layout one for healing."""
    assert read_grid(*pieces) is None


def test_a_grid_past_the_limit_is_not_plain():
    """Pieces past the limit would be dropped, each with its record."""
    assert read_grid(piece(), FRESH, limits=Limits(instances=1)) is None


@pytest.mark.parametrize(
    ("given_piece", "stands"),
    [
        (piece(), True),
        (piece(position={"row": 3, "column": 2}), True),
        (piece(position={"row": 4, "column": 0}), False),
        (piece(position={"row": 0, "column": 3}), False),
        (piece(position={"row": -1, "column": 0}), False),
        (piece(position={"row": 0, "column": -1}), False),
        (piece(position={"row": True, "column": 0}), False),
        (piece(size={"width": 0, "height": 1}), False),
        (piece(size={"width": 1}), False),
        (FRESH, False),
        (FRESH | {"size": {"width": 2, "height": 2}}, True),
    ],
)
def test_plain_pieces_stand_where_they_fit(given_piece, stands):
    """Integers, inside the chart, and no smaller than the variant's minimum."""
    request = app_request("grid")
    plain, catalogue = read_grid(given_piece), Catalogue(request.vessels)
    chart = request.context.chart_dimensions

    stood = stand_plain_grid(plain, {}, catalogue, chart, overlaps=False)

    assert (stood is not None) == stands


def test_plain_pieces_overlap_only_where_they_may():
    """Two pieces on one cell stand under ``keep`` alone."""
    request = app_request("grid")
    plain = read_grid(piece(), piece(instanceId="b"))
    rest = ({}, Catalogue(request.vessels), request.context.chart_dimensions)

    assert stand_plain_grid(plain, *rest, overlaps=False) is None
    assert len(stand_plain_grid(plain, *rest, overlaps=True)) == 2


def leaf(name, **fields):
    """A leaf of that name which shows the clock of that name."""
    return {"id": name, "kind": "leaf", "instanceId": name} | fields


def split(*children, **fields):
    """A split with the id ``s``."""
    return {
        "id": "s",
        "kind": "split",
        "direction": "row",
        "children": list(children),
    } | fields


def read_nodes(*nodes, root="s", limits=LIMITS):
    """These nodes, read for the app of the examples."""
    request = app_request("tiling")
    layout = {"type": "tiling", "root": root, "nodes": list(nodes)}
    return read_plain_tree(
        layout, known_of(request), Catalogue(request.vessels), limits
    )


def test_a_plain_tree_is_read_as_it_stands():
    """Nodes keep the table's order, and their weights."""
    declared = leaf("new", vesselId="door", variant="open")
    plain = read_nodes(leaf("a", weight=2), split("new", "a"), declared)

    assert plain.layout == TilingLayout(
        "s",
        (
            Leaf("a", "a", weight=2),
            Split("s", "row", ("new", "a")),
            Leaf("new", "new", vessel_id="door", variant="open"),
        ),
    )
    assert list(plain.who.fresh) == ["new"]


A, B, C = leaf("a"), leaf("b"), leaf("c")


@pytest.mark.parametrize(
    "nodes",
    [
        (),
        (3,),
        (split("a", "b"), A, B | {"id": ""}),
        (split("a", "b"), A, B | {"id": "a"}),
        (split("a", "b"), A, B | {"instanceId": "a"}),
        (split("a", "b"), A, B | {"instanceId": "nobody"}),
        (split("a", "b"), A, B | {"kind": "box"}),
        (split("a", "b"), A, B | {"children": []}),
        (split("a", "b"), A, B | {"weight": "2"}),
        (split("a", "b"), A, B | {"weight": 0}),
        (split("a", "b", direction="up"), A, B),
        (split("a", "b", children="ab"), A, B),
        (split("a"), A),
        (split("a", B), A),
        (split("a", "b"), A, B, C),
        (split("a", "d"), A, B),
        (split("a", "a"), A, B),
        (split("a", "b"), A, B, split("t", "c", id="t"), C),
        (split("a", "b"), A, B, split("t", "c", id="t"), leaf("c", id="c")),
    ],
)
def test_other_trees_are_not_plain(nodes):
    """Whatever needs judging makes the whole tree one for healing."""
    assert read_nodes(*nodes) is None


def test_a_cycle_apart_is_not_plain():
    """Every node has one parent, and still the root does not reach them all."""
    apart = split("t", "c", id="t")

    assert read_nodes(split("a", "b"), A, B, apart, C) is None


@pytest.mark.parametrize("root", [None, "", "x", 3, split("a", "b")])
def test_a_tree_without_its_root_is_not_plain(root):
    """The root has to be named, and in the table."""
    assert read_nodes(split("a", "b"), A, B, root=root) is None


@pytest.mark.parametrize("limits", [Limits(tree_nodes=2), Limits(instances=1)])
def test_a_tree_past_a_limit_is_not_plain(limits):
    """Nodes past a limit would be dropped, each with its record."""
    assert read_nodes(split("a", "b"), A, B, limits=limits) is None


@pytest.mark.parametrize("layout", [None, [], {"positions": ()}])
def test_what_is_no_list_in_an_object_is_not_plain(layout):
    """Healing alone knows what to make of a layout of another form."""
    request = app_request("grid")
    known, catalogue = known_of(request), Catalogue(request.vessels)

    assert read_plain_grid(layout, known, catalogue, LIMITS) is None
    assert read_plain_tree(layout, known, catalogue, LIMITS) is None
