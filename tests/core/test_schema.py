"""The response schemas: inside every provider's subset, and one with what is read."""

import json

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.core.answer import decode_candidate
from maelstrom.core.layout import (
    Cell,
    GridLayout,
    Leaf,
    Position,
    Split,
    TilingLayout,
)
from maelstrom.core.response import ActionExecution
from maelstrom.core.schema import encode_answer, response_schema
from maelstrom.core.vessel import Size

MODES = ["grid", "tiling"]
KEYS = {
    "object": {"type", "properties", "required", "additionalProperties"},
    "array": {"type", "items"},
    "string": {"type", "enum"},
    "integer": {"type"},
    "number": {"type"},
}
"""What Gemini, OpenAI's strict mode and Anthropic all take of each type."""


def _forms(form, depth=1):
    """Every form in a schema, with how many objects and arrays it stands within."""
    yield form, depth
    deeper = depth + 1
    for inner in form.get("properties", {}).values():
        yield from _forms(inner, deeper)
    if "items" in form:
        yield from _forms(form["items"], deeper)


@pytest.mark.parametrize("mode", MODES)
def test_keeps_to_what_all_providers_take(mode) -> None:
    """Every type is one of five, every property required, nothing else is allowed."""
    for form, depth in _forms(response_schema(mode)):
        assert set(form) <= KEYS[form["type"]]
        if form["type"] in {"object", "array"}:
            assert depth <= 5
        if form["type"] == "object":
            assert form["properties"]
            assert form["additionalProperties"] is False
            assert form["required"] == list(form["properties"])
        assert all(form.get("enum", ["x"])), "an empty text in an enum is refused"


@pytest.mark.parametrize("mode", MODES)
def test_is_constant_and_nobody_can_change_it(mode) -> None:
    """Each call gives the same bytes, whatever was done to an earlier value."""
    first = response_schema(mode)
    text = json.dumps(first)
    first["properties"].clear()

    assert json.dumps(response_schema(mode)) == text
    assert list(response_schema(mode)["properties"]) == [
        "rationale",
        "executionPlan",
        "layout",
        "userMessage",
    ]


def test_an_answer_reads_like_this() -> None:
    """What a field does not need is an empty text, an empty list or the weight 1."""
    tree = TilingLayout(
        "s",
        (
            Split("s", "row", ("a", "b")),
            Leaf("a", "calendar-1", weight=2.5),
            Leaf("b", "weather-1", vessel_id="weather", variant="current"),
        ),
    )
    plan = (ActionExecution("calendar-1", "showWeek", {"from": 3}),)

    assert encode_answer("Asked.", plan, tree, "Done.") == {
        "rationale": "Asked.",
        "executionPlan": [
            {
                "instanceId": "calendar-1",
                "action": "showWeek",
                "paramsJson": '{"from":3}',
            }
        ],
        "layout": {
            "type": "tiling",
            "root": "s",
            "nodes": [
                {
                    "id": "s", "kind": "split", "direction": "row",
                    "children": ["a", "b"], "weight": 1,
                    "instanceId": "", "vesselId": "", "variant": "",
                },
                {
                    "id": "a", "kind": "leaf", "direction": "", "children": [],
                    "weight": 2.5,
                    "instanceId": "calendar-1", "vesselId": "", "variant": "",
                },
                {
                    "id": "b", "kind": "leaf", "direction": "", "children": [],
                    "weight": 1,
                    "instanceId": "weather-1",
                    "vesselId": "weather", "variant": "current",
                },
            ],
        },
        "userMessage": "Done.",
    }  # fmt: skip


ids = st.text(min_size=1, max_size=6)
optional_ids = st.none() | ids
counts = st.integers(min_value=0, max_value=2**53 - 1)
weights = st.none() | st.floats(min_value=1e-9, max_value=1e9)
sizes = st.builds(Size, counts, counts)
positions = st.builds(
    Position,
    ids,
    st.builds(Cell, counts, counts),
    sizes,
    vessel_id=optional_ids,
    variant=optional_ids,
)
splits = st.builds(
    Split,
    ids,
    st.sampled_from(["row", "column"]),
    st.lists(ids, max_size=3).map(tuple),
    weight=weights,
)
leaves = st.builds(
    Leaf, ids, ids, weight=weights, vessel_id=optional_ids, variant=optional_ids
)
layouts = st.one_of(
    st.builds(GridLayout, st.lists(positions, max_size=3).map(tuple)),
    st.builds(
        TilingLayout,
        optional_ids,
        st.lists(splits | leaves, max_size=4).map(tuple),
    ),
)
params = st.none() | st.dictionaries(ids, st.integers() | ids, max_size=2)
plans = st.lists(st.builds(ActionExecution, ids, ids, params), max_size=3).map(tuple)
messages = st.text(min_size=1).filter(str.strip)


@given(st.text(), plans, layouts, messages)
def test_accepts_every_encoded_answer(rationale, plan, layout, message) -> None:
    """A healed answer in the schema's form is valid, and is read without a repair."""
    mode = "grid" if isinstance(layout, GridLayout) else "tiling"
    answer = encode_answer(rationale, plan, layout, message)
    read = decode_candidate(json.dumps(answer), mode, salvage=False).unwrap()

    jsonschema_rs.validate(response_schema(mode), answer)
    assert read.layout == answer["layout"]
    assert list(read.execution_plan) == answer["executionPlan"]
    assert (read.rationale, read.user_message) == (rationale, message)
    assert read.repairs == ()


def _values(form):
    """Values of a form of the schema, by its own words."""
    match form["type"]:
        case "object":
            inner = form["properties"].items()
            return st.fixed_dictionaries({name: _values(one) for name, one in inner})
        case "array":
            return st.lists(_values(form["items"]), max_size=2)
        case "string":
            return st.sampled_from(form["enum"]) if "enum" in form else st.text()
        case "integer":
            return st.integers()
        case "number":
            return st.integers() | st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("salvage", [True, False])
@given(data=st.data())
def test_all_that_it_accepts_is_read(mode, salvage, data) -> None:
    """A valid answer is read as it is, but for a blank message to the user."""
    answer = data.draw(_values(response_schema(mode)))
    answer["userMessage"] += "x"
    jsonschema_rs.validate(response_schema(mode), answer)
    read = decode_candidate(json.dumps(answer), mode, salvage=salvage).unwrap()

    assert read.layout == answer["layout"]
    assert list(read.execution_plan) == answer["executionPlan"]
