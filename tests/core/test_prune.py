"""Layouts without some of their instances."""

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.adapters.testing.strategies import requests
from maelstrom.core.layout import (
    Cell,
    GridLayout,
    Leaf,
    Position,
    Split,
    TilingLayout,
)
from maelstrom.core.prune import bare, placed, prune
from maelstrom.core.vessel import Size
from maelstrom.core.wire import decode_request, encode_request

TREE = TilingLayout(
    "r",
    (
        Split("r", "row", ("s", "c"), weight=9),
        Split("s", "column", ("a", "b"), weight=3),
        Leaf("a", "one", weight=7),
        Leaf("b", "two"),
        Leaf("c", "three", weight=2),
    ),
)


def test_nobody_goes_is_the_same_layout():
    """A layout whose instances all stay comes back as it is."""
    assert prune(TREE, ("one", "two", "three")) is TREE


def test_grid_loses_the_positions_alone():
    """A grid without an instance has the other positions, untouched, in order."""
    one, two = (
        Position(name, Cell(0, column), Size(1, 1))
        for column, name in enumerate(("one", "two"))
    )

    assert prune(GridLayout((one, two)), ("two",)) == GridLayout((two,))


def test_split_left_with_one_child_gives_it_its_place_and_weight():
    """T10: the child takes the collapsed split's place and its weight."""
    assert prune(TREE, ("one", "three")) == TilingLayout(
        "r",
        (
            Split("r", "row", ("a", "c"), weight=9),
            Leaf("a", "one", weight=3),
            Leaf("c", "three", weight=2),
        ),
    )


def test_nested_collapses_keep_the_outermost_weight():
    """Where splits collapse within each other, the outermost one's weight stays."""
    assert prune(TREE, ("two",)) == TilingLayout("b", (Leaf("b", "two", weight=9),))


def test_split_without_children_goes_upward():
    """T9: a tree without leaves is the empty layout."""
    assert prune(TREE, ()) == TilingLayout()


def test_bare_takes_the_declarations_off():
    """The layout of a state says nothing of who its instances are."""
    declared = Leaf("a", "one", vessel_id="notes", variant="list")
    split = Split("r", "row", ("a", "b"))
    tree = TilingLayout("r", (split, declared, Leaf("b", "two")))
    piece = Position("one", Cell(0, 0), Size(1, 1), vessel_id="notes", variant="list")

    assert bare(tree) == TilingLayout("r", (split, Leaf("a", "one"), Leaf("b", "two")))
    assert bare(GridLayout((piece,))).positions[0].variant is None


def test_a_ring_ends():
    """No tree that a response may hold is endless; one that is, is walked once."""
    ring = TilingLayout(
        "r",
        (Split("r", "row", ("r", "a", "ghost")), Leaf("a", "one"), Leaf("b", "two")),
    )

    assert placed(prune(ring, ("one",))) == ("one",)


@given(st.data())
def test_pruned_layouts_show_who_stays_and_stay_valid(data):
    """What is left shows exactly those kept, in their order, and decodes."""
    request = data.draw(requests())
    shown = placed(request.layout)
    keep = data.draw(st.sets(st.sampled_from(shown)) if shown else st.just(set()))

    pruned = prune(request.layout, keep)

    assert placed(pruned) == tuple(one for one in shown if one in keep)
    left = evolve(request, layout=pruned)
    assert decode_request(encode_request(left)).unwrap() == left
