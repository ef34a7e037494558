"""The golden vectors of healing, of severity and of resize-only turns."""

import json
import math
from pathlib import Path

import pytest
from attrs import evolve

from maelstrom.core.heal import mend
from maelstrom.core.policy import HealPolicy
from maelstrom.core.resize import is_resize_only
from maelstrom.core.wire import decode_request
from maelstrom.core.wire_results import candidate_from_json, encode_healed
from tests.core.read_request import read_reason

GOLDEN = Path(__file__).parent.parent / "golden"


def cases(name, *kinds):
    """The cases of a file, those of some kinds alone where it has kinds."""
    listed = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    chosen = [case for case in listed if not kinds or case["kind"] in kinds]
    return pytest.mark.parametrize("case", chosen, ids=lambda case: case["name"])


def mended(case):
    """What mending gives for a case, in its wire form."""
    candidate = candidate_from_json(case["candidate"])
    policy = HealPolicy(**(case["policy"] or {}))
    healed = mend(decode_request(case["request"]).unwrap(), candidate, policy)
    return encode_healed(candidate, healed)


def same(one, other):
    """Equal, numbers as numbers: 2 is 2.0, and means are near enough."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9)
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def assert_mends(case):
    """Every record in order; a skip's detail is not compared."""
    got = mended(case)
    for skip in got["skips"]:
        skip.pop("detail", None)
    assert same(got, case["expect"]), got


@cases("heal-plan")
def test_plans(case):
    """A plan is healed as its vector says."""
    assert_mends(case)


@cases("heal-tiling")
def test_trees(case):
    """A tree is healed as its vector says."""
    assert_mends(case)


@cases("heal-grid")
def test_grids(case):
    """A grid is healed as its vector says."""
    assert_mends(case)


@cases("retry", "severity")
def test_severity(case):
    """The severity, and whether to try again, are as the vector says."""
    got = mended(case)
    assert {key: got[key] for key in ("severity", "retry")} == case["expect"]


@cases("retry", "resizeOnly")
def test_resize_only(case):
    """A turn is resize-only where every reason is a resize."""
    request = decode_request(REQUEST).unwrap()
    reasons = tuple(read_reason(reason) for reason in case["updateReasons"])
    context = evolve(request.context, update_reasons=reasons)
    assert is_resize_only(evolve(request, context=context)) == case["expect"]


REQUEST = {
    "type": "chart_request",
    "context": {
        "updateReasons": [{"type": "chart_resize"}],
        "chartDimensions": {"columns": 1, "rows": 1},
        "layoutMode": "grid",
    },
    "instances": [],
    "vessels": [],
    "layout": {"type": "grid", "positions": []},
}
