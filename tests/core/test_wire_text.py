"""The quick way in changes nothing: known or not, by either parser, the verdict stands."""

import json
from concurrent.futures import ThreadPoolExecutor

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.pipeline import is_successful

from maelstrom.core import json_parser
from maelstrom.core.coherence import incoherences
from maelstrom.core.json_writer import compact_text
from maelstrom.core.limits import Limits
from maelstrom.core.wire import check_message, decode_message, encode_message
from maelstrom.core.wire_explain import explain
from maelstrom.core.wire_fields import MESSAGE
from maelstrom.core.wire_hooks import converter
from maelstrom.core.wire_read import read_exactly
from maelstrom.core.wire_text import MEMORY
from tests.core.wire_values import GRID, TILING, broken, changed, messages

_BRACES = [
    "{",
    "}",
    "[",
    "]",
    '"',
    ",",
    ":",
    "\\",
    " ",
    "\n",
    "0",
    "a",
    "é",
    "\x7f",
    "\ud800",
]
_LIMITS = st.sampled_from(
    [Limits(), Limits(nesting=8), Limits(vessels=1), Limits(text_characters=5), Limits(message_bytes=900)]
)  # fmt: skip


def _slowly(text, limits):
    """The record or the issues, by the exact reader, the walk and all the rules."""
    reading = read_exactly(text, limits)
    if not is_successful(reading):
        return reading.failure().issues
    value = reading.unwrap().value
    issues = explain(MESSAGE, value, limits)
    if issues:
        return issues
    record = converter(MESSAGE, limits).structure(value, MESSAGE.record)
    return incoherences(record.payload, ("payload",)) or record


def _quickly(text, limits):
    decoded = decode_message(text, limits)
    return decoded.unwrap() if is_successful(decoded) else decoded.failure().issues


def _stands(text, limits=None):
    """The verdict by each way: unknown and known catalogue, text and bytes."""
    limits = limits or Limits()
    expected = _slowly(text, limits)
    known = MEMORY._known
    MEMORY.forget()
    for _ in range(3):  # unknown, noted, and known
        assert expected == _quickly(text, limits)
    MEMORY._known = known
    assert expected == _quickly(text, limits)
    if "\ud800" not in text:
        assert expected == _quickly(text.encode(), limits)
    return expected


@pytest.fixture(params=["orjson", "standard"], autouse=True, scope="module")
def parser(request):
    """Each test by each parser."""
    native = json_parser.NATIVE
    if request.param == "standard":
        json_parser.NATIVE = None
    yield request.param
    json_parser.NATIVE = native


def _know(text, limits=None):
    for _ in range(2):  # a catalogue is kept at its second sight
        decode_message(text, limits or Limits())


def _array(text):
    """The text of the catalogue, as it stands in a message."""
    start = text.index('"vessels":') + len('"vessels":')
    start += len(text[start:]) - len(text[start:].lstrip())
    return text[start : json.JSONDecoder().raw_decode(text, start)[1]]


@st.composite
def _mangled(draw):
    """A right message's text and what may become of it."""
    value = encode_message(draw(messages()))
    text = draw(
        st.sampled_from(
            [
                compact_text(value),
                json.dumps(value),
                json.dumps(value, indent=1, ensure_ascii=False),
                json.dumps(value, sort_keys=True),
            ]
        )
    )
    array = _array(text)
    how = draw(st.sampled_from(["cut", "insert", "drop", "twice", "elsewhere", "mark", "after", "as it is"]))  # fmt: skip
    place = draw(st.integers(0, len(text)))
    match how:
        case "cut":
            return text, text[:place]
        case "insert":
            return text, text[:place] + draw(st.sampled_from(_BRACES)) + text[place:]
        case "drop":
            return text, text[:place] + text[place + draw(st.integers(1, 9)) :]
        case "twice":
            key = draw(
                st.sampled_from(['"vessels":', '"ves\\u0073els" : ', '"layout":'])
            )
            more = f"{key}{draw(st.sampled_from([array, '[]', '5']))}"
            at = draw(st.sampled_from(['"type"', '"context"', '"vessels"', '"layout"']))
            return text, text.replace(at, f"{more},{at}", 1)
        case "elsewhere":
            other = draw(st.sampled_from(['"\x7f"', "[]", '"\\u007f"', "null", "NaN"]))
            bare = text.replace(array, other)
            at = draw(st.sampled_from(['"sessionId"', '"context"', '"id"']))
            return text, bare.replace(at, f'"meta":{{"vessels":{array}}},{at}', 1)
        case "mark":
            mark = draw(st.sampled_from(['"\x7f"', '"\\u007f"', '"\\u007F"']))
            return text, text.replace('"chart_request"', mark, 1)
        case "after":
            return text, text + draw(st.sampled_from([" ", "\n{}", ",", "]", text]))
        case _:
            return text, text


@given(_mangled(), _LIMITS)
def test_no_way_in_changes_the_verdict(texts, limits):
    """Any text is accepted or refused alike, whatever is known from the text before."""
    right, mangled = texts
    _know(right, limits)

    _stands(mangled, limits)


@given(messages().map(encode_message).flatmap(broken))
def test_broken_values_have_one_verdict(value):
    """Values that are broken anywhere have the same issues by each way."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError):
        return
    _know(json.dumps(GRID))

    _stands(text)


@given(messages())
def test_a_known_catalogue_is_the_same_records(message):
    """The records of a known catalogue come back themselves."""
    MEMORY.forget()
    message = attrs.evolve(message, meta=None)  # which may hold what the mark is
    text = compact_text(encode_message(message))
    first, second, third = (decode_message(text).unwrap().payload for _ in range(3))

    assert first == second == third == message.payload
    assert third.vessels is second.vessels


@pytest.mark.parametrize(
    ("text", "is_known"),
    [
        (json.dumps(GRID | {"meta": {"a": "\x7f"}}, ensure_ascii=False), False),
        (json.dumps(GRID | {"meta": {"a": "\x7f"}}), False),
        (json.dumps({"meta": {"vessels": []}} | GRID), False),
        (json.dumps(GRID | {"meta": {"a": "é\\"}}), True),
        (json.dumps(GRID, indent=2), False),
        (json.dumps(GRID), True),
    ],
    ids=range(6),
)
def test_what_is_known(text, is_known):
    """A catalogue is known by its text, where nothing can be taken for the mark."""
    MEMORY.forget()
    _know(json.dumps(GRID))
    known = decode_message(json.dumps(GRID)).unwrap().payload
    found = decode_message(text).unwrap().payload

    assert (found.vessels is known.vessels) == is_known
    assert found.vessels == known.vessels


def test_limits_are_part_of_what_is_known():
    """What was right under one set of limits is not so under another."""
    text = json.dumps(GRID)
    _stands(text)

    assert _stands(text, Limits(vessels=1))[0].code == "too_many"
    assert _stands(text, Limits(nesting=7))[0].code == "too_deep"


@pytest.mark.parametrize(("levels", "codes"), [(63, []), (64, ["too_deep"])])
def test_what_stands_around_is_measured(levels, codes):
    """A known catalogue hides no depth of what stands beside it."""
    deep = "[" * levels + "]" * levels
    text = json.dumps(GRID | {"meta": {"a": []}}).replace("[]", deep[1:-1])
    _know(json.dumps(GRID))

    assert codes == [issue.code for issue in _issues(_stands(text))]


def test_only_accepted_catalogues_are_known():
    """A catalogue beside a fault, or with one, is read anew each time."""
    MEMORY.forget()
    for path, value in [
        (("timestamp",), None),
        (("payload", "vessels", 0, "initialVariant"), "no"),
        (("payload", "instances", 0, "vesselId"), "no"),
        (("payload", "vessels", 0, "description"), "\ud800"),
    ]:
        _know(json.dumps(changed(GRID, path, value)))

    assert MEMORY._known == MEMORY._seen == ()


@pytest.mark.parametrize("fault", [1e999, 2**63, 2**64, 10**30, -(10**30)])
def test_numbers_of_schemas_are_read_exactly(fault):
    """An integer that no double holds is no float in a parameter schema, nor a weight."""
    schema = ("payload", "vessels", 0, "variants", 0, "actions", 0, "params")
    params = {"type": "object", "maximum": fault}
    weight = ("payload", "layout", "nodes", 1, "weight")
    for message, path, value in [(GRID, schema, params), (TILING, weight, fault)]:
        text = json.dumps(changed(message, path, value)).replace("Infinity", "1e999")
        assert [issue.code for issue in _stands(text)] == ["out_of_range"]


def test_escapes_are_no_lone_surrogates():
    """A pair of escapes is a character; one that stands alone is an issue."""
    path = ("payload", "context", "updateReasons", 0, "intent")

    for intent, codes in [
        ("🙂", []),
        ("\\ud83d\\ude00", []),
        ("\ud83d!", ["bad_text"]),
        ("\ude00\ud83d", ["bad_text"]),
        ("\ud83d\\\ude00", ["bad_text"]),
        ("\ud83d🙂\ude00", ["bad_text"]),
    ]:
        found = _stands(json.dumps(changed(GRID, path, f"a{intent}")))
        assert codes == [getattr(issue, "code", None) for issue in _issues(found)]


def _issues(found):
    return found if isinstance(found, tuple) else ()


# ---------------------------------------------------------------- records decoded before


@given(
    messages(), st.sampled_from(["session_id", "id", "timestamp", "meta"]), st.data()
)
def test_a_request_is_checked_once(message, name, data):
    """A decoded request in another envelope has the verdict of one made by hand."""
    decoded = decode_message(encode_message(message)).unwrap()
    value = data.draw(st.sampled_from(["s", "", 5, None, {"a": 1}, {"a": 1e999}, []]))
    renamed = attrs.evolve(decoded, **{name: value})
    by_hand = attrs.evolve(renamed, payload=attrs.evolve(renamed.payload))

    assert check_message(renamed) == check_message(by_hand)


def test_a_request_is_right_under_its_limits():
    """Under other limits a decoded request is checked again."""
    message = decode_message(GRID).unwrap()

    assert check_message(message).unwrap().payload is message.payload
    assert not is_successful(check_message(message, Limits(vessels=1)))


def test_a_server_decodes_once():
    """A decoded request in a renamed session is handed on as it is."""
    message = decode_message(GRID).unwrap()
    renamed = attrs.evolve(message, session_id="subject/s", meta={"a": [1]})
    checked = check_message(renamed).unwrap()

    assert checked == renamed
    assert checked.payload is message.payload
    assert checked.meta is not renamed.meta


def test_requests_are_forgotten():
    """After many others a request is checked anew; the verdict is the same."""
    first = decode_message(GRID).unwrap()
    for _ in range(64):
        decode_message(TILING)
    again = check_message(first).unwrap()

    assert again == first
    assert again.payload is not first.payload


def test_threads_share_what_is_known():
    """Many threads and more catalogues than are kept: each gets its own records."""
    texts = [
        json.dumps(changed(GRID, ("payload", "vessels", 0, "description"), f"No. {n}"))
        for n in range(20)
    ]
    expected = [_slowly(text, Limits()) for text in texts]

    def decode_all(first):
        order = [(first + n) % len(texts) for n in range(4 * len(texts))]
        return all(_quickly(texts[n], Limits()) == expected[n] for n in order)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(decode_all, range(8)))
    assert len(MEMORY._known) <= 16
