"""The example app is a valid one, and shows what an app can declare."""

from maelstrom.adapters.demo import VESSELS, demo_chart
from maelstrom.core.chart_state import make_request
from maelstrom.core.request import UserIntent
from maelstrom.core.wire import decode_request, encode_request


def test_its_chart_makes_a_valid_request():
    """The engine takes the example app as it is, in both layout modes."""
    for mode in ("grid", "tiling"):
        request = make_request(demo_chart(mode), [UserIntent("hello")])
        assert decode_request(encode_request(request)).unwrap() == request


def test_it_shows_what_an_app_can_declare():
    """Several variants a vessel, actions that lead somewhere or take parameters."""
    actions = [
        action
        for vessel in VESSELS
        for variant in vessel.variants
        for action in variant.actions
    ]

    assert [vessel.id for vessel in VESSELS] == [
        "calendar",
        "weather",
        "tasks",
        "notes",
    ]
    assert all(len(vessel.variants) > 1 for vessel in VESSELS)
    assert {bool(action.params) for action in actions} == {True, False}
    assert {bool(action.to) for action in actions} == {True, False}
    assert {action.idempotent for action in actions} == {True, False}
    assert any(vessel.initial_variant for vessel in VESSELS)
    assert any(variant.min_size.width > 1 for v in VESSELS for variant in v.variants)
