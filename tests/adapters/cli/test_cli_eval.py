"""eval and bench: tables for people, JSON for programs, exit codes for scripts."""

import io
import json
import sys

import pytest
from returns.result import Failure

from maelstrom.adapters import short_bench
from maelstrom.adapters.cli import main
from maelstrom.adapters.cli.planners import PLANNERS
from maelstrom.core.errors import ProviderError

CASES = [
    {"name": "yes", "app": "demo", "intent": "tasks", "must": {"vessels": ["tasks"]}},
    {"name": "no", "app": "demo", "intent": "hm", "must": {"vessels": ["notes"]}},
]


@pytest.fixture
def run(capsys):
    """Runs a command line: exit code, stdout, stderr."""

    def run_it(*arguments: str):
        code = main(arguments)
        return code, *capsys.readouterr()

    return run_it


@pytest.fixture
def cases(tmp_path):
    """A file of two cases, one of which the keyword planner meets."""
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(CASES))
    return str(path)


def test_eval_prints_a_table(run, cases):
    """A row a case with what failed, and the figures."""
    code, out, err = run("eval", cases)

    assert (code, err) == (0, "")
    rows = {line.split()[0]: line for line in out.splitlines() if line.strip()}
    assert " yes " in rows["yes"]
    assert "must: vessel notes" in rows["no"]
    assert "1 of 2, 50.0%" in out
    assert "100.0%" in rows["parse"]


def test_eval_prints_json(run, cases):
    """The same for programs, keys as on the wire."""
    code, out, _ = run("eval", cases, "--json")

    report = json.loads(out)
    assert code == 0
    assert report["summary"]["metShare"] == 0.5
    assert [one["met"] for one in report["cases"]] == [True, False]
    assert report["cases"][1]["failures"] == ["must: vessel notes"]


def test_eval_reads_lines_from_stdin(run, monkeypatch):
    """One case a line, from a pipe."""
    lines = "\n".join(json.dumps(case) for case in CASES)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))

    code, out, _ = run("eval", "-", "--json")

    assert (code, json.loads(out)["summary"]["cases"]) == (0, 2)


def test_eval_without_cases_takes_the_shipped_ones(run):
    """Forty cases of the example app."""
    _, out, _ = run("eval", "--json")

    assert json.loads(out)["summary"]["cases"] == 40


def test_eval_can_be_a_gate(run, cases):
    """Fewer cases met than asked for end with 1."""
    assert run("eval", cases, "--at-least", "0.5")[0] == 0
    code, _, err = run("eval", cases, "--at-least", "0.9")
    assert (code, err) == (1, "maelstrom: 1 of 2 cases are met\n")


def test_a_provider_that_fails_ends_with_3(run, cases, monkeypatch):
    """The report is printed all the same."""

    async def away(_given, _context):
        return Failure(ProviderError("auth", "cloud", "the key was refused"))

    planners = {**PLANNERS, "keyword": lambda _model: away}
    monkeypatch.setattr("maelstrom.adapters.cli.planners.PLANNERS", planners)

    code, out, err = run("eval", cases)

    assert (code, err) == (3, "maelstrom: the provider failed in 2 of 2\n")
    assert "the key was refused" in out


def test_wrong_usage_and_cases_at_fault(run, cases, tmp_path):
    """2 for arguments that make no sense, 1 for a file that holds no cases."""
    bad = tmp_path / "bad.json"
    bad.write_text('[{"name": "x"}]')
    for arguments, expected in (
        (("eval", cases, "--retries", "-1"), 2),
        (("eval", cases, "--at-least", "2"), 2),
        (("eval", cases, "--at-least", "nan"), 2),
        (("eval", "no such file"), 2),
        (("eval", str(bad)), 1),
        (("bench", "--rounds", "0"), 2),
    ):
        code, out, err = run(*arguments)

        assert (code, out, err.count("\n")) == (expected, "", 1)


def test_bench_prints_medians_and_ratios(run):
    """A line a contestant, in microseconds; a ratio where there is something to it."""
    code, out, _ = run("bench", "--rounds", "1")

    lines = out.splitlines()
    assert code == 0
    assert len(lines) == 8
    assert any(" x heal 50 pieces" in line for line in lines)

    figures = json.loads(run("bench", "--rounds", "1", "--json")[1])
    assert all(one["microseconds"] > 0 for one in figures)
    ratios = {one["name"]: one["ratio"] for one in figures}
    assert ratios["heal 50 pieces"] is None
    assert ratios["heal 500 pieces"] > 0


def test_the_inputs_of_the_benchmark_are_what_it_says():
    """The sound ones heal without a record; of the faulty one in five is recorded."""
    message = short_bench._message(short_bench.FEW)
    sound = short_bench.mend(message.payload, short_bench._answer(short_bench.FEW))
    faulty = short_bench.mend(message.payload, short_bench._faulty(short_bench.FEW))

    assert (sound.severity, len(sound.layout.positions)) == ("none", 50)
    assert len(faulty.drops) + len(faulty.repairs) >= 8
