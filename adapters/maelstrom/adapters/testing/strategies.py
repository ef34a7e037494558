"""Hypothesis strategies: apps, requests, and what a planner might answer.

`candidates` draws answers that are right, which healing gives back as they are;
`faulty_candidates` breaks one in known places and says how. All draw plain records, so
they compose and shrink well. Needs the extra ``testing``.

    @given(st.data())
    def test_my_planner(data):
        request = data.draw(requests())
        answer = data.draw(candidates(request))
"""

from copy import deepcopy

from attrs import evolve, field, frozen
from hypothesis import strategies as st

from maelstrom.adapters.testing.answers import candidates
from maelstrom.adapters.testing.apps import requests, vessels
from maelstrom.adapters.testing.faults import FAULTS, GRID_FAULTS, TILING_FAULTS
from maelstrom.core.candidate import Candidate
from maelstrom.core.policy import HealPolicy
from maelstrom.core.request import ChartRequest

__all__ = [
    "Faulty",
    "candidates",
    "faulty_candidates",
    "policies",
    "requests",
    "vessels",
]


@frozen
class Faulty:
    """A broken answer; ``faults`` are the names of what was broken, in order."""

    candidate: Candidate = field(hash=False)
    faults: tuple[str, ...]


def policies() -> st.SearchStrategy[HealPolicy]:
    """Every heal policy."""
    return st.builds(
        HealPolicy,
        overlap=st.sampled_from(("relocate", "drop", "keep")),
        overflow=st.sampled_from(("drop", "relocate")),
        undersize=st.sampled_from(("drop", "grow")),
    )


@st.composite
def faulty_candidates(draw: st.DrawFn, request: ChartRequest) -> Faulty:
    """An answer to the request with one to four faults, of those that it can have."""
    valid = draw(candidates(request))
    raw = {
        "executionPlan": list(deepcopy(valid.execution_plan)),
        "layout": deepcopy(valid.layout),
    }
    grid = request.context.layout_mode == "grid"
    table = FAULTS + (GRID_FAULTS if grid else TILING_FAULTS)
    chosen = draw(st.lists(st.sampled_from(table), min_size=1, max_size=4))
    faults = tuple(name for name, spoil in chosen if spoil(draw, raw))
    plan = tuple(raw["executionPlan"])
    return Faulty(evolve(valid, execution_plan=plan, layout=raw["layout"]), faults)
