"""The wire format: what goes out comes back, what is wrong is named where it stands."""

import json
import os
import subprocess
import sys
from collections import OrderedDict, UserDict

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.pipeline import is_successful

from maelstrom.core.candidate import Candidate
from maelstrom.core.errors import Issue, RequestValidationError
from maelstrom.core.json_text import JsonRules
from maelstrom.core.json_writer import compact_text
from maelstrom.core.layout import GridLayout
from maelstrom.core.limits import Limits
from maelstrom.core.messages import EngineMessage
from maelstrom.core.request import ChartRequest
from maelstrom.core.wire import (
    candidate_from_json,
    check_message,
    decode_message,
    decode_output,
    decode_request,
    decode_turn,
    encode_candidate,
    encode_layout,
    encode_message,
    encode_output,
    encode_request,
    encode_response,
    encode_turn,
    turn_from_text,
    turn_to_text,
)
from maelstrom.core.wire_copy import copy_json
from maelstrom.core.wire_explain import explain
from maelstrom.core.wire_fields import MESSAGE, OUTPUT, TURN
from maelstrom.core.wire_hooks import REFUSALS, converter
from tests.core.wire_values import (
    GRID,
    TILING,
    broken,
    changed,
    issues,
    json_values,
    messages,
    outputs,
    places,
    requests,
    responses,
    turns,
)

# ---------------------------------------------------------------- round trips


@given(messages())
def test_message_round_trip(message):
    """decode(encode(x)) is x, as a mapping, as text and as bytes."""
    value = encode_message(message)
    text = compact_text(value)

    assert message == decode_message(value).unwrap()
    assert message == decode_message(text).unwrap()
    assert message == decode_message(text.encode()).unwrap()
    assert message == check_message(message).unwrap()


@given(requests())
def test_request_round_trip(request):
    """A bare request comes back from its encoding."""
    assert request == decode_request(encode_request(request)).unwrap()


@given(outputs)
def test_output_round_trip(output):
    """A client reads the output that the engine wrote; its parts are written alike."""
    value = encode_output(output)

    assert output == decode_output(compact_text(value)).unwrap()
    assert value["payload"] == encode_response(output.payload)
    assert value["payload"]["layout"] == encode_layout(output.payload.layout)


@given(turns())
def test_turn_round_trip(turn):
    """A stored turn comes back equal, and its text is the same each time."""
    text = turn_to_text(turn)

    assert turn == turn_from_text(text).unwrap()
    assert turn == decode_turn(encode_turn(turn)).unwrap()
    assert text == turn_to_text(turn_from_text(text.encode()).unwrap())


def test_defaults_are_left_out():
    """What holds its default does not go on the wire."""
    vessels = encode_message(decode_message(GRID).unwrap())["payload"]["vessels"]

    assert vessels[2]["variants"][0] == {"id": "list", "description": "The list form"}
    assert "idempotent" not in vessels[0]["variants"][1]["actions"][2]


# ---------------------------------------------------------------- two ways, one verdict


def _agree(shape, value):
    copied = copy_json(value, JsonRules())
    if not is_successful(copied):
        return
    value = copied.unwrap().value
    found = explain(shape, value, Limits())
    try:
        converter(shape, Limits()).structure(value, shape.record)
    except REFUSALS:
        assert found
    else:  # what the hooks leave to others
        assert all("params" in i.path or i.code == "bad_text" for i in found), found


@given(st.data())
def test_hooks_and_explainer_agree(data):
    """The fast way accepts exactly what the explaining way finds nothing wrong with."""
    _agree(MESSAGE, data.draw(messages().map(encode_message).flatmap(broken)))
    _agree(OUTPUT, data.draw(outputs.map(encode_output).flatmap(broken)))
    _agree(TURN, data.draw(turns().map(encode_turn).flatmap(broken)))


@given(messages().map(encode_message).flatmap(broken))
def test_broken_messages_are_explained(value):
    """A verdict, never an exception: 1 to 16 issues, whose words stay short."""
    decoded = decode_message(value)
    if is_successful(decoded):
        assert decoded == check_message(decoded.unwrap())
    else:
        assert 1 <= len(decoded.failure().issues) <= 16
        assert all(len(issue.message) <= 160 for issue in decoded.failure().issues)


@given(messages())
def test_text_and_mapping_agree(message):
    """A message has the same verdict in each form that it can take."""
    value = encode_message(message)
    for holder, key in places(value)[:40]:
        kept, holder[key] = holder[key], None
        assert issues(value) == issues(json.dumps(value))
        holder[key] = kept


# ---------------------------------------------------------------- nothing raises


@given(st.binary() | st.text())
def test_arbitrary_text(text):
    """Any bytes and any text get a verdict."""
    assert isinstance(decode_message(text).failure(), RequestValidationError)
    assert decode_turn(text).failure().kind == "corrupt"
    assert not is_successful(decode_output(text))
    assert not is_successful(decode_request(text))


@given(json_values)
def test_arbitrary_json(value):
    """Any JSON gets a verdict."""
    assert issues(json.dumps(value))
    assert issues({"a": value}) == issues(json.dumps({"a": value}))


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"payload":[', '[{"a":'])
def test_deep_text(opening):
    """50,000 levels are too deep, closed or not, and cost no stack."""
    assert issues(opening * 50_000) == [((), "too_deep")]
    assert issues((opening * 50_000).encode()) == [((), "too_deep")]


class _Unreadable(UserDict):
    def keys(self):
        raise RuntimeError

    __iter__ = keys


def _ring():
    ring = {}
    ring["a"] = ring
    return ring


def _ladder(levels, step):
    rung = 1
    for _ in range(levels):
        rung = step(rung)
    return rung


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (None, [((), "wrong_type")]),
        ([], [((), "wrong_type")]),
        (object(), [((), "wrong_type")]),
        (_Unreadable(a=1), [((), "malformed_json")]),
        (_ring(), [((), "too_deep")]),
        (changed(GRID, ("payload",), None) | {"meta": _ring()}, [((), "too_deep")]),
        ({"meta": _ladder(60, lambda x: [x, x])}, [((), "too_large")]),
        ({"meta": _ladder(40, lambda x: [x] * 10_000)}, [((), "too_large")]),
        ({"meta": _ladder(20_000, lambda x: [x])}, [((), "too_deep")]),
        (UserDict(GRID), []),
        (OrderedDict(GRID), []),
        (GRID | {5: 1}, [(("<an integer>",), "unknown_field")]),
        (GRID | {"meta": {5: 1}}, [(("meta",), "wrong_type")]),
        (GRID | {"meta": {"a": (1,)}}, [(("meta", "a"), "wrong_type")]),
        (GRID | {"meta": {"a": float("nan")}}, [(("meta", "a"), "out_of_range")]),
        (GRID | {"timestamp": 10**5000}, [(("timestamp",), "out_of_range")]),
        (GRID | {"sessionId": type("S", (str,), {})("s")}, [(("sessionId",), "wrong_type")]),
    ],
    ids=range(17),
)  # fmt: skip
def test_hostile_mappings(message, expected):
    """Values that no JSON text could give are faults where they stand."""
    assert expected == issues(message)


def test_a_mapping_is_copied():
    """Its owner may change a mapping after it was decoded."""
    mapping = json.loads(json.dumps(GRID | {"meta": {"a": [1]}}))
    message = decode_message(mapping).unwrap()
    mapping["meta"]["a"].append(2)

    assert message.meta == {"a": [1]}


def test_hash_seed_has_no_say():
    """The same message gives the same issues under any hash seed."""
    program = (
        "import json,sys; from maelstrom.core.wire import decode_message;"
        "print([i.path for i in decode_message(sys.argv[1]).failure().issues])"
    )
    text = json.dumps(GRID | {"b": 1, "a": 1, "c": {}, "id": 5})
    roots = os.pathsep.join(sys.path)
    seen = {
        subprocess.run(
            [sys.executable, "-c", program, text],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": roots},
            capture_output=True,
            check=True,
        ).stdout
        for seed in "123"
    }

    assert {b"[('id',), ('a',), ('b',), ('c',)]\n"} == seen


# ---------------------------------------------------------------- each code


_ACTION = ("payload", "vessels", 0, "variants", 0, "actions", 0)
_CONTEXT = ("payload", "context")
_CELL = ("payload", "layout", "positions", 0)
_NODES = ("payload", "layout", "nodes")


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        (("payload", "type"), 5, "unknown_tag"),
        (("payload", "type"), ..., "missing_field"),
        (("payload", "layout", "type"), [], "unknown_tag"),
        ((*_CONTEXT, "layoutMode"), None, "unknown_tag"),
        ((*_CONTEXT, "timeZone"), "", "empty"),
        ((*_CONTEXT, "timeZone"), "x" * 129, "too_long"),
        ((*_CONTEXT, "locale"), "\ud800", "bad_text"),
        ((*_CONTEXT, "chartDimensions", "rows"), 1_001, "out_of_range"),
        ((*_CONTEXT, "updateReasons", 0, "intent"), "x" * 16_001, "too_long"),
        ((*_CONTEXT, "updateReasons", 0, "intent"), "a\ud800", "bad_text"),
        ((*_CELL, "position", "row"), -1, "out_of_range"),
        ((*_CELL, "position", "row"), 2**53, "out_of_range"),
        ((*_CELL, "size", "width"), 0, "out_of_range"),
        ((*_CELL, "vesselId"), "calendar", "unknown_field"),
        ((*_CELL, "instanceId"), "nobody", "unknown_reference"),
        (("payload", "vessels", 0, "description"), "\u2003", "empty"),
        (("payload", "vessels", 0, "initialVariant"), "no", "unknown_reference"),
        ((*_ACTION, "idempotent"), 1, "wrong_type"),
        ((*_ACTION, "params"), [], "wrong_type"),
        ((*_ACTION, "params"), {"type": ["object"]}, "invalid_schema"),
        (("timestamp",), -(2**53), "out_of_range"),
        (("id",), "a\x7f", "bad_text"),
        (("id",), "\x1f", "empty"),
        (("meta",), {"a": "é" * 2_000}, "too_large"),
        (("meta",), [], "wrong_type"),
    ],
)
def test_code_and_path(path, value, code):
    """One fault is one issue, at its place, with its code."""
    assert [(path, code)] == issues(changed(GRID, path, value))


def test_numbers_that_overflow():
    """1e999 is no integer; as a weight or in a schema it is out of range."""
    text = json.dumps(
        changed(GRID, (*_ACTION, "params"), {"type": "object", "maximum": 5})
    )
    tree = json.dumps(changed(TILING, (*_NODES, 1, "weight"), 5.5))

    assert issues(text.replace("1767225600000", "1e999")) == [
        (("timestamp",), "wrong_type")
    ]
    assert [((*_NODES, 1, "weight"), "out_of_range")] == issues(
        tree.replace("5.5", "1e999")
    )
    assert [((*_ACTION, "params", "maximum"), "out_of_range")] == issues(
        text.replace('"maximum": 5', '"maximum": 1e999')
    )


def test_integers_of_any_length():
    """Digits beyond what Python converts are out of range like any others."""
    text = json.dumps(GRID).replace("1767225600000", "9" * 5_000)

    assert issues(text) == [(("timestamp",), "out_of_range")]


def test_a_bad_word_ends_its_object():
    """After a bad layoutMode nothing more of the context is looked at."""
    message = changed(GRID, (*_CONTEXT, "layoutMode"), "x")
    message["payload"]["context"] |= {"timeZone": 5, "zeta": 1}

    assert [((*_CONTEXT, "layoutMode"), "unknown_tag")] == issues(message)


def test_limits_are_configurable():
    """Limits of the engine's configuration hold, texts and lists alike."""
    small = Limits(message_bytes=100, columns=5)

    assert issues(json.dumps(GRID), small) == [((), "too_large")]
    assert issues(GRID, small) == [((), "too_large")]
    assert [((*_CONTEXT, "chartDimensions", "columns"), "out_of_range")] == issues(
        GRID, Limits(columns=5)
    )
    assert issues(GRID, Limits(vessels=2)) == [(("payload", "vessels"), "too_many")]


def test_errors_carry_the_ids_that_could_be_read():
    """An error names session and message wherever these are right."""
    shape = decode_message(GRID | {"timestamp": None}).failure()
    double = decode_message('{"sessionId":"s","id":"m","a":1,"a":2}').failure()
    unread = decode_message('{"sessionId":"s"').failure()
    wrong = decode_message({"sessionId": "", "id": "m"}).failure()

    assert (shape.session_id, shape.id) == ("s-1", "m-1")
    assert (double.session_id, double.id) == ("s", "m")
    assert (unread.session_id, unread.id) == (None, None)
    assert (wrong.session_id, wrong.id) == (None, "m")


# ---------------------------------------------------------------- records made by hand


def test_a_message_made_by_hand_is_checked():
    """Shape and references are looked at, whatever the record holds."""
    message = decode_message(GRID).unwrap()
    lists = attrs.evolve(message, payload=attrs.evolve(message.payload, instances=[]))
    wrong = attrs.evolve(message, timestamp="now", payload=None)
    empty = attrs.evolve(
        message, payload=attrs.evolve(message.payload, layout=GridLayout())
    )

    assert (
        Issue(
            (*_CELL, "instanceId"),
            "unknown_reference",
            "'calendar-1' is no instance of the request",
        )
        == check_message(lists).failure().issues[0]
    )
    assert [issue.path for issue in check_message(wrong).failure().issues] == [
        ("timestamp",),
        ("payload",),
    ]
    assert empty == check_message(empty).unwrap()


def test_any_object_in_a_message_gets_a_verdict():
    """A record filled with nonsense is refused, and nothing raises."""
    nonsense = EngineMessage(None, [], 1.5, ChartRequest(1, 2, 3, 4), meta=object())

    assert len(check_message(nonsense).failure().issues) >= 5


def test_bare_request_paths():
    """Paths of a bare request start at its own fields."""
    request = GRID["payload"]

    assert is_successful(decode_request(json.dumps(request)))
    for path, value, code in [
        (("type",), "x", "unknown_tag"),
        (("instances", 0, "variant"), "no", "unknown_reference"),
        ((*_ACTION[1:], "params"), {"type": "object", "a": 2**53}, "out_of_range"),
    ]:
        found = decode_request(changed(request, path, value)).failure().issues[0]
        assert code == found.code
        assert path == found.path[: len(path)]
    assert decode_request("[" * 99).failure().issues[0].code == "too_deep"


# ---------------------------------------------------------------- turns, candidates


@given(turns())
def test_turns_of_other_versions(turn):
    """A newer version is told from a broken turn."""
    value = encode_turn(turn)

    assert decode_turn(value | {"schema": 2}).failure().kind == "newer_version"
    assert decode_turn({"schema": 99}).failure().kind == "newer_version"
    assert decode_turn(value | {"schema": 0}).failure().kind == "corrupt"
    assert decode_turn(value | {"seq": None}).failure().kind == "corrupt"
    assert decode_turn([]).failure().kind == "corrupt"


@given(json_values)
def test_candidates_are_read_leniently(value):
    """Any value is a candidate, and one that was encoded comes back."""
    assert isinstance(candidate_from_json(value), Candidate)
    candidate = candidate_from_json({"executionPlan": [value], "layout": value})
    assert candidate == candidate_from_json(encode_candidate(candidate))


@given(responses())
def test_a_response_is_no_request(response):
    """VesselId and variant name new instances: a request's layout has none."""
    layout = encode_layout(response.layout)
    named = [
        each
        for each in layout.get("positions", layout.get("nodes"))
        if "vesselId" in each
    ]
    message = changed(GRID, ("payload", "layout"), layout)

    assert bool(named) == ("unknown_field" in [code for _, code in issues(message)])


def test_an_output_that_is_no_json():
    """A client is told that the text is not JSON, as the engine would be."""
    refused = decode_output("{").failure()

    assert [(issue.path, issue.code) for issue in refused.issues] == [
        ((), "malformed_json")
    ]
