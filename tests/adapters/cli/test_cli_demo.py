"""The demo: one intent, a script of them, and a person at a terminal that resizes."""

import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from returns.result import Failure

from maelstrom.adapters.cli import main
from maelstrom.adapters.cli.planners import PLANNERS
from maelstrom.core.errors import ProviderError

ROOTS = [
    str(Path(__file__).parents[3] / root) for root in ("core", "effects", "adapters")
]
PATIENCE = 30
"""Seconds until a test gives a terminal up: only a fault waits that long."""


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    """A machine on which the demo never ran; the user's data folder."""
    folder = tmp_path / "home"
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    return folder / "data"


@pytest.fixture
def demo(monkeypatch, capsys):
    """Runs the demo over typed lines that come from a pipe: exit code and output."""

    def run(*arguments: str, typed: str = ""):
        data = io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", data)
        code = main(["demo", *arguments])
        out, err = capsys.readouterr()
        assert err == ""
        return code, out

    return run


def test_one_intent_is_one_turn(demo):
    """The intent's chart is drawn, and with nobody at a terminal that is all."""
    code, out = demo("show my calendar and the weather", typed="show notes\n")

    assert code == 0
    assert "╭ calendar-1 " in out
    assert "╭ weather-1 " in out
    assert out.count("Now showing") == 1


def test_a_script_of_intents_is_a_conversation(demo):
    """Instances, variants and what they were told stay from turn to turn."""
    code, out = demo(
        typed="show the tasks\n\nadd a task: buy milk\ntasks as a board\n/quit\nhide tasks\n"
    )

    last = out[out.rindex("╭ tasks-1 ") :]
    assert code == 0
    assert "│ board" in last
    assert "addTask: buy milk" in last
    assert "Ran showBoard on tasks-1." in last


def test_both_layout_modes(demo):
    """A switch of the mode starts empty and shows again who was there."""
    code, out = demo("--mode", "tiling", typed="calendar and notes\n/grid\n/tiling\n")

    assert code == 0
    assert out.count("╭ calendar-1 ") == 3
    assert out.count("I fitted the chart to its new size.") == 2


def test_a_chat_is_gone_on_with(demo, tmp_path):
    """A chat kept in a file is taken up where it ended, if that is asked for."""
    kept = ("--history", str(tmp_path / "chat.db"))

    assert demo("show my notes", *kept)[0] == 0
    code, out = demo("show the weather", *kept, "--resume")
    assert (code, "╭ notes-1 " in out) == (0, True)
    code, out = demo("tasks", *kept, "--resume", "--mode", "tiling")
    assert (code, "parked: notes-1, weather-1" in out) == (0, True)


def test_a_new_chat_takes_the_place_of_the_last(demo, tmp_path):
    """Without --resume every run of a command shows the same."""
    kept = ("--history", str(tmp_path / "chat.db"))

    first = demo("show my notes", *kept)
    assert demo("show my notes", *kept) == first
    assert "Already there" in demo("show my notes", *kept, "--resume")[1]


def test_the_chat_is_kept_in_the_user_s_data_folder(demo, home):
    """By default, on a fresh machine too; not where it is to be kept nowhere."""
    first = demo("show my notes", "--history", "none")
    assert not home.exists()

    assert demo("show my notes") == first
    assert (home / "maelstrom" / "demo.sqlite3").is_file()
    assert demo("show my notes") == first
    assert "╭ notes-1 " in demo("the weather", "--resume")[1]
    assert "╭ notes-1 " not in demo("the weather")[1]


def test_a_machine_without_a_data_folder_has_a_demo(demo, home):
    """Where nothing can be written the chat is kept in memory."""
    home.parent.mkdir(parents=True)
    home.write_text("a file where the folder would be")

    code, out = demo("show my notes")

    assert (code, "╭ notes-1 " in out) == (0, True)


def test_there_is_nothing_to_resume_without_a_history(capsys):
    """The two options contradict each other: usage."""
    code = main(["demo", "hello", "--history", "none", "--resume"])

    assert (code, capsys.readouterr().err.count("\n")) == (2, 1)


def test_a_history_that_cannot_be_read_ends_with_3(monkeypatch, capsys, tmp_path):
    """A file that is no history is the store's fault."""
    path = tmp_path / "chat.db"
    path.write_bytes(b"not a database, but long enough to be mistaken for one" * 50)

    code = main(["demo", "hello", "--history", str(path)])

    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (3, "", 1)


def test_a_provider_that_fails_ends_with_3(demo, monkeypatch):
    """The error is said, the chart stays, and the exit code names who is to blame."""

    async def away(_given, _context):
        return Failure(ProviderError("auth", "cloud", "the key was refused"))

    planners = {**PLANNERS, "cloud": lambda _model: away}
    for module in ("demo", "planners"):  # what may be named, and what is built
        monkeypatch.setattr(f"maelstrom.adapters.cli.{module}.PLANNERS", planners)

    code, out = demo("hello", "--planner", "cloud")

    assert (code, out) == (3, "the key was refused\n")


def _own_the_terminal() -> None:
    """Make the terminal the process's own, so that the kernel tells it of resizes."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Person:
    """Somebody at a terminal: types, resizes, and reads what is shown."""

    def __init__(self, columns: int, rows: int, *arguments: str) -> None:
        self.terminal, theirs = pty.openpty()
        self.resize(columns, rows)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "maelstrom.adapters.cli", "demo", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={
                "PYTHONPATH": ":".join(ROOTS),
                "TERM": "xterm",
                "LC_ALL": "C.UTF-8",
                "HOME": os.environ["HOME"],
                "XDG_DATA_HOME": os.environ["XDG_DATA_HOME"],
            },
            preexec_fn=_own_the_terminal,  # noqa: PLW1509  no threads run here
        )
        os.close(theirs)

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal a size; whoever runs in it is told by the kernel."""
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, size)

    def type(self, text: str) -> None:
        """Type."""
        os.write(self.terminal, text.encode())

    def reads(self, awaited: str) -> str:
        """Read until that has been shown; colours are left out."""
        shown = ""
        until = time.monotonic() + PATIENCE
        raw = b""
        while awaited not in shown:
            left = until - time.monotonic()
            assert left > 0, f"never shown: {awaited!r} in {shown!r}"
            if select.select([self.terminal], [], [], left)[0]:
                raw += os.read(self.terminal, 65_536)
                text = raw.decode("utf-8", "ignore").replace("\r", "")
                shown = re.sub("\x1b\\[[0-9;]*m", "", text)
        return shown

    def ends(self) -> int:
        """Wait for the end; the exit code."""
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            os.close(self.terminal)


def test_a_person_at_a_terminal_that_resizes():
    """The chart is as large as the terminal, and follows it without a word typed."""
    person = Person(90, 32, "show my calendar")
    first = person.reads("> ")
    assert "Now showing calendar-1." in first
    assert max(len(line) for line in first.splitlines()) == 90

    person.resize(48, 24)
    smaller = person.reads("I fitted the chart to its new size.\n> ")
    assert max(len(line) for line in smaller.splitlines()) == 48

    person.type("show my notes\n")
    person.reads("Now showing notes-1.\n> ")
    person.type("/quit\n")
    assert person.ends() == 0


def test_a_person_who_comes_back():
    """With --resume the chart is shown as it was left, before anything is typed."""
    person = Person(80, 30, "show my notes")
    person.reads("> ")
    person.type("/quit\n")
    assert person.ends() == 0

    person = Person(80, 30, "--resume")
    assert "╭ notes-1 " in person.reads("> ")
    person.type("/quit\n")
    assert person.ends() == 0


def test_a_person_who_leaves():
    """Ctrl-D ends the chat well; Ctrl-C ends it quietly."""
    person = Person(80, 30)
    person.reads("> ")
    person.type("\x04")
    assert person.ends() == 0

    person = Person(80, 30, "--mode", "tiling")
    person.reads("> ")
    person.process.send_signal(signal.SIGINT)
    assert person.ends() == 130


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("openai",), "--model"),
        (("openai", "--model", "some-model"), "OPENAI_API_KEY"),
        (("anthropic", "--model", "some-model"), "ANTHROPIC_API_KEY"),
        (("gemini", "--model", "some-model"), "GEMINI_API_KEY"),
        (("local", "--model", "/nowhere.gguf"), "GGUF"),
    ],
)
def test_a_planner_that_lacks_something_ends_with_2(
    monkeypatch, capsys, arguments, words
):
    """A missing key, model or file is a line on stderr that names it."""
    for provider in ("OPENAI", "ANTHROPIC", "GEMINI", "GOOGLE"):
        monkeypatch.delenv(f"{provider}_API_KEY", raising=False)

    code = main(["demo", "hello", "--planner", *arguments])

    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err
