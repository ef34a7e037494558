"""docs/explaining.md and docs/survival.md say what the commands say."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.survival import POLICIES, TEXTS, THEIRS, names, ours, ours_read, surface
from maelstrom.adapters.cli import main
from maelstrom.adapters.eval_case import read_cases
from maelstrom.adapters.testing.faults import FAULTS, GRID_FAULTS, TILING_FAULTS

ROOT = Path(__file__).parents[3]
EXPLAINING = (ROOT / "docs" / "explaining.md").read_text("utf-8")
SURVIVAL = (ROOT / "docs" / "survival.md").read_text("utf-8")
WIDTH = "100"
"""Characters of the terminal that the documentation shows."""


@pytest.fixture(scope="module")
def turn(tmp_path_factory):
    """The file that the example records."""
    folder = tmp_path_factory.mktemp("turns")
    roots = [str(ROOT / root) for root in ("core", "effects", "adapters")]
    subprocess.run(
        [sys.executable, str(ROOT / "examples" / "recorded_turn.py"), str(folder)],
        env={"PYTHONPATH": ":".join(roots)},
        check=True,
    )
    (file,) = folder.iterdir()
    return str(file)


def _block(heading, language="text"):
    """The last block of a section."""
    section = EXPLAINING.split(f"## {heading}\n")[1].split("\n## ")[0]
    return re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)[-1]


def _comparable(text):
    """Lines without their ends, and without the figures that other things decide."""
    kept = [line.rstrip() for line in text.rstrip().splitlines()]
    return [re.sub(r"(the prompt: |median turn).*", r"\1", line) for line in kept]


def _shown(capsys, monkeypatch, *arguments):
    monkeypatch.setenv("COLUMNS", WIDTH)
    code = main(arguments)
    return code, capsys.readouterr().out


def test_explain_is_shown_as_it_is(turn, capsys, monkeypatch):
    """The example's turn, told and drawn."""
    code, out = _shown(capsys, monkeypatch, "explain", turn)

    assert code == 0
    assert _comparable(out) == _comparable(_block("maelstrom explain"))


def test_replay_is_shown_as_it_is(turn, capsys, monkeypatch):
    """It ends the same."""
    code, out = _shown(capsys, monkeypatch, "replay", turn)

    assert (code, out.splitlines()[-1]) == (0, _block("maelstrom replay").strip())


def test_a_month_of_turns_is_tried(turn, tmp_path):
    """The loop names the turn that ends otherwise, and no other."""
    folder = tmp_path / "turns"
    folder.mkdir()
    recorded = json.loads(Path(turn).read_text("utf-8"))
    recorded["diagnostics"]["attempts"][0]["healed"]["drops"] = []
    (folder / "changed.json").write_text(json.dumps(recorded))
    (folder / "same.json").write_text(Path(turn).read_text("utf-8"))
    (loop,) = re.findall(r"```sh\n(.*?)```", EXPLAINING, re.DOTALL)
    programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"

    done = subprocess.run(
        ["sh", "-c", loop],
        cwd=tmp_path,
        env={**os.environ, "PATH": programs},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == "turns/changed.json\n"


def test_eval_is_shown_as_it_is(capsys, monkeypatch):
    """The keyword planner's figure is the one that the page claims."""
    code, out = _shown(capsys, monkeypatch, "eval")

    assert code == 0
    assert _comparable(out) == _comparable(_block("maelstrom eval"))


def test_the_example_of_a_case_is_one():
    """It decodes, with every check that it names."""
    (case,) = read_cases(_block("maelstrom eval", "json")).unwrap()

    assert {check.kind for check in case.checks} == {"action", "nothingLost", "vessel"}


def _rows():
    found = re.findall(r"^\| (\S[^|]*?) \| (\w+) \| (.*?) \|$", SURVIVAL, re.MULTILINE)
    return {(kind, where): cells.split(" | ") for kind, where, cells in found}


def test_every_fault_stands_in_the_table_of_survival():
    """Each kind that the test kit knows, in each mode that can have it, and each text."""
    kinds = {(kind, "grid") for kind, _ in FAULTS + GRID_FAULTS}
    kinds |= {(kind, "tiling") for kind, _ in FAULTS + TILING_FAULTS}
    kinds |= {(kind, "text") for kind in TEXTS}

    assert set(_rows()) - {("fault", "in")} == kinds


def test_the_figures_of_texts_and_of_a_sure_fault_hold():
    """Those that no draw decides are measured again."""
    rows = _rows()
    for kind, spoil in TEXTS.items():
        measured = [f"{ours_read(spoil)[name]:.1%}" for name in POLICIES]
        assert rows[kind, "text"][: len(POLICIES)] == measured
    fault = dict(GRID_FAULTS)["geometry_not_integer"]
    found = ours("grid", fault, 5)
    assert [f"{found[name]:.1%}" for name in POLICIES] == ["95.5%", "95.5%"]


@pytest.mark.parametrize("kind", THEIRS)
def test_the_equivalent_fault_is_one(kind):
    """At each of the 22 places it changes the payload, and leaves it JSON."""
    for n in range(len(names())):
        components = surface()
        THEIRS[kind](components, n)
        assert components != surface()
        assert json.loads(json.dumps(components)) == components
