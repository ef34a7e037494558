"""The hooks: they count what they structure, and what they accept nothing explains away."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.pipeline import is_successful

from maelstrom.core.json_strings import strings_of_value
from maelstrom.core.json_text import JsonRules
from maelstrom.core.json_writer import compact_text
from maelstrom.core.limits import Limits
from maelstrom.core.wire import (
    decode_message,
    encode_message,
    encode_output,
    encode_turn,
)
from maelstrom.core.wire_copy import copy_json
from maelstrom.core.wire_explain import explain
from maelstrom.core.wire_fields import ENVELOPE, MESSAGE, OUTPUT, TURN
from maelstrom.core.wire_hooks import accepting, structured
from tests.core.wire_values import GRID, broken, changed, messages, outputs, turns

LIMITS = Limits()


def _plain(value):
    return json.loads(compact_text(value))


@given(messages(), outputs)
def test_strings_are_counted(message, output):
    """A structured value holds as many strings as were counted on the way."""
    for shape, value in [
        (MESSAGE, _plain(encode_message(message))),
        (OUTPUT, _plain(encode_output(output))),
    ]:
        record, strings = structured(shape, value, LIMITS)
        assert record == (message if shape is MESSAGE else output)
        assert strings == strings_of_value(value)


@given(turns())
def test_strings_of_turns_are_counted(turn):
    """A stored turn holds as many strings as were counted."""
    value = _plain(encode_turn(turn))

    assert structured(TURN, value, LIMITS) == (turn, strings_of_value(value))


def test_strings_of_an_envelope_are_counted():
    """Those of ``meta`` among them, at any depth."""
    value = {"sessionId": "s", "id": "i", "timestamp": 1, "meta": {"a": [{"b": "c"}]}}

    assert structured(ENVELOPE, value, LIMITS)[1] == 9


@given(st.data())
def test_items_passed_over_have_no_issues(data):
    """Issues are the same whether right items are passed over or walked through."""
    for shape, right in [
        (MESSAGE, messages().map(encode_message)),
        (OUTPUT, outputs.map(encode_output)),
    ]:
        copied = copy_json(data.draw(right.flatmap(broken)), JsonRules())
        if not is_successful(copied) or copied.unwrap().may_hold_surrogates:
            continue
        value = copied.unwrap().value
        assert explain(shape, value, LIMITS) == explain(
            shape, value, LIMITS, accepting(shape, LIMITS)
        )


@pytest.mark.parametrize("value", [True, 1.0, "1", None, [], {}])
def test_a_kept_record_hides_no_wrong_type(value):
    """Sizes of 1 have been seen before; what equals 1 is no integer for that."""
    assert is_successful(decode_message(GRID))
    place = ("payload", "layout", "positions", 0, "size", "width")
    cell = ("payload", "layout", "positions", 0, "position", "column")

    for path in (place, cell):
        right = changed(GRID, path, 1)
        assert is_successful(decode_message(right))
        issue = decode_message(changed(right, path, value)).failure().issues[0]
        assert (issue.path, issue.code) == (path, "wrong_type")
