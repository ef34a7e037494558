"""Workers of the proofs as processes."""

import json
import os
import subprocess
import sys

__all__ = ["printed", "start_worker"]


def start_worker(**settings) -> subprocess.Popen:
    """A worker; what it prints is in its stdout, line by line."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.proofs.worker", json.dumps(settings)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def printed(output: bytes, session: str) -> list[str]:
    """The ids of the turns of a session whose output was given; whole lines only."""
    lines = (line.split("\t") for line in output.decode().split("\n")[:-1])
    return [request for name, request in lines if name == session]
