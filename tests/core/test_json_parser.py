"""Two parsers, one meaning: orjson reads what the standard parser reads, or nothing."""

import importlib.util
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.core import json_parser
from maelstrom.core.json_parser import is_native, parse, parse_array
from tests.adapters.missing import hide_packages
from tests.core.wire_values import json_values

_DIGITS = st.text("0123456789", min_size=1, max_size=25)
_NUMBERS = st.one_of(
    st.integers().map(str),
    st.integers(-(2**70), 2**70).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.builds("{}{}.{}e{}".format, st.sampled_from(["", "-"]), _DIGITS, _DIGITS, st.integers(-340, 340)),
)  # fmt: skip
_PIECES = st.one_of(
    _NUMBERS,
    json_values.map(json.dumps),
    json_values.map(lambda value: json.dumps(value, ensure_ascii=False, indent=1)),
    st.sampled_from(["NaN", "-Infinity", "01", "1.", ".5", "-0", "-0.0", "1e999", "tru", "",
        '"\\ud800"', '"\\ud83d\\ude00"', '"\\u0000"', '"\x7f"', '"\t"', '"\\x"', "\ufeff1", "\x0b1",
        '{"a":1,"a":2}', '{"a":1,}', "[1,]", "9223372036854775808", "18446744073709551616"]),
    st.text('[]{}",:\\ 01eE+-.tnu\x7f', max_size=12),
)  # fmt: skip
_TEXTS = st.one_of(
    _PIECES, st.lists(_PIECES, max_size=3).map(lambda each: f"[{','.join(each)}]")
)


def _read(text, native):
    try:
        return repr(parse(text, native))  # which tells 1 from 1.0 and 0.0 from -0.0
    except ValueError:
        return "no JSON"


@given(_TEXTS)
def test_orjson_reads_what_the_standard_parser_reads(text):
    """Where orjson may read a text, the values are the same to the type and the sign."""
    assert _read(text, is_native(text.encode())) == _read(text, native=False)


@given(
    json_values,
    st.sampled_from(["", ',"layout":[]}', ' , "layout":1', "]]", '"layout"']),
)
def test_an_array_ends_where_it_ends(value, rest):
    """Whatever follows, array and end are those of the standard parser."""
    text = f"  [{json.dumps(value)}]{rest}"
    expected = ([value], len(text) - len(rest))

    assert expected == parse_array(text, 2, '"layout"', native=True)
    assert expected == parse_array(text, 2, '"layout"', native=False)


@pytest.mark.parametrize("number", [2**63, 2**64, -(2**63) - 1, 10**30])
def test_long_integers_are_left_to_the_standard_parser(number):
    """Orjson would read a float where an integer stands."""
    assert not is_native(b"[%d]" % number)
    assert is_native(b"[%d]" % (number // 100 % 10**18))


def test_without_orjson(monkeypatch):
    """It is optional: nothing is read by it where it is not installed."""
    hide_packages(monkeypatch, "orjson")
    spec = importlib.util.spec_from_file_location("alone", json_parser.__file__)
    alone = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(alone)

    assert alone.NATIVE is None
    assert not alone.is_native(b"[1]")
    assert alone.parse("[1]", native=True) == [1]
    assert alone.parse_array("[1]]", 0, "]", native=True) == ([1], 3)
