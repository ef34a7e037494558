"""The tutorial holds word by word; CI also follows it from a wheel in an empty venv."""

import sys
from pathlib import Path

from tests.docs.follow import commands, files, follow

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
ROOTS = ":".join(str(ROOT / root) for root in ("core", "effects", "adapters"))
ENV = {
    "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
    "PYTHONPATH": ROOTS,
    "PYTHONIOENCODING": "utf-8",
}
INSTALLING = ("python3 -m venv", ". ", "pip install")


def test_what_the_tutorial_says_comes_true():
    """Its files, written where it says, print and pass what it says."""
    told = [each for each in commands(PAGE) if not each[0].startswith(INSTALLING)]

    assert [line for line, _ in told] == ["python music_app.py", "pytest"]
    follow(PAGE, told, ENV)


def test_the_example_is_the_tutorials_app():
    """Who reads the example and who follows the tutorial have the same app."""
    example = (ROOT / "examples" / "music_app.py").read_text(encoding="utf-8")

    assert files(PAGE)["music_app.py"] == example
