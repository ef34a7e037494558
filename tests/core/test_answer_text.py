"""Lane 1: from a text to the objects in it, with nothing lost."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.pipeline import is_successful

from maelstrom.core.answer import decode_candidate
from maelstrom.core.answer_text import read_objects
from maelstrom.core.limits import Limits
from tests.core.answer_texts import ANSWER, TEXT, answers, kind_of, repairs_of

OTHER = TEXT.replace("Done.", "Second.")
LONG = 2**18

REPAIRED = [
    # what stands around the object
    ("\n\t " + TEXT + "\r\n", []),
    ("\u00a0" + TEXT + "\u2003\n", ["white_space"]),
    ("\x0b\x0c" + TEXT, ["white_space"]),
    ("\ufeff" + TEXT, ["bom_removed"]),
    ("\ufeff```json\n" + TEXT + "\n```", ["bom_removed", "fence_removed"]),
    ("<think>is it {this}?</think>" + TEXT, ["think_removed"]),
    (TEXT + "<think>done</think>", ["think_removed"]),
    ("<think>a</think>\n<think>b</think>\n" + TEXT, ["think_removed"]),
    ("<think>never closed. " + TEXT, ["prose_removed"]),
    ("only closed.</think>" + TEXT, ["prose_removed"]),
    ("```\n" + TEXT + "\n```\n", ["fence_removed"]),
    ("~~~json\n" + TEXT + "\n~~~", ["fence_removed"]),
    ("```json " + TEXT + "```", ["fence_removed"]),
    ("```json\n" + TEXT, ["fence_removed"]),
    (
        "<think>x</think>\n```json\n" + TEXT + "\n```",
        ["think_removed", "fence_removed"],
    ),
    ("```json\n" + TEXT + "\n```thanks", ["fence_removed", "prose_removed"]),
    ("First ```sh\nls\n```\nthen: " + TEXT, ["prose_removed"]),
    ("Use {braces} like " + TEXT, ["prose_removed"]),
    (TEXT + "}", ["prose_removed"]),
    ("See [1] and [docs](x): " + TEXT, ["prose_removed"]),
    (TEXT + " and then {", ["prose_removed"]),
    # more than one object
    (TEXT + OTHER, ["extra_object"]),
    (TEXT + TEXT, ["extra_object"]),
    (TEXT + " or " + OTHER, ["prose_removed", "extra_object"]),
    # inside the object
    (TEXT.replace("[]", "[1 ,\n]"), ["trailing_comma"]),
    (TEXT[:-1] + ",}", ["trailing_comma"]),
    (TEXT.replace("Done.", "a\n\x00\tb"), ["control_character"]),
    (TEXT.replace("{", '{"rationale": "First.", ', 1), ["duplicate_key"]),
    # all of it in a string
    (json.dumps(TEXT), ["double_encoded"]),
    ("```json\n" + json.dumps(TEXT) + "\n```", ["fence_removed", "double_encoded"]),
    (json.dumps("Here: " + TEXT), ["prose_removed", "double_encoded"]),
    ("\ufeff" + json.dumps(TEXT), ["bom_removed", "double_encoded"]),
    (
        "```\n"
        + json.dumps(TEXT.replace("[]", "[1,]")).replace("D", "\x01D")
        + "\n```",
        ["fence_removed", "trailing_comma", "control_character", "double_encoded"],
    ),
]


@pytest.mark.parametrize(("text", "repairs"), REPAIRED)
def test_reads_and_says_what_it_took(text, repairs) -> None:
    """What changes no meaning is repaired, each repair recorded once, in one order."""
    assert repairs_of(text) == repairs


MALFORMED = [
    "",
    " \n ",
    "I could not do that.",
    '"I could not do that."',
    TEXT[:-1],
    '{"note": 1} and then ' + TEXT[:-1],
    '{"a": ' + TEXT,
    TEXT.replace('"', "\u201c"),
    TEXT.replace('"', "'"),
    TEXT[:-1] + "/* why */}",
    TEXT.replace("[]", "[,]"),
    TEXT.replace("[]", "[1,,]"),
    TEXT.replace("Done.", "a\\\nb"),
    "[" + TEXT[:-1] + "]",
]


@pytest.mark.parametrize("text", MALFORMED)
def test_what_loses_meaning_is_no_repair(text) -> None:
    """A text that needs a guess is malformed, whatever stands inside it."""
    assert kind_of(text) == "malformed_json"


@pytest.mark.parametrize(
    "text",
    [
        "5",
        "null",
        "[]",
        json.dumps(json.dumps(TEXT)),
        f"[{TEXT}]",
        f"[{TEXT},]",
        f"```json\n[{TEXT}]\n```",
        f"Here: [{TEXT}, {OTHER}] it is",
    ],
)
def test_what_is_no_object_has_not_the_shape(text) -> None:
    """JSON that is no object, an array around the answer too, violates the schema."""
    assert kind_of(text) == "schema_violation"


def test_the_first_object_that_fits_counts() -> None:
    """A draft before the answer is passed over, and so is an array beside it."""
    draft = decode_candidate('{"note": 1}' + TEXT + OTHER, "grid").unwrap()
    array = decode_candidate(f"[{OTHER}] {TEXT}", "grid").unwrap()

    assert draft.user_message == array.user_message == "Done."


def test_nesting_is_bounded() -> None:
    """The object itself counts; one level over the limit is malformed."""
    deep = ANSWER | {"extra": []}
    for _ in range(62):
        deep["extra"] = [deep["extra"]]
    text = json.dumps(deep)

    assert repairs_of(text) == []
    assert kind_of(text, limits=Limits(nesting=63)) == "malformed_json"


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999", "9" * 5_000])
def test_numbers_that_json_cannot_hold(number) -> None:
    """They are read, for their piece to fall alone; without salvage they are no JSON."""
    text = TEXT.replace("[]", f"[{number}]")

    assert repairs_of(text) == []
    assert kind_of(text, salvage=False) == "malformed_json"


def test_lone_surrogates_are_replaced() -> None:
    """In texts and in keys, written as escapes or raw; a pair stays a character."""
    text = TEXT.replace("[]", r'[{"\ud800": "\ud83c\udf78 \ud83c"}]')
    layout = decode_candidate(text, "grid").unwrap().layout
    raw = decode_candidate(TEXT.replace("Done.", "\udc00!"), "grid").unwrap()

    assert layout["positions"] == [{"\ufffd": "\U0001f378 \ufffd"}]
    assert raw.user_message == "\ufffd!"


@pytest.mark.parametrize(
    "unit",
    [
        "{", "}", "{}", "[", "[{", '"', '\\"', '"\\"', '{"a"', '{"a":', "{1}", "`", "~`",
        "<think>", "<think></think>", "<think>{", ",", "[,", "\\", "\n", "\u00a0 ", '"]',
    ],
)  # fmt: skip
def test_no_text_takes_more_than_its_length(unit) -> None:
    """A long run of anything ends in an error; a quadratic reader would hang here."""
    text = unit * (LONG // len(unit.encode()))
    inside = TEXT.replace("[]", "[" + unit * 20_000)

    assert kind_of(text) in {"malformed_json", "schema_violation"}
    assert kind_of(inside) in {"malformed_json", "schema_violation"}


def test_a_cut_document_fifty_thousand_deep() -> None:
    """Depth exhausts no stack."""
    assert kind_of('{"a":' * 50_000 + "1" + "}" * 50_000) == "malformed_json"
    assert kind_of("[" * 50_000) == "malformed_json"


def test_groups_after_a_thousand_are_prose() -> None:
    """What stands after so many brace groups is not looked at."""
    assert repairs_of("{x}" * 999 + TEXT) == ["prose_removed"]
    assert kind_of("{x}" * 1_000 + TEXT) == "malformed_json"


@given(st.text(alphabet='{}[]",:\\<think>/`~ \n\ufeff\u00a0\ud800a1'), st.booleans())
def test_reading_is_total(text, lenient) -> None:
    """Any text gives objects, or says why not."""
    read = read_objects(text, nesting=64, lenient=lenient)

    assert is_successful(read) or read.failure() in {
        "malformed_json",
        "schema_violation",
    }


@given(
    answers(),
    st.sampled_from(
        ["", "\ufeff", "Sure:\n", "<think>{</think>", "\u00a0", "```json\n"]
    ),
    st.sampled_from(["", "\nHope this helps.", "\n```", "\u2003"]),
)
def test_what_stands_around_changes_nothing(answer, before, after) -> None:
    """The same answer is read from within any wrapping."""
    text = json.dumps(answer, ensure_ascii=False)
    plain = decode_candidate(text, "grid").unwrap()
    wrapped = decode_candidate(before + text + after, "grid").unwrap()

    assert repr(wrapped.layout) == repr(plain.layout)
    assert repr(wrapped.execution_plan) == repr(plain.execution_plan)
    assert wrapped.user_message == plain.user_message


@given(answers(), st.data())
def test_no_part_of_a_cut_answer_is_taken(answer, data) -> None:
    """An answer that lacks its end is malformed, wherever the cut fell."""
    text = json.dumps(answer)
    cut = data.draw(st.integers(min_value=1, max_value=len(text) - 1))

    assert kind_of(text[:cut]) == "malformed_json"
