"""`--batch`: the golden vectors through it, and lines at fault."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.adapters.cli import check, heal, main, read
from maelstrom.adapters.cli.batch import MAX_LINE

GOLDEN = Path(__file__).parents[2] / "golden"
ROOTS = [
    str(Path(__file__).parents[3] / root) for root in ("core", "effects", "adapters")
]


def golden(name: str):
    """The cases of a golden file."""
    return json.loads((GOLDEN / f"{name}.json").read_text("utf-8"))


@pytest.fixture
def batch(monkeypatch, capsys):
    """Runs a batch over lines (values, or bytes as they are): exit code and answers."""

    def run(command: str, lines):
        raw = [
            line if isinstance(line, bytes) else json.dumps(line).encode()
            for line in lines
        ]
        data = io.TextIOWrapper(io.BytesIO(b"".join(line + b"\n" for line in raw)))
        monkeypatch.setattr(sys, "stdin", data)
        code = main([command, "--batch"])
        out, err = capsys.readouterr()
        assert err == ""
        answers = [json.loads(line) for line in out.splitlines()]
        assert len(answers) == len(raw)
        return code, answers

    return run


def without_details(healed):
    """An answer of heal as the vectors compare it: a skip's detail is not."""
    for skip in healed["skips"]:
        skip.pop("detail", None)
    return healed


@pytest.mark.parametrize("name", ["heal-grid", "heal-tiling", "heal-plan"])
def test_heal_gives_what_the_vectors_expect(batch, name):
    """Each line is a question of healing, each answer the whole of what it made."""
    cases = golden(name)

    code, answers = batch("heal", cases)

    assert code == 0
    for case, answer in zip(cases, answers, strict=True):
        assert without_details(answer) == without_details(case["expect"]), case["name"]


def test_check_gives_what_the_vectors_expect(batch):
    """A message as a value, or as text, is well or has issues."""
    cases = golden("validate")

    code, answers = batch("check", cases)

    assert code == 0
    for case, answer in zip(cases, answers, strict=True):
        for issue in answer.get("issues", ()):
            assert issue.pop("message")
        assert answer == case["expect"], case["name"]


def test_read_gives_what_the_vectors_expect(batch):
    """A raw text becomes a candidate with its repairs, or the kind of an error."""
    cases = golden("candidate")

    code, answers = batch("read", cases)

    assert code == 1  # some of the texts are no answers
    for case, answer in zip(cases, answers, strict=True):
        expected = case["expect"]
        if "error" in expected:
            assert answer == expected, case["name"]
            continue
        given = {key: answer.get(key) for key in expected}
        assert given == expected, case["name"]


def test_a_line_at_fault_gives_an_error_and_the_rest_goes_on(batch):
    """No line costs another its answer; the exit code says that one was at fault."""
    good = golden("heal-plan")[0]
    faults = (
        b"{",
        b"",
        b"null",
        b"[1]",
        b"\xff\xfe",
        b'{"request": {}, "candidate": {}}',
        {"candidate": good["candidate"]},
        {"request": good["request"]},
        {**good, "candidate": 5},
        {**good, "policy": {"overlap": "maybe"}},
        {**good, "policy": {"gravity": "strong"}},
        {**good, "policy": {"overlap": ["drop"]}},
        {**good, "policy": 5},
        b"[" * 100_000,
        b'{"request": 1, "request": 2}',
    )

    code, answers = batch("heal", (good, *faults, good))

    assert code == 1
    assert answers[0] == answers[-1]
    assert "layout" in answers[0]
    for fault, answer in zip(faults, answers[1:-1], strict=True):
        assert list(answer) == ["error"], fault
        assert isinstance(answer["error"], str)


def test_values_that_json_does_not_know_cost_their_piece_alone(batch):
    """NaN, an overflow, a lone surrogate or a repeated key in a candidate is healed."""
    good = golden("heal-plan")[0]
    text = json.dumps(good)
    row, column = '"row": 0, "column": 0', '"row": NaN, "column": 1e999'
    before, _, after = text.partition('"candidate"')
    doubled = after.replace('"rationale"', '"rationale": "First.", "rationale"', 1)
    surrogate = after.replace("Showing", "\\ud800", 1)
    lines = [
        (before + '"candidate"' + rest).encode()
        for rest in (after.replace(row, column, 1), doubled, surrogate)
    ]

    code, (nan, repeated, lone) = batch("heal", lines)

    assert code == 0
    assert [drop["reason"] for drop in nan["drops"]] == ["geometry_not_integer"]
    assert repeated["rationale"] == "First."
    assert lone["userMessage"].startswith("\ud800")


def test_check_takes_a_message_or_a_text(batch):
    """Exactly one of the two; a text is one, whatever is in it."""
    code, answers = batch(
        "check", ({}, {"message": {}, "text": ""}, {"text": 5}, {"message": [1]})
    )

    assert code == 1
    assert [list(answer) for answer in answers] == [["error"]] * 3 + [["issues"]]


def test_a_message_that_is_a_text_is_no_message(batch):
    """Only under `text` is a text read: as a value it is of the wrong type."""
    code, answers = batch("check", ({"message": "{}"}, {"message": 5}, {"text": "5"}))

    assert code == 0
    for answer in answers:
        issue = answer["issues"][0]
        assert (issue["path"], issue["code"]) == ([], "wrong_type")


def test_an_answer_is_one_line_for_any_reader(batch):
    """U+2028 in a text is escaped, as some readers end a line there."""
    answer = dict(golden("candidate")[0]["expect"]["candidate"], userMessage="a\u2028b")
    question = {"mode": "grid", "text": json.dumps(answer)}

    code, answers = batch("read", (question,))

    assert code == 0
    assert answers[0]["candidate"]["userMessage"] == "a\u2028b"


def test_read_takes_a_mode_and_a_text(batch):
    """What is missing, or of another kind, is named."""
    code, answers = batch(
        "read",
        (
            {"mode": "round", "text": ""},
            {"mode": "grid"},
            {"mode": "grid", "text": "x", "finishReason": 5},
            {"mode": "grid", "text": "x", "salvage": "no"},
            {"mode": "grid", "text": "x", "finishReason": "length"},
        ),
    )

    assert code == 1
    named = [answer["error"].partition(":")[0] for answer in answers]
    assert named == ["mode", "text", "finishReason", "salvage", "truncated"]


def test_a_line_without_end_is_at_fault_unread(batch):
    """A line over the bound costs its own answer, not the memory nor the next line."""
    code, answers = batch("check", (b" " * (MAX_LINE + 5), {"text": "{}"}))

    assert code == 1
    assert [list(answer) for answer in answers] == [["error"], ["issues"]]


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
LINES = st.fixed_dictionaries(
    {},
    optional={
        name: JSON | st.sampled_from(("grid", "{}"))
        for name in ("request", "candidate", "policy", "message", "text", "mode")
    },
)


@given(LINES)
def test_judges_answer_any_object(line):
    """No object that JSON can say makes a judge raise."""
    for command in (heal, check, read):
        command.judge(line)


@pytest.mark.parametrize("command", ["heal", "check", "read"])
def test_a_process_answers_line_by_line(command):
    """A program at the other end gets each answer before it asks the next question."""
    with subprocess.Popen(
        [sys.executable, "-m", "maelstrom.adapters.cli", command, "--batch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"PYTHONPATH": ":".join(ROOTS), "LC_ALL": "C"},
    ) as process:
        for line in (b"{\n", '{"é": 1}\n'.encode()):
            process.stdin.write(line)
            process.stdin.flush()
            assert b"error" in process.stdout.readline()
        process.stdin.close()
        assert process.wait() == 1


def test_a_reader_that_leaves_ends_the_batch_quietly():
    """A closed pipe is no fault, and says nothing."""
    with subprocess.Popen(
        [sys.executable, "-m", "maelstrom.adapters.cli", "check", "--batch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PYTHONPATH": ":".join(ROOTS)},
    ) as process:
        process.stdout.close()
        process.stdin.write(b'{"text": ""}\n' * 3)
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
