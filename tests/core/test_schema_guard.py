"""Each bound of a parameter schema, with the attack that it is there for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.result import Failure, Success

from maelstrom.core.params_validator import _native
from maelstrom.core.schema_guard import (
    MAX_NODES,
    check_params,
    schema_fault,
)
from tests.core.wire_values import json_values


def _object(**more):
    return {"type": "object", **more}


def _of(schema):
    return _object(properties={"a": schema})


def _ladder(rungs):
    """Definitions that each refer twice to the next: 2^rungs nodes."""
    step = {
        f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(rungs)
    }
    return _of({"$ref": "#/$defs/d0"}) | {"$defs": {**step, f"d{rungs}": {}}}


def _deep(levels, holder):
    value = {}
    for _ in range(levels):
        value = holder(value)
    return value


_REFUSED = {
    "no object": [],
    "a boolean schema": True,
    "no type": {"properties": {}},
    "another type": {"type": "string"},
    "two types": {"type": ["object", "null"]},
    "no valid schema": _object(properties=5),
    "an unknown type": _of({"type": "text"}),
    "a wrong bound": _of({"minLength": -1}),
    "64 kB": _object(description="x" * 64_000),
    "64 kB in UTF-8": _object(description="é" * 32_000),
    "a file": _of({"$ref": "file:///etc/passwd"}),
    "a web page": _of({"$ref": "http://127.0.0.1:9/a.json"}),
    "a file under not": _of({"not": {"$ref": "file:///etc/passwd"}}),
    "a file under contentSchema": _of({"contentSchema": {"$ref": "file:///a"}}),
    "a file under definitions": _object(definitions={"a": {"$ref": "file:///a"}}),
    "a file under dependencies": _object(dependencies={"a": {"$ref": "file:///a"}}),
    "a file beside the definitions": _object(**{"$defs": {"a": {"$ref": "file:///a"}}}),
    "itself": _of({"$ref": "#"}),
    "a pointer elsewhere": _of({"$ref": "#/properties/b"}),
    "a pointer into a definition": _of({"$ref": "#/$defs/a/b"}),
    "no definition": _of({"$ref": "#/$defs/a"}),
    "no definition, from one": _object(**{"$defs": {"a": {"$ref": "#/$defs/b"}}}),
    "a reference that is no text": _of({"$ref": 5}),
    "definitions that are none": _object(**{"$defs": []}),
    "a ring of one": _object(**{"$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}}),
    "a ring of two": _object(
        **{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    ),
    "an id": _of({"$id": "https://example.com/a"}),
    "an anchor": _of({"$anchor": "a"}),
    "a dynamic reference": _of({"$dynamicRef": "#a"}),
    "another dialect": _object(
        **{"$schema": "http://json-schema.org/draft-07/schema#"}
    ),
    "another dialect inside": _of({"$schema": "http://example.com"}),
    "a ladder": _ladder(28),
    "many nodes": _object(allOf=[{}] * MAX_NODES),
    "a look-ahead": _of({"pattern": "^(?=a)"}),
    "a look-behind": _of({"pattern": "(?<!a)b"}),
    "a back-reference": _of({"pattern": r"(a+)\1$"}),
    "a look-ahead in a name": _object(patternProperties={"(?!a)": {}}),
    "a look-ahead in a definition that nothing names": _object(
        **{"$defs": {"a": {"pattern": "(?=a)"}}}
    ),
    "no pattern": _of({"pattern": "("}),
    "a pattern of a million states": _of({"pattern": "(a{1000}){1000}"}),
    "a number without a place": _of({"maximum": float("inf")}),
    "a long integer": _of({"maximum": 2**53}),
    "a lone surrogate": _of({"const": "\ud800"}),
    "65 levels": _of(_deep(64, lambda inner: {"not": inner})),
    "20,000 levels": _of(_deep(20_000, lambda inner: {"not": inner})),
    "20,000 lists": _object(default=_deep(20_000, lambda inner: [inner])),
}

_TAKEN = {
    "bare": _object(),
    "its dialect": _object(
        **{"$schema": "https://json-schema.org/draft/2020-12/schema"}
    ),
    "a definition": _of({"$ref": "#/$defs/a"}) | {"$defs": {"a": {"type": "string"}}},
    "a definition twice": _ladder(3),
    "a property named $ref": _object(properties={"$ref": {"type": "string"}}),
    "a property named $id": _object(properties={"$id": {"type": "string"}}),
    "data that looks like a reference": _of(
        {
            "const": {"$ref": "file:///a"},
            "enum": [{"$id": "a"}],
            "default": {"$ref": "#"},
            "examples": [{"$anchor": 5}],
        }
    ),
    "an unknown keyword": _object(**{"x-ui": {"$ref": "file:///a"}}),
    "older keywords": _object(dependencies={"a": ["b"]}),
    "a pattern that backtracking would die of": _of({"pattern": "^(a+)+$"}),
    "almost too many nodes": _object(allOf=[{}] * (MAX_NODES - 1)),
    "64 levels": _of(_deep(61, lambda inner: {"not": inner})),
}


@pytest.mark.parametrize("name", _REFUSED)
def test_refused(name):
    """A schema out of bounds is refused, and so are parameters under it."""
    assert isinstance(schema_fault(_REFUSED[name]), str)
    assert Failure("schema") == check_params(_REFUSED[name], {})


@pytest.mark.parametrize("name", _TAKEN)
def test_taken(name):
    """A schema within bounds is taken, and judges parameters."""
    assert schema_fault(_TAKEN[name]) is None
    assert Success(None) == check_params(_TAKEN[name], {})
    assert Failure("type") == check_params(_TAKEN[name], [])


def test_words_of_a_refusal_show_no_schema():
    """What a schema holds is not in the words that refuse it."""
    words = [
        schema_fault(_of({"pattern": "(?=secret)"})),
        schema_fault(_of({"$id": "secret"})),
    ]

    assert not any("secret" in word for word in words)


@pytest.mark.parametrize(
    ("schema", "params", "expected"),
    [
        (_of({"type": "integer"}), {"a": 1}, Success(None)),
        (_of({"type": "integer"}), {"a": "1"}, Failure("type")),
        (_of({"type": "integer"}), {"a": True}, Failure("type")),
        (_object(required=["a"]), {}, Failure("required")),
        (
            _object(additionalProperties=False),
            {"b": 1},
            Failure("additionalProperties"),
        ),
        (_of(False), {"a": 1}, Failure("properties")),
        (_of({"pattern": "^a+$"}), {"a": "b"}, Failure("pattern")),
        (_object(), {"a": float("nan")}, Failure("bounds")),
        (_object(), {"a": [float("inf")]}, Failure("bounds")),
        (_object(), {"a": 2**53}, Failure("bounds")),
        (_object(), {"a": 2**53 - 1}, Success(None)),
        (_object(), {"a": "\ud800"}, Failure("bounds")),
        (_object(), {1: 2}, Failure("bounds")),
        (_object(), {"a": (1,)}, Failure("bounds")),
        (_object(), _deep(31, lambda inner: {"a": inner}), Success(None)),
        (_object(), _deep(32, lambda inner: {"a": inner}), Failure("nesting")),
        (_object(), _deep(20_000, lambda inner: {"a": inner}), Failure("nesting")),
        (_object(), _deep(20_000, lambda inner: [inner]), Failure("nesting")),
    ],
    ids=range(18),
)
def test_params(schema, params, expected):
    """Bounds come first; then the schema's own keyword is what refuses."""
    assert expected == check_params(schema, params)


def test_a_catastrophic_pattern_is_linear():
    """A pattern that takes a backtracking engine for ever is decided at once."""
    found = check_params(_of({"pattern": "^(a+)+$"}), {"a": "a" * 50_000 + "b"})

    assert Failure("pattern") == found


def test_equal_numbers_of_other_types_are_other_schemas():
    """1, 1.0 and true are told apart, though Python finds them equal."""
    assert schema_fault(_of({"minLength": 1})) is None
    assert schema_fault(_of({"minLength": True})) is not None


@given(
    st.dictionaries(
        st.sampled_from(
            ["type", "$ref", "$defs", "not", "items", "allOf", "pattern", "properties"]
        ),
        json_values | st.just("object"),
    ),
    json_values,
)
def test_any_schema_gets_a_verdict(schema, params):
    """Whatever JSON is given as schema and parameters, nothing raises."""
    fault = schema_fault(schema)
    checked = check_params(schema, params)

    assert fault is None or Failure("schema") == checked


def test_a_number_that_python_cannot_write_is_refused():
    """A mapping may hold an integer of more digits than Python turns into text."""
    assert schema_fault(_of({"maximum": 10**5_000})) is not None
    assert schema_fault(_of({"maximum": 2**53})) is not None


def test_the_validator_opens_nothing():
    """Should the guard miss a reference, the validator still has no way to it."""
    with pytest.raises(ValueError, match="file:///a"):
        _native({"$ref": "file:///a"})
