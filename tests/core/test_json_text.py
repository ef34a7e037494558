"""Reading JSON text: what the standard parser lets through is decided by rules."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.pipeline import is_successful

from maelstrom.core.json_surrogates import replace_surrogates
from maelstrom.core.json_text import JsonRules, nests_deeper, parse_json
from maelstrom.core.json_writer import canonical_text, compact_text
from tests.core.wire_values import json_values

WIRE = JsonRules()
ANSWER = JsonRules(first_key_wins=True, constants=True, replace_surrogates=True)
STRICT = JsonRules(overflow=False)


def _code(text, rules=WIRE):
    read = parse_json(text, rules)
    return None if is_successful(read) else read.failure().code


def _value(text, rules=WIRE):
    return parse_json(text, rules).unwrap().value


@given(json_values)
def test_round_trip(value):
    """What is written compactly or canonically is read back equal."""
    assert value == _value(compact_text(value))
    assert value == _value(canonical_text(value).encode())


@given(st.text() | st.binary(), st.sampled_from([WIRE, ANSWER, STRICT]))
def test_total(text, rules):
    """Any input gives a value or a fault."""
    again = parse_json(text, rules)

    assert repr(parse_json(text, rules)) == repr(again)  # NaN equals nothing


@given(st.text('[]{}"\\a:,', max_size=30), st.integers(1, 4))
def test_depth_is_measured_as_the_parser_would(text, limit):
    """A text that is too deep is so to the level, whatever its strings hold."""
    code = _code(text, JsonRules(max_depth=limit))
    try:
        value = json.loads(text)
    except ValueError:
        assert code in ("malformed_json", "too_deep")
    else:
        assert (code == "too_deep") == nests_deeper(value, limit)


@given(json_values, st.integers(1, 3))
def test_depth_of_right_texts(value, limit):
    """The quick measure of depth agrees with a walk over the value."""
    text = json.dumps(value)

    assert (_code(text, JsonRules(max_depth=limit)) == "too_deep") == nests_deeper(
        value, limit
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "malformed_json"),
        ("{} {}", "malformed_json"),
        ("\ufeff{}", "malformed_json"),
        (b"\xef\xbb\xbf{}", "malformed_json"),
        (b"\xff", "malformed_json"),
        (b'"\xed\xa0\x80"', "malformed_json"),
        ("[1,]", "malformed_json"),
        ('"\t"', "malformed_json"),
        ("01", "malformed_json"),
        ("NaN", "malformed_json"),
        ("[-Infinity]", "malformed_json"),
        ('{"a":1,"a":1}', "duplicate_key"),
        (r'{"a":1,"\u0061":1}', "duplicate_key"),
        ("[" * 65 + "]" * 65, "too_deep"),
        ("[" * 64 + "]" * 64, None),
        ('["' + "[" * 99 + '"]', None),
        ('["' + "]" * 99 + '",' + "[" * 64 + "]" * 64 + "]", "too_deep"),
        ('{"a":' * 50_000, "too_deep"),
        ('"\\"[[[[' * 9, "malformed_json"),
        ("1e999", None),
        ("9" * 5_000, None),
    ],
    ids=range(21),
)
def test_strict(text, code):
    """The rules of the wire."""
    assert code == _code(text)


def test_bytes_are_counted_in_utf8():
    """A limit of bytes holds for a str too."""
    rules = JsonRules(max_bytes=4)

    assert _code('"é"', rules) is None
    assert _code('"éé"', rules) == "too_large"
    assert _code(b'"abc"', rules) == "too_large"


def test_duplicates_are_named_by_path():
    """Each object that names a key twice, outer ones first, with the key."""
    text = '{"a":[{"b":1,"b":{"c":1,"c":2}}],"d":1,"d":2}'
    fault = parse_json(text, WIRE).failure()

    assert list(fault.doubles.items()) == [
        ((), "d"),
        (("a", 0), "b"),
        (("a", 0, "b"), "c"),
    ]


def test_the_first_key_wins():
    """Where duplicates are read, the later ones leave nothing."""
    read = parse_json('{"a":{"b":1,"b":2},"a":[{"c":1,"c":2}]}', ANSWER).unwrap()

    assert read.had_duplicates
    assert read.value == {"a": {"b": 1}}
    assert _value('[{"c":1,"c":2}]', ANSWER) == [{"c": 1}]


def test_numbers_without_a_place():
    """Kept where the reader wants to see them, refused where it does not."""
    assert [float("inf"), float("-inf")] == _value("[1e999,-1e999]")
    assert _value("9" * 5_000) > 10**399
    assert _value("NaN", ANSWER) != _value("NaN", ANSWER)
    assert _code("1e999", STRICT) == "malformed_json"
    assert _code("9" * 5_000, STRICT) == "malformed_json"
    assert _value("1.5", STRICT) == 1.5
    assert _value("[-" + "9" * 5_000 + "]")[0] < -(10**398)


def test_long_digits_beside_duplicates():
    """Both oddities in one text are read together."""
    text = '{"a":' + "9" * 5_000 + ',"a":1}'

    assert _value(text, ANSWER)["a"] > 10**399


def test_surrogates():
    """A lone one is kept and announced, or replaced; a pair is a character."""
    lone = parse_json(r'{"\ud800":"\uDC00"}', WIRE).unwrap()

    assert lone.may_hold_surrogates
    assert lone.value == {"\ud800": "\udc00"}
    assert _value(r'{"\ud800":"\uDC00"}', ANSWER) == {"\ufffd": "\ufffd"}
    assert _value('"\ud800"', ANSWER) == "\ufffd"
    assert _value(r'"\ud83d\ude00"', ANSWER) == "😀"
    assert not parse_json('"é"', WIRE).unwrap().may_hold_surrogates
    keys = {chr(0xD800): [1, "a"], chr(0xDFFF): 2}
    assert replace_surrogates(keys) == {"\ufffd": [1, "a"]}


def test_a_lone_surrogate_has_a_text():
    """What cannot be written in UTF-8 is escaped."""
    assert compact_text(["\ud800", "é"]) == r'["\ud800","\u00e9"]'


def test_canonical_text_is_one_for_equal_values():
    """The order of keys has no say."""
    assert canonical_text({"a": 1, "b": [2]}) == canonical_text({"b": [2], "a": 1})


def test_depth_of_hostile_values():
    """A value that holds itself, or much of itself, is deeper than any limit."""
    ring = []
    ring.append(ring)
    ladder = 1
    for _ in range(40):
        ladder = [ladder, ladder]

    assert nests_deeper(ring, 64)
    assert nests_deeper({"a": ladder}, 64)
    assert not nests_deeper("a", 0)
