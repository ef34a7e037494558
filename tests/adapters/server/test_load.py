"""The benchmark of the server, in short."""

import os

from benchmarks import server_load
from tests.adapters.server.served import PATHS


def test_a_crowd_is_served_without_an_error(monkeypatch):
    """Fifty clients at once: every turn is answered, none is refused."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(PATHS))

    figures = server_load.run(50, 1.5)

    assert figures["errors"] == 0, figures["first_error"]
    assert figures["turns"] >= 50
