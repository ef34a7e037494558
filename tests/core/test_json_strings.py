"""Counting strings finds each key that was named twice, and nothing else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.core.json_strings import strings_of_text, strings_of_value
from tests.core.wire_values import json_values

_SPACE = st.text(" \n\t\r", max_size=2)
_STRINGS = st.one_of(
    st.text('ab":\\,{}[]é\x7f', max_size=4).map(json.dumps),
    st.text('ab":\\,{}[]é\x7f', max_size=4).map(lambda text: json.dumps(text, ensure_ascii=False)),
    st.sampled_from(['"a"', '"\\u0061"', '"a\\\\"', '"\\\\\\""', '"\\":"', '": a"', '"\\ud83d\\ude00"', '"\\ud800"']),
)  # fmt: skip


def _spaced(draw, *parts):
    return "".join(part + draw(_SPACE) for part in parts)


@st.composite
def _texts(draw, depth=3):
    """JSON text with equal keys at any level, white space and escapes."""
    kind = draw(st.sampled_from(["atom", "string", "list", "object", "object"]))
    if depth == 0 or kind == "string":
        return draw(_STRINGS)
    if kind == "atom":
        return draw(st.sampled_from(["1", "-2.5e3", "true", "false", "null"]))
    inner = _texts(depth=depth - 1)
    if kind == "list":
        items = draw(st.lists(inner, max_size=3))
        return _spaced(draw, "[", ",".join(_spaced(draw, each) for each in items), "]")
    pairs = draw(st.lists(st.tuples(_STRINGS, inner), max_size=4))
    written = (_spaced(draw, key, ":", value) for key, value in pairs)
    return _spaced(draw, "{", ",".join(written), "}")


def _names_twice(text):
    """What a parser that looks at each object's pairs says."""
    found = []

    def look(pairs):
        found.append(len(dict(pairs)) != len(pairs))
        return dict(pairs)

    json.loads(text, object_pairs_hook=look)
    return any(found)


@given(_texts())
def test_a_lost_string_is_a_key_named_twice(text):
    """Text and value differ in strings exactly where some object repeats a key."""
    lost = strings_of_text(text) - strings_of_value(json.loads(text))

    assert lost >= 0
    assert (lost > 0) == _names_twice(text)


@given(json_values, st.booleans(), st.sampled_from([None, 1]))
def test_what_is_written_keeps_its_strings(value, ascii_only, indent):
    """However a value is written, its text has the value's strings."""
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)

    assert strings_of_text(text) == strings_of_value(value)


@pytest.mark.parametrize(
    ("text", "strings"),
    [
        ("1", 0),
        ('""', 1),
        (r'["\\","\"","\\\""]', 3),
        ('{"a" : "b:" , "c":"\\":"}', 4),
        ('{"a":1,"a":{"b":2}}', 3),
    ],
)
def test_strings_of_texts(text, strings):
    """Quotes behind a backslash open and close nothing."""
    assert strings_of_text(text) == strings
