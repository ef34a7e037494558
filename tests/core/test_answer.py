"""Lane 2: which object is the answer, and whether it has an answer's shape."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.core.answer import decode_candidate
from maelstrom.core.errors import ParseError, ProviderError
from maelstrom.core.limits import Limits
from tests.core.answer_texts import ANSWER, TEXT, answers, kind_of

TILING = ANSWER | {"layout": {"type": "tiling", "root": "", "nodes": []}}


def _without(name):
    return {key: value for key, value in ANSWER.items() if key != name}


def test_the_byte_limit_comes_first() -> None:
    """Bytes are counted, not characters; even a cut answer is first of all too long."""
    text = TEXT.replace("Done.", "é" * 10)
    limit = len(text.encode())

    assert kind_of(text, limits=Limits(answer_bytes=limit - 1)) == "schema_violation"
    assert kind_of("é" * 9, "grid", finish_reason="length") == "truncated"
    assert decode_candidate(text, "grid", limits=Limits(answer_bytes=limit)).unwrap()
    assert (
        kind_of(TEXT, finish_reason="length", limits=Limits(answer_bytes=9))
        == "schema_violation"
    )


def test_a_cut_answer_is_truncated_even_if_it_parses() -> None:
    """The finish reason is believed before the text is looked at."""
    assert kind_of(TEXT, finish_reason="length") == "truncated"


@pytest.mark.parametrize("salvage", [True, False])
@pytest.mark.parametrize(
    "answer",
    [
        {},
        _without("executionPlan"),
        _without("layout"),
        _without("userMessage"),
        ANSWER | {"userMessage": None},
        ANSWER | {"userMessage": 5},
        ANSWER | {"rationale": 5},
        ANSWER | {"executionPlan": {}},
        ANSWER | {"layout": None},
        ANSWER | {"layout": {"type": "grid"}},
        ANSWER | {"layout": {"type": "grid", "positions": "a"}},
        ANSWER | {"layout": {"positions": []}},
        TILING,
    ],
)
def test_the_response_level_is_strict(answer, salvage) -> None:
    """Texts, a list, and a layout of the requested type with its list are required."""
    assert kind_of(json.dumps(answer), salvage=salvage) == "schema_violation"


@pytest.mark.parametrize(
    "answer",
    [
        ANSWER | {"rationale": None},
        ANSWER | {"executionPlan": [None]},
        ANSWER | {"executionPlan": [{"instanceId": "a", "action": "go"}]},
        ANSWER | {"executionPlan": [{"instanceId": "a", "action": "go", "params": {}}]},
        ANSWER | {"layout": {"type": "grid", "positions": [{"instanceId": "a"}]}},
    ],
)
def test_pieces_are_handed_on_with_salvage_alone(answer) -> None:
    """What heal can drop alone fails the whole answer without salvage."""
    text = json.dumps(answer)

    assert decode_candidate(text, "grid").unwrap().layout == answer["layout"]
    assert kind_of(text, salvage=False) == "schema_violation"


def _node(**changes):
    return {
        "id": "a", "kind": "leaf", "direction": "", "children": [], "weight": 1,
        "instanceId": "i", "vesselId": "", "variant": "",
    } | changes  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "fits"),
    [
        ({}, True),
        ({"weight": 0.5}, True),
        ({"colour": "red"}, True),
        ({"weight": True}, False),
        ({"weight": "1"}, False),
        ({"kind": "branch"}, False),
        ({"children": [1]}, False),
        ({"id": None}, False),
    ],
)
def test_the_schema_by_the_letter(changes, fits) -> None:
    """Without salvage types and enums count, down to the leaves; unknown keys do not."""
    layout = {"type": "tiling", "root": "a", "nodes": [_node(**changes)]}
    text = json.dumps(TILING | {"layout": layout})
    read = decode_candidate(text, "tiling", salvage=False)

    assert isinstance(read.swap().value_or(None), ProviderError) is not fits


@pytest.mark.parametrize(("row", "fits"), [(1, True), (1.0, True), (1.5, False)])
def test_an_integer_is_what_json_schema_says(row, fits) -> None:
    """A fraction of zero is an integer; true is none."""
    piece = {
        "instanceId": "a", "vesselId": "", "variant": "",
        "position": {"row": row, "column": 0}, "size": {"width": 1, "height": 1},
    }  # fmt: skip
    layout = {"type": "grid", "positions": [piece]}
    read = decode_candidate(
        json.dumps(ANSWER | {"layout": layout}), "grid", salvage=False
    )

    assert isinstance(read.swap().value_or(None), ProviderError) is not fits


@pytest.mark.parametrize("salvage", [True, False])
def test_a_missing_rationale_is_a_soft_failure(salvage) -> None:
    """It is read as an empty one; mend warns of it."""
    read = decode_candidate(json.dumps(_without("rationale")), "grid", salvage=salvage)

    assert read.unwrap().rationale == ""


@pytest.mark.parametrize("blank", ["", " \n", "\u00a0\u2003"])
def test_a_blank_message_is_a_parse_error(blank) -> None:
    """The answer is well formed, and lacks what it must have."""
    read = decode_candidate(json.dumps(ANSWER | {"userMessage": blank}), "grid")

    assert isinstance(read.failure(), ParseError)
    assert read.failure().field == "userMessage"


@given(answers("tiling"))
def test_pieces_come_through_unchanged(answer) -> None:
    """Salvage judges no piece: whatever stands in the lists is handed on."""
    read = decode_candidate(json.dumps(answer), "tiling").unwrap()

    assert repr(list(read.execution_plan)) == repr(answer["executionPlan"])
    assert repr(read.layout) == repr(answer["layout"])
    assert read.repairs == ()


@given(st.text(), st.sampled_from(["grid", "tiling"]), st.booleans())
def test_no_error_quotes_the_answer(secret, mode, salvage) -> None:
    """What a model wrote stands in no error's text."""
    secret = f"secret-{secret}"
    answer = {secret: secret, "userMessage": "x", "layout": {"type": secret}}
    read = decode_candidate(json.dumps(answer), mode, salvage=salvage)

    assert secret not in read.failure().message
