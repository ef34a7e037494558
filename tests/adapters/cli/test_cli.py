"""The command line: answers on stdout, errors on one line, exit codes."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from maelstrom.adapters.cli import main
from maelstrom.core.protocol_schema import protocol_schemas
from maelstrom.core.schema import response_schema

GOLDEN = Path(__file__).parents[2] / "golden"
ROOTS = [
    str(Path(__file__).parents[3] / root) for root in ("core", "effects", "adapters")
]
CASE = json.loads((GOLDEN / "heal-plan.json").read_text("utf-8"))[0]
MESSAGE = {"sessionId": "s", "id": "m", "timestamp": 1, "payload": CASE["request"]}


@pytest.fixture
def run(capsys):
    """Runs a command line: exit code, stdout, stderr."""

    def run_it(*arguments: str):
        code = main(arguments)
        return code, *capsys.readouterr()

    return run_it


@pytest.fixture
def files(tmp_path):
    """Writes values as JSON files, and gives their names."""

    def write(**values):
        for name, value in values.items():
            text = value if isinstance(value, str) else json.dumps(value)
            (tmp_path / name).write_text(text, "utf-8")
        return [str(tmp_path / name) for name in values]

    return write


def test_heal_prints_what_healing_makes(run, files):
    """A request and an answer in files, with or without the request's envelope."""
    for request in (CASE["request"], MESSAGE):
        code, out, _ = run("heal", *files(request=request, answer=CASE["candidate"]))

        assert code == 0
        assert json.loads(out) == CASE["expect"]


def test_heal_reads_the_answer_as_a_model_wrote_it(run, files):
    """A fence and prose around the answer cost it nothing."""
    text = f"Here you are:\n```json\n{json.dumps(CASE['candidate'])}\n```"

    code, out, _ = run("heal", *files(request=CASE["request"], answer=text))

    reasons = [repair["reason"] for repair in json.loads(out)["repairs"]]
    assert (code, reasons) == (0, ["fence_removed", "prose_removed"])


def test_heal_takes_a_policy(run, files):
    """By the name of a preset, or by the fields that differ."""
    grid = json.loads((GOLDEN / "heal-grid.json").read_text("utf-8"))
    case = next(one for one in grid if one["policy"] == {"overlap": "drop"})
    names = files(request=case["request"], answer=case["candidate"])

    code, out, _ = run("heal", *names, "--policy", '{"overlap": "drop"}')

    assert code == 0
    assert json.loads(out)["layout"] == case["expect"]["layout"]
    assert run("heal", *names, "--policy", "gentle")[0] == 0
    assert run("heal", *names, "--policy", "harsh")[0] == 2
    assert run("heal", *names, "--policy", "[]")[0] == 2
    for policy, words in (
        ('{"overlap": "x"}', "overlap: must be one of 'relocate', 'drop', 'keep'"),
        ('{"overlp": "drop"}', "no field 'overlp'; there are overlap, overflow"),
        ("harsh", "'harsh' is neither reference nor gentle nor JSON"),
    ):
        assert words in run("heal", *names, "--policy", policy)[2]


def test_heal_draws(run, files):
    """`--draw` shows the chart, the message, and what healing recorded."""
    names = files(
        request=CASE["request"], answer={**CASE["candidate"], "rationale": ""}
    )

    code, out, _ = run("heal", *names, "--draw")

    assert code == 0
    assert "╭ calendar-1 " in out
    assert "warning: rationale_missing" in out
    assert "severity: none" in out


def test_check_says_ok_or_lists_the_issues(run, files, monkeypatch):
    """A right message is ok; a wrong one has a line an issue, and exit code 1."""
    assert run("check", *files(right=MESSAGE)) == (0, "ok\n", "")

    wrong = {**MESSAGE, "timestamp": "now", "mood": "good"}
    code, out, _ = run("check", *files(wrong=wrong))
    lines = out.splitlines()
    assert code == 1
    assert lines[0].startswith("timestamp: wrong_type: ")
    assert lines[1].startswith("mood: unknown_field: ")

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{")))
    code, out, _ = run("check", "-")
    assert code == 1
    assert out.startswith("(message): malformed_json: ")


def test_read_prints_the_candidate_or_the_kind_of_error(run, files):
    """What reading makes of a text, as in a batch."""
    answer = files(answer=CASE["candidate"])

    code, out, _ = run("read", *answer)
    read = json.loads(out)
    assert code == 0
    assert read["candidate"] == CASE["candidate"]
    assert (read["repairs"], read["warnings"]) == ([], [])
    assert run("read", *answer, "--mode", "tiling")[0] == 1
    assert json.loads(run("read", *answer, "--finish-reason", "length")[1]) == {
        "error": "truncated"
    }


def test_schema_prints_the_schemas(run):
    """Of both layout modes, or of one."""
    both = json.loads(run("schema")[1])

    assert both == {
        "grid": response_schema("grid"),
        "tiling": response_schema("tiling"),
    }
    assert json.loads(run("schema", "--mode", "tiling")[1]) == both["tiling"]


def test_schema_prints_the_protocol_s(run):
    """Of messages and of outputs, as the wire has them."""
    code, out, _ = run("schema", "--protocol")

    assert (code, json.loads(out)) == (0, protocol_schemas())


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("nonsense",),
        ("heal",),
        ("heal", "one"),
        ("heal", "-", "-"),
        ("heal", "--batch", "one"),
        ("check",),
        ("check", "--batch", "one"),
        ("check", "no such file"),
        ("check", "nul\0"),
        ("read", "--batch", "one"),
        ("read", "--mode", "round"),
        ("demo", "--planner", "crystal ball"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(run, arguments):
    """What cannot be meant is said in one line on stderr."""
    code, out, err = run(*arguments)

    assert (code, out) == (2, "")
    assert err.startswith("maelstrom: ")
    assert err.count("\n") == 1


def test_input_at_fault_is_one_line_and_exit_code_1(run, files):
    """A request that breaks the protocol, or an answer that is none, is named."""
    for names in (
        files(request={}, answer=CASE["candidate"]),
        files(request={**MESSAGE, "id": ""}, answer=CASE["candidate"]),
        files(request=CASE["request"], answer="I could not do that."),
    ):
        code, out, err = run("heal", *names)

        assert (code, out, err.count("\n")) == (1, "", 1)


def test_help_and_version(run):
    """Both print, and end well."""
    assert run("--help")[0] == 0
    code, out, _ = run("--version")
    assert (code, out.split()[0]) == (0, "maelstrom")


def test_an_interrupt_is_quiet(run, monkeypatch):
    """Ctrl-C ends a command without a word."""

    def interrupted(_code):
        raise KeyboardInterrupt

    monkeypatch.setattr("maelstrom.adapters.cli.schema.say", interrupted)

    assert run("schema") == (130, "", "")


def test_no_command_waits_for_what_it_does_not_use():
    """Importing the command line loads no SDK, no server and no drawing."""
    heavy = ("rich", "openai", "anthropic", "google.genai", "starlette", "sqlite3")
    code = (
        "import sys; import maelstrom.adapters.cli; "
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": ":".join(ROOTS)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert ran.stdout.strip() == "[]"
