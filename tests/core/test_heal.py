"""Mend and heal as a whole: order, totality, severity, verdict."""

import os
import subprocess
import sys

import pytest
from attrs import evolve

from maelstrom.core.candidate import Candidate
from maelstrom.core.heal import heal, mend
from maelstrom.core.healed import Repair
from maelstrom.core.layout import Cell, GridLayout, Leaf, Position, TilingLayout
from maelstrom.core.vessel import Size
from tests.core.heal_app import act, grid, leaf, piece, request, split, tree

SHOWN = GridLayout((Position("a", Cell(0, 0), Size(1, 1)),))


def test_repairs_come_in_the_order_of_their_paths():
    """Those of reading first, then the plan's, then the layout's."""
    fence = Repair("fence_removed", ())
    plan = [act("d", "open", params={"a": 1})]
    door = piece("d", width="2", height=2, variant="ajar")
    candidate = evolve(
        grid(piece("a", row=2, variant="x"), door, plan=plan), repairs=(fence,)
    )

    healed = mend(request("grid"), candidate)

    assert [(each.reason, *each.path) for each in healed.repairs] == [
        ("fence_removed",),
        ("params_ignored", "executionPlan", 0),
        ("variant_ignored", "layout", "positions", 0),
        ("variant_ignored", "layout", "positions", 1),
        ("number_coerced", "layout", "positions", 1),
    ]


def test_a_variant_that_the_plan_leads_to_may_be_stated():
    """2.1: neither the one before nor the one after is worth a record."""
    plan = [act("d", "open")]
    for stated in ("shut", "open"):
        door = piece("d", width=2, height=2, variant=stated)

        assert mend(request("grid"), grid(door, plan=plan)).repairs == ()


@pytest.mark.parametrize("rationale", ["", None, 5])
def test_a_missing_rationale_is_a_warning(rationale):
    """It costs nothing else."""
    healed = mend(request("grid"), evolve(grid(piece("a")), rationale=rationale))

    assert [(each.reason, each.path) for each in healed.warnings] == [
        ("rationale_missing", ("rationale",))
    ]
    assert healed.severity == "none"


@pytest.mark.parametrize(
    "layout", [None, 5, "x", [], {}, {"type": "grid", "positions": 5}]
)
def test_a_layout_that_is_none_has_no_pieces(layout):
    """It proposed nothing, so nothing was lost."""
    healed = mend(request("grid"), Candidate("Because.", (), layout, "Done."))

    assert (healed.layout, healed.severity) == (GridLayout(), "none")


@pytest.mark.parametrize(
    ("mode", "candidate"),
    [
        ("grid", tree("a", leaf("a"))),
        ("grid", tree(leaf("a"))),
        ("tiling", grid(piece("a"))),
    ],
)
def test_a_layout_of_the_other_kind_is_unrecoverable(mode, candidate):
    """It proposed pieces, and none can be shown."""
    healed = mend(request(mode), candidate)

    assert (healed.severity, healed.retry, healed.drops) == ("unrecoverable", True, ())


@pytest.mark.parametrize("plan", [None, 5, "open", {"a": 1}])
def test_a_plan_that_is_none_has_no_entries(plan):
    """No entry was proposed, so none was lost."""
    healed = mend(request("grid"), evolve(grid(piece("a")), execution_plan=plan))

    assert (healed.plan, healed.skips, healed.severity) == ((), (), "none")


def test_a_resize_that_empties_the_chart_is_unrecoverable():
    """2.5: a valid empty answer too, but only where something was shown."""
    shown = request("grid", resize=True, layout=SHOWN)

    assert mend(shown, grid()).severity == "unrecoverable"
    assert mend(shown, grid()).retry
    assert mend(request("grid", resize=True), grid()).severity == "none"
    leaves = TilingLayout("a", (Leaf("a", "a"),))
    assert mend(request(resize=True, layout=leaves), tree(None)).retry


def test_no_retry_where_nothing_shown_fits_the_chart():
    """2.3: on a resize the door as it is needs more than one cell."""
    door = GridLayout((Position("d", Cell(0, 0), Size(2, 2)),))
    tiny = request("grid", resize=True, columns=1, rows=1, layout=door)
    instances = tuple(
        evolve(one, variant="open") if one.instance_id == "d" else one
        for one in tiny.instances
    )

    healed = mend(evolve(tiny, instances=instances), grid())

    assert (healed.severity, healed.retry) == ("unrecoverable", False)


def test_no_retry_where_every_drop_exceeds_the_chart():
    """2.3: one that a retry could mend is enough to try again."""
    tiny = request("grid", columns=1, rows=1)
    plan = [act("d", "open")]

    assert not mend(tiny, grid(piece("d"), plan=plan)).retry
    assert mend(tiny, grid(piece("d"), piece("a", row=3), plan=plan)).retry


def test_the_verdict_says_what_to_tell_the_next_attempt():
    """Distinct faults, drops before skips."""
    lost = piece("a", row=9)
    candidate = grid(lost, lost, plan=[act("d", "explode")])

    advised = heal(request("grid"), candidate).failure()

    assert [
        (each.reason, each.instance_id, each.action) for each in advised.feedback
    ] == [
        ("position_overflow", "a", None),
        ("action_not_valid", "d", "explode"),
    ]
    assert heal(request("grid"), grid(piece("a"))).unwrap().severity == "none"


PROGRAM = """
from maelstrom.core.heal import mend
from tests.core.heal_app import leaf, request, split, tree
table = split("", leaf("", "a"), "n1", "x", split("s", leaf("y", "b"))), leaf("x", "c")
print(mend(request(), tree("", *table)))
"""


def test_hash_seeds_do_not_show():
    """Law 6: the same records, to the byte, under any PYTHONHASHSEED."""
    outputs = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert outputs[0] == outputs[1] != ""


@pytest.mark.parametrize("mode", ["grid", "tiling"])
def test_work_grows_with_the_pieces(mode):
    """Law 7: twice the pieces take about twice the calls."""

    def calls(count):
        ids = [f"new-{index}" for index in range(count)]
        if mode == "grid":
            candidate = grid(*(piece(one, row=9, vesselId="clock") for one in ids))
        else:
            leaves = (leaf(one, vesselId="clock", weight="2") for one in ids)
            candidate = tree("r", split("r", *ids), *leaves)
        asked = request(mode)
        count = 0

        def trace(frame, event, arg):
            nonlocal count
            count += event in ("call", "c_call")

        before = sys.getprofile()
        sys.setprofile(trace)
        try:
            mend(asked, candidate)
        finally:
            sys.setprofile(before)
        return count

    calls(10)
    assert calls(400) < 2.2 * calls(200)
