"""Occupancy and the nearest place, against cells counted one by one."""

from hypothesis import given
from hypothesis import strategies as st

from maelstrom.core.layout import Cell
from maelstrom.core.place import Occupancy
from maelstrom.core.request import Dimensions
from maelstrom.core.vessel import Size
from tests.core.oracle_grid import best_place, cells, nearest


@st.composite
def charts(draw, longest=12):
    """A chart's dimensions and the pieces taken on it, which may overlap."""
    columns, rows = draw(st.integers(1, longest)), draw(st.integers(1, longest))
    pieces = []
    for _ in range(draw(st.integers(0, 8))):
        row, column = draw(st.integers(0, rows - 1)), draw(st.integers(0, columns - 1))
        width = draw(st.integers(1, columns - column))
        height = draw(st.integers(1, rows - row))
        pieces.append((row, column, width, height))
    return Dimensions(columns, rows), pieces


def occupied(chart, pieces):
    """The chart with these pieces on it, and their cells."""
    occupancy = Occupancy(chart)
    taken = set()
    for piece in pieces:
        occupancy.take(*piece)
        taken |= cells(*piece)
    return occupancy, taken


@given(charts(), st.data())
def test_takes_cells_only_if_all_are_free(chart_and_pieces, data):
    """Either all the cells are taken or none, and the answer says which."""
    chart, pieces = chart_and_pieces
    occupancy = Occupancy(chart)
    taken = set()
    for piece in pieces:
        free = not cells(*piece) & taken
        assert occupancy.take_free(*piece) == free
        taken |= cells(*piece) if free else set()
    row = data.draw(st.integers(0, chart.rows - 1))
    column = data.draw(st.integers(0, chart.columns - 1))
    assert occupancy.take_free(row, column, 1, 1) == ((row, column) not in taken)


@given(charts(longest=40), st.data())
def test_the_nearest_of_all_places_is_taken(chart_and_pieces, data):
    """By distance, then row, then column, over every place of that size."""
    chart, pieces = chart_and_pieces
    occupancy, taken = occupied(chart, pieces)
    room = occupancy.room()
    for _ in range(3):  # one search's failure must not mislead the next
        size = Size(data.draw(st.integers(1, 13)), data.draw(st.integers(1, 13)))
        wish = Cell(
            data.draw(st.integers(0, chart.rows - 1)),
            data.draw(st.integers(0, chart.columns - 1)),
        )
        expected = nearest(
            chart, taken, size.width, size.height, (wish.row, wish.column)
        )
        found = room.place(size, size, wish)
        if expected is None:
            assert found is None
        else:
            assert found == (Cell(*expected), size)
            taken |= cells(*expected, size.width, size.height)


@st.composite
def high_charts(draw):
    """A high, narrow chart, and pieces that are as wide as it is."""
    chart = Dimensions(draw(st.integers(1, 3)), draw(st.integers(150, 600)))
    pieces = []
    for _ in range(draw(st.integers(0, 6))):
        row = draw(st.integers(0, chart.rows - 1))
        pieces.append((row, 0, chart.columns, draw(st.integers(1, chart.rows - row))))
    return chart, pieces


@given(high_charts(), st.data())
def test_the_nearest_is_taken_however_far_it_is(chart_and_pieces, data):
    """On a chart that is searched in bands too, wherever the searches before went."""
    chart, pieces = chart_and_pieces
    occupancy, taken = occupied(chart, pieces)
    room = occupancy.room()
    for _ in range(5):
        size = Size(data.draw(st.integers(1, 3)), data.draw(st.integers(1, 13)))
        row = data.draw(st.integers(0, chart.rows - 1))
        column = data.draw(st.integers(0, chart.columns - 1))
        expected = nearest(chart, taken, size.width, size.height, (row, column))
        found = room.place(size, size, Cell(row, column))
        assert found == (None if expected is None else (Cell(*expected), size))
        if expected is not None:
            taken |= cells(*expected, size.width, size.height)


def test_a_place_further_down_may_be_nearer_than_one_far_aside():
    """What is found in the rows near the wish does not end the search."""
    occupancy = Occupancy(Dimensions(columns=100, rows=300))
    occupancy.take(0, 0, 90, 20)
    room = occupancy.room()
    assert room.place(Size(1, 1), Size(1, 1), Cell(0, 0)) == (Cell(20, 0), Size(1, 1))


@given(charts(), st.data())
def test_pieces_alike_find_what_is_nearest_each_time(chart_and_pieces, data):
    """Until there is no place left, and with pieces of other sizes between them."""
    chart, pieces = chart_and_pieces
    occupancy, taken = occupied(chart, pieces)
    room = occupancy.room()
    size = Size(data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4)))
    row = data.draw(st.integers(0, chart.rows - 1))
    column = data.draw(st.integers(0, chart.columns - 1))
    others = data.draw(st.lists(st.integers(1, 5), max_size=20))
    expected = 0, 0
    while expected is not None:
        if others:
            width = others.pop()
            between = nearest(chart, taken, width, 1, (0, 0))
            room.place(Size(width, 1), Size(width, 1), Cell(0, 0))
            taken |= set() if between is None else cells(*between, width, 1)
        expected = nearest(chart, taken, size.width, size.height, (row, column))
        found = room.place(size, size, Cell(row, column))
        assert found == (None if expected is None else (Cell(*expected), size))
        if expected is not None:
            taken |= cells(*expected, size.width, size.height)


@given(st.lists(st.integers(1, 6), min_size=30, max_size=60))
def test_more_sizes_than_are_followed_find_what_is_nearest(widths):
    """Whatever was forgotten of earlier searches, the answers are the same."""
    chart, taken = Dimensions(20, 12), set()
    room = Occupancy(chart).room()
    for turn, width in enumerate(widths):
        size, wish = Size(width, 1 + turn % 2), (turn % 12, 0)
        expected = nearest(chart, taken, size.width, size.height, wish)
        found = room.place(size, size, Cell(*wish))
        assert found == (None if expected is None else (Cell(*expected), size))
        if expected is not None:
            taken |= cells(*expected, size.width, size.height)


@given(charts(longest=8), st.data())
def test_largest_is_the_largest_of_all(chart_and_pieces, data):
    """The same size first, then by area and width, while the chart fills up."""
    chart, pieces = chart_and_pieces
    occupancy, taken = occupied(chart, pieces)
    room = occupancy.room()
    for _ in range(6):
        least = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
        most = (
            least[0] + data.draw(st.integers(0, 6)),
            least[1] + data.draw(st.integers(0, 6)),
        )
        row = data.draw(st.integers(0, max(0, chart.rows - most[1])))
        column = data.draw(st.integers(0, max(0, chart.columns - most[0])))
        expected = best_place(chart, taken, least, most, (row, column))
        found = room.place(Size(*least), Size(*most), Cell(row, column))
        if expected is None:
            assert found is None
            continue
        assert found is not None
        cell, size = found
        assert (cell.row, cell.column, size.width, size.height) == expected
        taken |= cells(*expected)


def test_sizes_beyond_any_chart_cost_nothing():
    """No mask is built for a size that is larger than the chart."""
    room = Occupancy(Dimensions(1_000, 1_000)).room()
    huge = 2**53 - 1
    assert room.place(Size(huge, 1), Size(huge, 1), Cell(0, 0)) is None
    assert room.place(Size(1, huge), Size(1, huge), Cell(0, 0)) is None
    assert room.place(Size(1, 1), Size(huge, huge), Cell(0, 0)) == (
        Cell(0, 0),
        Size(1_000, 1_000),
    )
