"""docs/healing.md shows what the command draws, and knows every reason of healing."""

import io
import json
import re
from contextlib import redirect_stdout
from pathlib import Path

from maelstrom.adapters.cli import main
from maelstrom.core import reasons
from maelstrom.core.wire import encode_request
from maelstrom.core.wire_results import encode_candidate

DOCS = (Path(__file__).parents[3] / "docs" / "healing.md").read_text("utf-8")
FIRST_OF_HEALING = "params_ignored"
"""The repairs before it are of reading an answer, which is not this page's."""


def block(language):
    """The page's first block in a language."""
    return re.search(rf"```{language}\n(.*?)```", DOCS, re.DOTALL)[1]


def test_the_drawing_is_what_the_command_draws(tmp_path, capsys, monkeypatch):
    """The page's first example, saved and healed by `maelstrom heal --draw`."""
    names = {}
    with redirect_stdout(io.StringIO()):
        exec(block("python"), names)
    request, answer = tmp_path / "request.json", tmp_path / "answer.json"
    request.write_text(json.dumps(encode_request(names["request"])))
    answer.write_text(json.dumps(encode_candidate(names["candidate"])))
    monkeypatch.setenv("COLUMNS", "100")

    assert main(["heal", str(request), str(answer), "--draw"]) == 0
    drawn = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert drawn == block("text").splitlines()


def test_every_reason_of_healing_stands_on_the_page():
    """Drops, skips, warnings, and the repairs that are not of reading the answer."""
    repairs = [row.name for row in reasons.REPAIRS]
    tables = (reasons.DROPS, reasons.SKIPS, reasons.WARNINGS)
    known = {row.name for table in tables for row in table}
    known |= set(repairs[repairs.index(FIRST_OF_HEALING) :])

    assert known <= set(re.findall(r"[a-z_]+", DOCS))


def test_the_page_names_no_reason_that_is_none():
    """The examples that a loop runs are keyed by reasons."""
    tables = (reasons.DROPS, reasons.SKIPS, reasons.REPAIRS, reasons.WARNINGS)
    keys = re.findall(r'^ {4}"(\w+)":', DOCS, re.MULTILINE)

    assert keys
    assert set(keys) <= {row.name for table in tables for row in table}
