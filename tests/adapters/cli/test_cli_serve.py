"""`maelstrom serve`: what it refuses to start with, and that it starts."""

import logging
import os
import signal
import socket
import stat
import subprocess
import sys

import httpx
import pytest

from maelstrom.adapters.cli import main
from maelstrom.adapters.cli.logs import _Line
from maelstrom.adapters.cli.stores import is_shared, open_lock
from tests.adapters.missing import hide_packages
from tests.adapters.server.kit import message
from tests.adapters.server.served import PATHS, PATIENCE


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "maelstrom"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--workers", "2"],
        ["--workers", "2", "--history", "redis://x", "--lock", "redis://x"],
        ["--workers", "0"],
        ["--lock", "here"],
        ["--host", "0.0.0.0"],
        ["--port", "70000"],
        ["--secret-file", "/nowhere/secret"],
        ["--history", "/nowhere/at/all/history.sqlite3", "--secret-file", "/dev/null"],
        ["--planner", "psychic"],
        ["--planner", "gemini"],
        ["--planner", "local", "--model", "/nowhere/model.gguf"],
        ["--history", "/nowhere/at/all/history.sqlite3"],
    ],
    ids=" ".join,
)
def test_a_wrong_line_is_one_line(arguments, home, capsys):
    """Exit code 2 and one line on stderr; nothing is served."""
    assert main(["serve", "--port", "0", *arguments]) == 2

    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("maelstrom: ")
    assert captured.err.count("\n") == 1


def test_a_package_that_is_missing_is_told_with_its_extra(home, capsys, monkeypatch):
    """Who has the server's packages from elsewhere may lack those of the commands."""
    hide_packages(monkeypatch, "platformdirs")

    assert main(["serve", "--port", "0"]) == 2
    assert (
        "platformdirs: pip install 'maelstrom-engine[cli]'" in capsys.readouterr().err
    )


def test_a_port_that_is_taken(home, capsys):
    """It says which address cannot be had."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["serve", "--port", port, "--no-playground"]) == 2
    assert f"127.0.0.1:{port}" in capsys.readouterr().err


def test_urls_name_stores():
    """Redis and PostgreSQL can be shared; a file cannot; no lock is the engine's own."""
    assert all(
        map(is_shared, ("redis://x", "rediss://x", "postgresql://x", "postgres://x"))
    )
    assert not any(map(is_shared, (None, "history.sqlite3", "sqlite://x")))
    assert open_lock(None) is None


def test_a_failure_is_one_line():
    """Its attributes stand in it; no value can break it or pass for another."""
    record = logging.makeLogRecord(
        {
            "msg": "maelstrom.turn.finished",
            "levelname": "WARNING",
            "error.type": "parse_error",
            "maelstrom.session": 'a b"\n\x1b[31m',
        }
    )
    (line,) = _Line().format(record).splitlines()

    assert " WARNING maelstrom.turn.finished error.type=parse_error " in line
    assert line.endswith(r'maelstrom.session="a b\"\n\u001b[31m"')


def test_it_serves_and_remembers(home):
    """A turn is answered; after a restart its visitor finds the session again."""
    cookies, turns = {}, []
    for visit in range(2):
        with subprocess.Popen(
            [
                sys.executable,
                "-m",
                "maelstrom.adapters.cli",
                "serve",
                "--port",
                "0",
                "--no-playground",
            ],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(PATHS)},
        ) as process:
            try:
                here = process.stdout.readline().split()[-1]
                headers = {"origin": here}
                with httpx.Client(
                    base_url=here, headers=headers, cookies=cookies, timeout=PATIENCE
                ) as browser:
                    if not visit:
                        answer = browser.post("/v1/messages", json=message())
                        assert answer.status_code == 200
                        cookies = dict(browser.cookies)
                    turns = browser.get("/v1/sessions/s/history").json()["turns"]
            finally:
                process.send_signal(signal.SIGINT if visit else signal.SIGTERM)
                code = process.wait(PATIENCE)
        assert (code, len(turns)) == (0, 1)
    secret = home / "server.secret"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
