"""The browser's client, run by node against the vectors of the Python one."""

import subprocess
from pathlib import Path

from tests.e2e.browser import need_node

FOLDER = Path(__file__).parents[1] / "js"


def test_the_browser_client_keeps_the_same_laws():
    """`node --test` passes: apply, outbox, sizer and restoring are as in Python."""
    node = need_node()
    tests = sorted(str(path) for path in FOLDER.glob("*.test.mjs"))
    done = subprocess.run(
        [node, "--test", *tests],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert tests
    assert done.returncode == 0, done.stdout[-4_000:]
