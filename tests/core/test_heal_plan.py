"""Healing a plan, reason by reason, in their order."""

import pytest

from maelstrom.core.heal import mend
from maelstrom.core.limits import Limits
from tests.core.heal_app import act, grid, piece, request

DOOR = piece("d", width=2, height=2)


def skipped(*plan, pieces=(DOOR,), limits=None, **kwargs):
    """The reasons for which entries are skipped, by index."""
    candidate = grid(*pieces, plan=plan)
    result = mend(request("grid", **kwargs), candidate, limits=limits or Limits())
    return {skip.index: skip.reason for skip in result.skips}


def test_an_entry_past_the_limit_is_skipped_for_that():
    """A0: whatever else is wrong with it."""
    reasons = skipped(act("d", "open"), None, limits=Limits(plan_entries=1))

    assert reasons == {1: "plan_too_long"}


@pytest.mark.parametrize(
    "entry",
    [None, [], {}, act("", "open"), act("d", 5), act("d", "o\n"), act(5, "open")],
)
def test_an_entry_without_two_ids_is_malformed(entry):
    """A1: fixable, so a plan of nothing else is tried again."""
    assert skipped(entry) == {0: "malformed_action"}


def test_a_target_that_nothing_resolves_has_the_first_reason_of_its_pieces():
    """A2: in the order of declaring."""
    pieces = (
        piece("x", vesselId="stocks"),
        piece("x", vesselId="clock", variant="digital"),
        piece("y"),
    )

    reasons = skipped(
        act("x", "open"), act("y", "open"), act("z", "open"), pieces=pieces
    )

    assert reasons == {
        0: "unknown_vessel",
        1: "unknown_instance",
        2: "unknown_instance",
    }


def test_a_later_piece_may_resolve_the_target():
    """A2: one resolvable declaration is enough."""
    pieces = (
        piece("x", vesselId="stocks"),
        piece("x", vesselId="door", width=2, height=2),
    )

    assert skipped(act("x", "open"), pieces=pieces) == {}


def test_drift_and_invalid_actions_are_told_apart():
    """A3, A4: knock was there before the plan, explode never."""
    reasons = skipped(act("d", "open"), act("d", "knock"), act("d", "explode"))

    assert reasons == {1: "state_drift", 2: "action_not_valid"}


def test_a_skipped_entry_moves_nothing():
    """The simulation goes on from where it was."""
    assert skipped(act("d", "explode"), act("d", "open"), act("d", "shut")) == {
        0: "action_not_valid"
    }


def test_the_guard_of_a_resize():
    """A5 before A6: the flag first, then the parameters, readable or not."""
    odd = {"paramsJson": "{Tokyo"}

    reasons = skipped(
        act("d", "knock", **odd),
        act("d", "lock", **odd),
        act("d", "open", params={}),
        resize=True,
    )

    assert reasons == {0: "non_idempotent_on_resize", 1: "parameterized_on_resize"}


@pytest.mark.parametrize(
    "params",
    [
        {"paramsJson": "{days"},
        {"paramsJson": "[]"},
        {"paramsJson": "5"},
        {"paramsJson": '{"days": 1, "days": 1}'},
        {"paramsJson": '{"days": NaN}'},
        {"paramsJson": '{"days": 0}'},
        {"paramsJson": '"\\"{}\\""'},
        {"params": {"days": 2**53}},
        {"params": {"days": float("inf")}},
        {"params": {"nights": 1}},
        {"params": {1: 2}},
        {"params": {"days": {None: 1}}},
        {"params": [1]},
        {"params": False},
    ],
)
def test_parameters_that_cannot_be_taken(params):
    """A7: unreadable, no object, out of bounds, or refused by the schema."""
    assert skipped(act("d", "knock", **params)) == {0: "params_parse_failed"}


def test_deep_parameters_are_refused_before_any_validator():
    """A7: nested over 32."""
    deep = {}
    for _ in range(50_000):
        deep = {"days": deep}

    assert skipped(act("d", "knock", params=deep)) == {0: "params_parse_failed"}


@pytest.mark.parametrize(
    ("fields", "params"),
    [
        ({}, None),
        ({"paramsJson": "null", "params": {}}, None),
        ({"paramsJson": '"{}"'}, None),
        ({"paramsJson": '" "'}, None),
        ({"paramsJson": "```\n```"}, None),
        ({"paramsJson": " ", "params": {"days": 3}}, {"days": 3}),
        ({"paramsJson": '{"days": 3}', "params": {"days": 4}}, {"days": 3}),
        ({"paramsJson": '"{\\"days\\": 3}"'}, {"days": 3}),
        ({"paramsJson": '```json\n{"days": 3}\n```'}, {"days": 3}),
        ({"paramsJson": '```json {"days": 3}```'}, {"days": 3}),
        ({"paramsJson": {"days": 3}}, {"days": 3}),
        ({"params": '{"days": 3}'}, {"days": 3}),
    ],
)
def test_parameters_in_every_form(fields, params):
    """The first of the two that is not none counts, decoded once or twice."""
    healed = mend(request("grid"), grid(DOOR, plan=[act("d", "knock", **fields)]))

    assert [entry.params for entry in healed.plan] == [params]


def test_parameters_that_nothing_takes_are_removed_readable_or_not():
    """params_ignored costs no entry, and A8 then sees none."""
    plan = act("d", "open", paramsJson="{a"), act("d", "shut", params={"a": 1})
    healed = mend(request("grid"), grid(DOOR, plan=plan))

    assert [entry.params for entry in healed.plan] == [None, None]
    assert [(each.reason, each.path) for each in healed.repairs] == [
        ("params_ignored", ("executionPlan", 0)),
        ("params_ignored", ("executionPlan", 1)),
    ]
    assert skipped(act("d", "shut", params={"a": 1})) == {0: "self_transition_noop"}


def test_a_self_transition_with_parameters_runs():
    """A8: only where none are left."""
    reasons = skipped(act("d", "lock", params={"days": 1}), act("d", "lock"))

    assert reasons == {1: "self_transition_noop"}


def test_an_action_of_what_is_not_shown_is_skipped_with_its_repair():
    """A9: in step 4, after the simulation; records stay in the order of the plan."""
    plan = act("d", "open", params={"a": 1}), act("d", "knock"), act("a", "x")
    healed = mend(request("grid"), grid(piece("d"), plan=plan))

    assert [(skip.index, skip.reason) for skip in healed.skips] == [
        (0, "instance_not_placed"),
        (1, "state_drift"),
        (2, "action_not_valid"),
    ]
    assert healed.repairs == ()
    assert healed.drops[0].reason == "size_below_minimum"


def test_lone_surrogates_in_parameters_are_replaced():
    """They become U+FFFD wherever they stand."""
    plan = [act("d", "note", params={"a": ["\ud800"]})]
    noting = request("grid")
    healed = mend(
        noting, grid(DOOR, plan=[*plan, act("d", "knock", params={"\ud800": 1})])
    )

    assert [(skip.reason, skip.detail) for skip in healed.skips] == [
        ("action_not_valid", None),
        ("params_parse_failed", "additionalProperties"),
    ]
