"""The benchmark of the server, in short."""

import os

from hypothesis import given
from hypothesis import strategies as st

from benchmarks import server_load
from tests.adapters.server.served import PATHS


def test_a_crowd_is_served_without_an_error(monkeypatch):
    """Fifty clients at once: every turn is answered, none is refused."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(PATHS))

    figures = server_load.run(50, 1.5)

    assert figures["errors"] == 0, figures["first_error"]
    assert figures["turns"] >= 50
    assert figures["late_mb"] > 0


@given(
    st.integers(0, 10_000),
    st.lists(st.integers(1, 100), min_size=8, max_size=30),
    st.integers(0, 10**9),
)
def test_growth_is_what_a_turn_leaves(leak, steps, jump):
    """A leak shows as its size a turn; one jump, as of a cache that fills, does not."""
    turns = [sum(steps[:n]) for n in range(len(steps) + 1)]
    leaking = [(n, 50_000_000 + leak * n) for n in turns]
    jumping = [*leaking[:-1], (turns[-1], leaking[-1][1] + jump)]

    assert server_load.growth(leaking) == leak
    assert server_load.growth(jumping) == leak
    assert server_load.growth(leaking[:1]) == 0
