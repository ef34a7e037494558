"""The first example runs as it stands."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_it_shows_what_was_asked_for():
    """Two vessels of three appear, one of them in the variant that was named."""
    roots = [str(ROOT / root) for root in ("core", "effects", "adapters")]
    ran = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "first_app.py")],
        env={"PYTHONPATH": ":".join(roots), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )

    assert "╭ player-1 " in ran.stdout
    assert "│ world " in ran.stdout
    assert "Now showing player-1 and clock-1." in ran.stdout
