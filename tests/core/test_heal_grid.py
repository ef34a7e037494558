"""Grid healing: against a naive oracle, then by example."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.core.catalogue import Catalogue
from maelstrom.core.grid_reading import integers
from maelstrom.core.healed import Drop
from maelstrom.core.heal_grid import gently, heal_grid, read_positions
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
