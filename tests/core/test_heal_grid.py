"""Grid healing: against a naive oracle, then by example."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.core.catalogue import Catalogue
from maelstrom.core.grid_reading import integers
from maelstrom.core.heal_grid import gently, heal_grid, read_positions
from maelstrom.core.healed import Drop
from maelstrom.core.identity import identify
from maelstrom.core.layout import GridLayout
from maelstrom.core.limits import Limits
from maelstrom.core.policy import HealPolicy
from maelstrom.core.request import (
    ChartRequest,
    ChartResize,
    Context,
    Dimensions,
    Instance,
    UserIntent,
)
from maelstrom.core.vessel import Size, Variant, Vessel
from tests.core import grid_strategies, oracle_grid
from tests.core.oracle_grid import cells

LIMITS = Limits(instances=7)
HUGE = 2**53 - 1


def identified(request, reading):
    """Who the pieces of a reading are."""
    catalogue = Catalogue(request.vessels)
    return identify(request.instances, reading.pieces, catalogue).verdicts


def plain(outcome):
    """An outcome in the oracle's terms."""
    return oracle_grid.Expected(
        [
            (
                one.instance_id,
                one.vessel_id,
                one.variant,
                one.position.row,
                one.position.column,
                one.size.width,
                one.size.height,
            )
            for one in outcome.positions
        ],
        [(drop.path[2], drop.reason, drop.instance_id) for drop in outcome.drops],
        [(one.path[2], one.reason, one.lossless) for one in outcome.repairs],
        [warning.path[2] for warning in outcome.warnings],
    )


@pytest.mark.law
@given(st.data())
def test_equals_the_oracle(data):
    """Whatever the pieces and the policy, the fast way and the naive one agree."""
    request = data.draw(grid_strategies.requests())
    layout = data.draw(grid_strategies.layouts)
    policy = data.draw(grid_strategies.policies)
    reading = read_positions(layout, LIMITS)
    who = identified(request, reading)
    after = data.draw(grid_strategies.variants_after(request, who))
    outcome = heal_grid(reading, who, after, request, policy)
    assert plain(outcome) == oracle_grid.heal(layout, request, after, policy, LIMITS)


@pytest.mark.law
@given(st.data())
def test_what_was_mended_is_left_alone(data):
    """Mending a second time, after the plan, changes and records nothing."""
    request = data.draw(grid_strategies.requests())
    layout = data.draw(grid_strategies.layouts)
    policy = data.draw(grid_strategies.policies)
    reading = read_positions(layout, LIMITS)
    who = identified(request, reading)
    after = data.draw(grid_strategies.variants_after(request, who))
    once = heal_grid(reading, who, after, request, policy)
    again = read_positions({"positions": [raw(one) for one in once.positions]}, LIMITS)
    twice = heal_grid(again, identified(request, again), after, request, policy)
    assert twice.positions == once.positions
    assert (twice.drops, twice.repairs, twice.warnings) == ((), (), ())


def raw(position):
    """A position as a model would write it."""
    value = {
        "instanceId": position.instance_id,
        "position": {"row": position.position.row, "column": position.position.column},
        "size": {"width": position.size.width, "height": position.size.height},
    }
    if position.vessel_id is not None:
        value |= {"vesselId": position.vessel_id, "variant": position.variant}
    return value


@pytest.mark.law
@given(st.data())
def test_what_comes_out_stands(data):
    """Each id once, inside the chart, at its minimum or more, on cells of its own."""
    request = data.draw(grid_strategies.requests())
    policy = data.draw(grid_strategies.policies)
    reading = read_positions(data.draw(grid_strategies.layouts), LIMITS)
    who = identified(request, reading)
    after = data.draw(grid_strategies.variants_after(request, who))
    outcome = heal_grid(reading, who, after, request, policy)
    moved = {
        repair.instance_id
        for repair in outcome.repairs
        if repair.reason in {"position_relocated", "size_grown", "size_reduced"}
    }
    chart = request.context.chart_dimensions
    taken = [
        cells(place[3], place[4], place[5], place[6])
        for place in plain(outcome).positions
    ]
    for one, own in zip(outcome.positions, taken, strict=True):
        least = after[one.instance_id].min_size
        assert one.size.width >= least.width
        assert one.size.height >= least.height
        assert all(
            0 <= row < chart.rows and 0 <= column < chart.columns for row, column in own
        )
        overlaps = sum(bool(own & other) for other in taken) > 1
        assert not overlaps or (
            policy.overlap == "keep" and one.instance_id not in moved
        )
    ids = [one.instance_id for one in outcome.positions]
    assert len(set(ids)) == len(ids)
    count = len(reading.pieces) + len(reading.drops)
    assert len(outcome.positions) + len(outcome.drops) == count


BOX = Vessel(
    "box",
    "A box",
    (Variant("any", "Any size"), Variant("big", "Big", min_size=Size(3, 2))),
)


ASKED = (UserIntent("tidy"),)


def request_of(columns, rows, reasons=ASKED, **instances):
    """A request on an empty chart; instances by id, each with its variant."""
    return ChartRequest(
        Context(reasons, Dimensions(columns, rows), "grid"),
        tuple(Instance(name, "box", variant) for name, variant in instances.items()),
        (BOX,),
        GridLayout(),
    )


def piece(name, row, column, width, height, **more):
    """One raw position."""
    return {
        "instanceId": name,
        "position": {"row": row, "column": column},
        "size": {"width": width, "height": height},
        **more,
    }


def mend(request, positions, policy=None, limits=None):
    """Heal raw positions with every instance in its own variant."""
    reading = read_positions({"positions": positions}, limits or Limits())
    who = identified(request, reading)
    variants = {variant.id: variant for variant in BOX.variants}
    after = {
        one.instance_id: variants[one.variant]
        for one in who
        if not isinstance(one, str)
    }
    outcome = heal_grid(reading, who, after, request, policy or HealPolicy.reference())
    return plain(outcome)


def places(expected):
    """Where each surviving instance stands."""
    return {one[0]: one[3:] for one in expected.positions}


def test_a_later_copy_commits_where_the_first_loses():
    """A loser reserves neither cells nor its id."""
    request = request_of(4, 4, a="any", b="any")
    positions = [
        piece("b", 0, 0, 2, 2),
        piece("a", 1, 1, 2, 2),
        piece("a", 2, 2, 1, 1),
    ]
    got = mend(request, positions)
    assert places(got) == {"b": (0, 0, 2, 2), "a": (2, 2, 1, 1)}
    assert got.drops == [(1, "duplicate_instance_id", "a")]


def test_a_grown_piece_that_is_too_long_is_both_grown_and_reduced():
    """Grown to its minimum in one direction, cut to the chart in the other."""
    request = request_of(5, 4, a="big")
    got = mend(request, [piece("a", 0, 0, 1, 9)], HealPolicy(undersize="grow"))
    assert places(got) == {"a": (0, 0, 3, 4)}
    assert got.repairs == [(0, "size_grown", False), (0, "size_reduced", False)]


def test_both_too_small_and_outside_is_too_small():
    """G3 comes before G4, whatever the policy says of overflow."""
    request = request_of(5, 4, a="big")
    got = mend(request, [piece("a", 9, 9, 1, 1)], HealPolicy(overflow="relocate"))
    assert got.drops == [(0, "size_below_minimum", "a")]


def test_a_size_beyond_the_chart_is_never_cut_under_the_minimum():
    """What needs more than the whole chart drops, with a warning that says so."""
    request = request_of(2, 2, a="big")
    got = mend(request, [piece("a", 0, 0, HUGE, HUGE)], HealPolicy.gentle())
    assert got.drops == [(0, "position_overflow", "a")]
    assert got.warnings == [0]


def test_an_instance_stands_once_and_numbers_are_numbers():
    """The first copy stays; what is no integer drops before its size is looked at."""
    request = request_of(3, 1, a="any", b="any", c="big")
    positions = [
        piece("a", 0, 0, 1, 1),
        piece("a", 0, 1, 1, 1),
        piece("b", 0.5, 2, 1, 1),
        piece("c", 0, None, 1, 1),
    ]
    got = mend(request, positions)
    assert places(got) == {"a": (0, 0, 1, 1)}
    assert got.drops == [
        (1, "duplicate_instance_id", "a"),
        (2, "geometry_not_integer", "b"),
        (3, "geometry_not_integer", "c"),
    ]
    assert got.warnings == [3]


def test_repairs_of_one_piece_come_in_the_order_of_the_table():
    """Lossless ones first, as they are listed."""
    request = request_of(4, 4, a="big")
    flat = {"instanceId": "a", "variant": "any"}
    flat |= {"row": 9, "column": "1", "width": 1, "height": 9.0}
    got = mend(request, [flat], HealPolicy.gentle())
    assert places(got) == {"a": (0, 1, 3, 4)}
    assert [reason for _, reason, _ in got.repairs] == [
        "geometry_flattened",
        "variant_ignored",
        "number_coerced",
        "size_grown",
        "position_relocated",
        "size_reduced",
    ]


def test_a_flat_piece_that_fits_stays_where_it_stands():
    """Reading it as if nested is all that it took."""
    flat = {"instanceId": "a", "row": 1, "column": 1, "width": 2, "height": 2}
    got = mend(request_of(4, 4, a="any"), [flat])
    assert places(got) == {"a": (1, 1, 2, 2)}
    assert got.repairs == [(0, "geometry_flattened", True)]


def test_losers_overlap_nothing_even_where_overlaps_stay():
    """Under keep, two that overlap stand, and a loser goes round both."""
    request = request_of(5, 1, a="any", b="any", c="any")
    positions = [
        piece("c", 0, 9, 1, 1),
        piece("a", 0, 3, 2, 1),
        piece("b", 0, 2, 2, 1),
    ]
    policy = HealPolicy(overlap="keep", overflow="relocate")
    got = mend(request, positions, policy)
    assert places(got) == {"c": (0, 1, 1, 1), "a": (0, 3, 2, 1), "b": (0, 2, 2, 1)}


def test_a_resize_is_gentle_with_what_was_known_only():
    """A known piece moves in; a fresh one is treated by the policy."""
    request = request_of(3, 3, (ChartResize(),), a="any")
    positions = [
        piece("a", 0, 8, 1, 1),
        piece("n", 0, 8, 1, 1, vesselId="box", variant="any"),
    ]
    got = mend(request, positions)
    assert places(got) == {"a": (0, 2, 1, 1)}
    assert got.drops == [(1, "position_overflow", "n")]


def test_positions_past_the_limit_drop_by_index():
    """A malformed one before them counts, and past the limit is still malformed."""
    request = request_of(5, 1, a="any", b="any")
    positions = [None, piece("a", 0, 0, 1, 1), piece("b", 0, 1, 1, 1), {}]
    got = mend(request, positions, limits=Limits(instances=2))
    assert places(got) == {"a": (0, 0, 1, 1)}
    assert got.drops == [
        (0, "malformed_position", None),
        (2, "too_many_positions", "b"),
        (3, "malformed_position", None),
    ]


@pytest.mark.parametrize("layout", [None, [], "grid", {}, {"positions": {}}])
def test_a_layout_without_positions_is_empty(layout):
    """Reading is total: what is no list of positions proposes nothing."""
    assert read_positions(layout, Limits()) == read_positions(
        {"positions": ()}, Limits()
    )


@pytest.mark.parametrize(
    ("entry", "geometry"),
    [
        ({"row": 1, "column": 2, "width": 3, "height": 4}, (1, 2, 3, 4)),
        (
            {"position": {"row": 1, "column": 2}, "width": 3, "height": 4},
            (1, 2, 3, 4),
        ),
        (
            {"row": 1, "column": 2, "position": [], "size": {"width": 3, "height": 4}},
            (1, 2, 3, 4),
        ),
    ],
)
def test_geometry_on_the_entry_itself_is_read_as_if_nested(entry, geometry):
    """Each half on its own, where it is missing or no object."""
    (read,) = read_positions(
        {"positions": [{"instanceId": "a", **entry}]}, LIMITS
    ).pieces
    assert (read.geometry, read.flattened) == (geometry, True)


def test_a_half_that_is_an_object_is_not_completed_from_outside():
    """A missing coordinate is missing, whatever stands on the entry itself."""
    entry = {"instanceId": "a", "position": {"row": 1}, "column": 2}
    entry |= {"size": {"width": 1, "height": 1}}
    drops = read_positions({"positions": [entry]}, LIMITS).drops
    assert drops == (Drop("malformed_position", ("layout", "positions", 0), "a"),)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (6.0, 6),
        ("6", 6),
        ("6.0", 6),
        ("-6.00", -6),
        ("007", 7),
        ("-0", 0),
        (-0.0, 0),
        (float(HUGE), HUGE),
        (str(HUGE), HUGE),
        (-HUGE, -HUGE),
    ],
    ids=repr,
)
def test_numbers_that_say_an_integer_are_read_as_it(value, number):
    """A fraction of zero, and ASCII digits, are the integers they say."""
    read = integers((0, 0, value, 1))
    assert read == (0, 0, number, 1)
    assert [type(one) for one in read] == [int] * 4


@pytest.mark.parametrize(
    "value",
    [
        *(6.5, "", " 6", "6\n", "+6", "6.5", "6.", ".0", "1e3", "0x6", "\u0666", "6_0"),
        *(None, True, False, [], {}, float("nan"), float("inf"), float("-inf")),
        *(HUGE + 1, -HUGE - 1, float(HUGE + 1), 1e300, str(HUGE + 1), "1" * 17),
    ],
    ids=repr,
)
def test_what_says_no_integer_is_none(value):
    """Nothing is guessed, and nothing beyond 2^53 - 1 is taken."""
    assert integers((0, 0, value, 1)) is None


def test_gentle_leaves_overlaps_where_the_policy_does():
    """Nothing that fits is lost, and what may overlap still may."""
    assert gently(HealPolicy.reference()) == HealPolicy.gentle()
    assert gently(HealPolicy(overlap="keep")).overlap == "keep"
