"""The app in one file runs as it stands, and so does the test of its vessels."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENV = {
    "PYTHONPATH": ":".join(
        str(ROOT / root) for root in ("core", "effects", "adapters", ".")
    ),
    "PYTHONIOENCODING": "utf-8",
}


def _run(*command):
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=ENV,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_the_app_shows_and_plays():
    """Both vessels appear, and the handler is given the song as the app's own class."""
    ran = _run("examples/music_app.py")

    assert ran.stderr == ""
    assert "Now showing player-1 and lamps-1." in ran.stdout
    assert "player-1 plays 'Blue in Green'" in ran.stdout


def test_the_test_of_its_vessels_passes():
    """A user's property over their own vessels is a few lines, and it holds."""
    ran = _run(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "examples/test_my_vessels.py"
    )

    assert "2 passed" in ran.stdout, ran.stdout
