"""Files that the documentation names are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_named_files_exist(page):
    """A path of ours in code marks, or after `python`, is that of a file."""
    named = re.findall(
        r"\b((?:tests|examples|benchmarks)/[\w/]+\.py)\b", page.read_text("utf-8")
    )

    assert [name for name in named if not (ROOT / name).is_file()] == []
