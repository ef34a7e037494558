"""The server without its extra: the error says which command mends that."""

import os
import subprocess
import sys

import pytest

LINES = (
    "import sys; sys.modules['starlette'] = None",
    "from maelstrom.adapters.{}",
)


@pytest.mark.parametrize(
    "asked",
    ["server import create_app", "cli import main; sys.exit(main(['serve']))"],
)
def test_the_command_is_named(asked):
    """From Python and from the command line."""
    script = "\n".join(LINES).format(asked)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", script]
    ran = subprocess.run(command, check=False, capture_output=True, text=True, env=env)

    assert ran.returncode != 0
    assert "starlette is missing: pip install 'maelstrom-engine[server]'" in ran.stderr
    assert ("Traceback" in ran.stderr) == asked.startswith("server")
