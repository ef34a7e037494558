"""The how-to on planners names each section of a prompt."""

import re

from maelstrom.core.prompt_template import SYSTEM_SECTIONS, USER_SECTIONS
from tests.architecture.sources import ROOT

PAGE = (ROOT / "docs" / "planners.md").read_text(encoding="utf-8")


def test_every_section_is_named():
    """In their order; a row may name several."""
    table = PAGE.split("| section | says |\n|---|---|\n")[1].split("\n\n")[0]
    cells = [row.split("|")[1] for row in table.splitlines()]

    assert re.findall(r"`(\w+)`", " ".join(cells)) == [*SYSTEM_SECTIONS, *USER_SECTIONS]
