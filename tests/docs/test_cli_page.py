"""docs/cli.md: what it shows is what the commands do."""

import re
import subprocess
import sys

import pytest

from maelstrom.adapters.cli import exits
from tests.architecture.sources import ROOT
from tests.docs.command_tables import commands, options

PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
ROOTS = ":".join(str(ROOT / root) for root in ("core", "effects", "adapters"))
SHOWN = re.findall(
    r"^```console\n\$ (.*?\nEND\n)(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE
)
"""Each command with its here-document, and what it prints."""


@pytest.mark.parametrize(("command", "printed"), SHOWN)
def test_an_example_prints_what_it_is_said_to(command, printed):
    """To the letter, from a folder that holds nothing."""
    shell = f'maelstrom() {{ "{sys.executable}" -m maelstrom.adapters.cli "$@"; }}\n'
    ran = subprocess.run(
        ["bash", "-c", shell + command.replace("python ", f'"{sys.executable}" ', 1)],
        env={"PYTHONPATH": ROOTS},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert (ran.stdout, ran.stderr) == (printed, "")


def test_each_batch_has_its_example():
    """Every command that takes a batch is shown with one."""
    takers = {
        name
        for name, parser in commands().items()
        if any("--batch" in option.option_strings for option in options(parser))
    }

    assert {re.search(r"maelstrom (\w+) --batch", one)[1] for one, _ in SHOWN} == takers


def test_every_argument_says_what_it_is():
    """No option is a name alone."""
    silent = [
        f"{name} {option.dest}"
        for name, parser in commands().items()
        for option in options(parser)
        if not option.help
    ]

    assert silent == []


def test_the_exit_codes_are_those_of_the_commands():
    """The page's table has each, and no other."""
    told = re.findall(r"^\| (\d+) \| ", PAGE, re.MULTILINE)
    names = ("WELL", "INPUT", "USAGE", "PROVIDER", "INTERRUPTED")

    assert told == [str(getattr(exits, name)) for name in names]
