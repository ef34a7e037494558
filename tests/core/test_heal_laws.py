"""The laws of healing, over answers that are right, broken, and wild."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.adapters.testing.laws import assert_heal_laws, assert_unchanged
from maelstrom.adapters.testing.strategies import (
    candidates,
    faulty_candidates,
    policies,
    requests,
)
from maelstrom.core.candidate import Candidate
from maelstrom.core.heal import heal, mend
from maelstrom.core.layout import TilingLayout
from maelstrom.core.policy import HealPolicy
from maelstrom.core.request import (
    ChartRequest,
    Context,
    Dimensions,
    Instance,
    UserIntent,
)
from maelstrom.core.resize import is_resize_only
from maelstrom.core.vessel import Variant, Vessel

_IDS = st.sampled_from(
    ("calendar-1", "notes-1", "new-1", "", " ", "n0", "a", "b", "\ud800", None, 5)
)
_NUMBERS = st.sampled_from(
    (0, 1, 2, 3, -1, 6.0, 6.5, "1", "2.0", True, None, 2**60, 10**400, float("nan"))
)
_JSON = st.recursive(
    _IDS | _NUMBERS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(("id", "kind", "children", "instanceId", "row", "x")),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)


def _object(**fields):
    """An object with any of the fields, each mostly of its kind."""
    return st.fixed_dictionaries({}, optional={k: v | _JSON for k, v in fields.items()})


_IDENTITY = {
    "instanceId": _IDS,
    "vesselId": st.sampled_from(("calendar", "weather", "notes", "stocks", "")),
    "variant": st.sampled_from(("compact", "normal", "full", "huge", "")),
}
_POSITION = _object(
    **_IDENTITY,
    position=_object(row=_NUMBERS, column=_NUMBERS),
    size=_object(width=_NUMBERS, height=_NUMBERS),
)
_NODE = st.deferred(
    lambda: _object(
        **_IDENTITY,
        id=_IDS,
        kind=st.sampled_from(("leaf", "split")),
        direction=st.sampled_from(("row", "column", "")),
        children=st.lists(_IDS | _NODE, max_size=3),
        weight=_NUMBERS,
    )
)
_ENTRY = _object(
    instanceId=_IDS,
    action=st.sampled_from(("show", "expand", "collapse", "refresh", "")),
    params=_JSON,
    paramsJson=st.sampled_from(("", "{}", '{"days": 3}', "[", '"{\\"days\\": 3}"')),
)


@st.composite
def _wild(draw, request):
    """An answer that has the shape of one only by chance."""
    mode = st.sampled_from(
        (request.context.layout_mode, request.context.layout_mode, 5)
    )
    layout = _object(
        type=mode,
        positions=st.lists(_POSITION, max_size=5),
        root=_IDS | _NODE,
        nodes=st.lists(_NODE, max_size=6),
    )
    plan = draw(st.lists(_ENTRY | _JSON, max_size=4))
    return Candidate("", tuple(plan), draw(layout | _JSON), "Done.")


@pytest.mark.law
@given(st.data())
def test_a_valid_answer_comes_back_equal(data):
    """Law 1: nothing is dropped, skipped or repaired, under any policy."""
    request = data.draw(requests())

    assert_unchanged(request, data.draw(candidates(request)), data.draw(policies()))


@pytest.mark.law
@given(st.data())
def test_laws_hold_for_valid_answers(data):
    """Laws 2 to 6 where there is nothing to heal."""
    request = data.draw(requests())

    assert_heal_laws(request, data.draw(candidates(request)), data.draw(policies()))


@pytest.mark.law
@given(st.data())
def test_laws_hold_for_faulty_answers(data):
    """Laws 2 to 6 where an answer is broken in a few places."""
    request = data.draw(requests())
    faulty = data.draw(faulty_candidates(request))

    assert_heal_laws(request, faulty.candidate, data.draw(policies()))


@pytest.mark.law
@given(st.data())
def test_mending_is_total(data):
    """Any JSON gives an answer that is idempotent and closed, never an exception."""
    request = data.draw(requests())
    wild = data.draw(_wild(request))

    assert_heal_laws(request, wild, data.draw(policies()))


@pytest.mark.law
@given(st.data())
def test_the_verdict_is_the_retry(data):
    """`heal` fails exactly where `mend` recommends a retry, and says why."""
    request = data.draw(requests())
    candidate = data.draw(faulty_candidates(request)).candidate
    healed = mend(request, candidate)

    verdict = heal(request, candidate)

    if healed.retry:
        advised = verdict.failure()
        assert (advised.healed, advised.severity) == (healed, healed.severity)
        assert len(advised.feedback) <= 20
    else:
        assert verdict.unwrap() == healed
    assert healed.retry <= (healed.severity in ("medium", "unrecoverable"))
    assert is_resize_only(request) or healed.severity != "unrecoverable" or healed.drops


NOTE = Vessel("note", "A note", (Variant("short", "A line"),))
NOTES = ChartRequest(
    Context((UserIntent("notes"),), Dimensions(4, 4), "tiling"),
    (Instance("note-1", "note", "short"), Instance("note-2", "note", "short")),
    (NOTE,),
    TilingLayout(),
)


def test_a_slot_that_holds_a_node_shares_its_path():
    """A node that is shown by its name, and held by a later slot: the slot alone goes."""
    leaf = {"id": "b", "kind": "leaf", "instanceId": "note-2"}
    nodes = [
        {"id": "a", "kind": "leaf", "instanceId": "note-1"},
        {"id": "s", "kind": "split", "direction": "row", "children": ["b", "a", leaf]},
    ]
    layout = {"type": "tiling", "root": "s", "nodes": nodes}
    candidate = Candidate("Because.", (), layout, "Done.")

    assert_heal_laws(NOTES, candidate, HealPolicy())

    healed = mend(NOTES, candidate)
    assert [(drop.reason, drop.path[-1]) for drop in healed.drops] == [
        ("tree_shared_child", 2)
    ]


def test_a_root_that_is_no_node_may_be_inferred():
    """The node in the root's slot goes, the slot is mended: two records, one path."""
    nodes = [{"kind": "leaf", "instanceId": "note-1"}]
    layout = {"type": "tiling", "root": {}, "nodes": nodes}
    candidate = Candidate("Because.", (), layout, "Done.")

    assert_heal_laws(NOTES, candidate, HealPolicy())

    healed = mend(NOTES, candidate)
    assert [(drop.reason, drop.path[-1]) for drop in healed.drops] == [
        ("tree_invalid_node", "root")
    ]
    assert [(each.reason, each.path[-1]) for each in healed.repairs] == [
        ("tree_flattened", "layout"),
        ("root_inferred", "root"),
    ]
