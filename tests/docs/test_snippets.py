"""Every snippet of the documentation runs, in the order of its page.

Blocks fenced as ``python`` share one namespace a page. Those with a title are files: either
the repository's own, shown whole, or those that a reader of the tutorial writes, which
`tests.docs.test_tutorial` follows word by word. Blocks fenced as
``console`` are commands: each is in the table `COMMANDS`, with where it is run.
"""

import io
import re
import shlex
from contextlib import redirect_stdout
from pathlib import Path
from types import MappingProxyType

import pytest

from maelstrom.adapters.cli import app

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]

CI = "run by .ci/run"
SHOWN = "run by test_cli_page, with what it prints"
TESTED = "what it starts is run by a test of its own"

COMMANDS = MappingProxyType(
    {
        # how a command begins: where it is checked
        "pip install": CI,
        "python -m venv": CI,
        ".ci/run": CI,
        "pytest": CI,
        "peers/bin/pip install": CI,
        "python -m benchmarks.survival": CI,
        "python3 -m venv": CI,
        "python -m json.tool": SHOWN,
        "python music_app.py": TESTED,
        "uvicorn examples.fastapi_app:app": TESTED,
        "uvicorn examples.charts_app:app": TESTED,
        "python -m examples.served_app": TESTED,
        "flask --app examples.flask_app run": TESTED,
        "django-admin runserver": TESTED,
        "maelstrom ": TESTED,
    }
)

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

_FILE = re.compile(
    r'^```python title="(examples/[^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL
)


def _blocks(page, language):
    return [
        (page.read_text("utf-8")[: found.start()].count("\n") + 2, found[2])
        for found in _BLOCK.finditer(page.read_text("utf-8"))
        if found[1] == language
    ]


def _commands(page):
    """Each command of a page's console blocks; with prompts, the rest is output."""
    for _, block in _blocks(page, "console"):
        lines = block.replace("\\\n", " ").splitlines()
        prompted = [line[2:] for line in lines if line.startswith("$ ")]
        for line in prompted or lines:
            yield from (part.strip() for part in line.split("&&"))


def _row(command):
    rows = [row for row in COMMANDS if command.startswith(row)]
    return max(rows, key=len) if rows else None


def _named(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize(
    "page", [page for page in PAGES if _blocks(page, "python")], ids=_named
)
def test_the_snippets_of_a_page_run(page):
    """Top to bottom, in one namespace; a page's assertions hold."""
    namespace = {"__name__": "__page__"}
    for line, source in _blocks(page, "python"):
        padded = "\n" * (line - 1) + source  # so that a traceback names the page's line
        with redirect_stdout(io.StringIO()) as said:
            exec(compile(padded, str(page), "exec"), namespace)
        expected = re.findall(r"^# prints: (.*)$", source, re.MULTILINE)
        if expected:
            assert said.getvalue().splitlines() == expected


def test_a_file_is_shown_as_it_is():
    """What a page shows under the name of a file in the repository is that file."""
    shown = [
        (found[1], found[2])
        for page in PAGES
        for found in _FILE.finditer(page.read_text("utf-8"))
    ]

    assert len(shown) >= 4
    for name, block in shown:
        assert block == (ROOT / name).read_text("utf-8"), name


def test_every_command_is_in_the_table():
    """What a page tells to type is checked somewhere, and the table says where."""
    unknown = [
        f"{_named(page)}: {command}"
        for page in PAGES
        for command in _commands(page)
        if _row(command) is None and not command.startswith(". ")
    ]

    assert unknown == []


def test_every_command_line_of_maelstrom_is_one():
    """Its command and its options are those that the parser takes."""
    for page in PAGES:
        for command in _commands(page):
            for part in re.split(r"[|<>&]+", command):
                if part.strip().startswith("maelstrom "):
                    app._parser().parse_args(shlex.split(part)[1:])


def test_every_row_of_the_table_is_told_somewhere():
    """A command that no page tells any more has no row."""
    told = {_row(command) for page in PAGES for command in _commands(page)}

    assert told - {None} == set(COMMANDS)
