"""`maelstrom demo`: a chat with the example app in the terminal."""

import argparse
import asyncio
import sys
from typing import Any, Final

from maelstrom.adapters.cli.exits import USAGE, AtFaultError
from maelstrom.adapters.cli.extras import needs_cli
from maelstrom.adapters.cli.planners import PLANNERS, build
from maelstrom.adapters.cli.stores import data_file

__all__ = ["add_to"]

_NONE: Final = "none"


def add_to(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "demo",
        help="a chat with an example app; needs no key",
        description="Talk to an app of four vessels: calendar, weather, tasks, notes. "
        "In the chat: /grid, /tiling, /quit. A new chat takes the place of the last one "
        "in the history; --resume goes on with it.",
    )
    parser.add_argument("intent", nargs="?", help="what to ask first")
    parser.add_argument(
        "--mode", choices=("grid", "tiling"), help="the layout; grid in a new chat"
    )
    parser.add_argument(
        "--planner",
        choices=tuple(PLANNERS),
        default="keyword",
        help="who plans (%(default)s)",
    )
    parser.add_argument(
        "--model",
        help="the model that the planner asks: its name, or for local a GGUF file",
    )
    parser.add_argument(
        "--history",
        metavar="PATH",
        help="a SQLite file to keep the chat in, or none; by default one in the user's "
        "data folder",
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on where the last chat ended"
    )
    parser.set_defaults(run=_run)


def _run(chosen: argparse.Namespace) -> int:
    if chosen.resume and chosen.history == _NONE:
        raise AtFaultError("--resume: without a history there is no last chat", USAGE)
    with needs_cli("the demo"):
        from maelstrom.adapters.cli.chat import Chat, converse

        history = _history(chosen.history)
    planner = build(chosen.planner, chosen.model)
    slow = chosen.planner != "keyword"  # all others ask a model
    resumes: bool = chosen.resume
    chat = Chat(planner, chosen.mode, history, resumes=resumes, slow=slow)
    tty = sys.stdin.isatty()
    return asyncio.run(converse(chat, chosen.intent, interactive=tty))


def _history(named: str | None) -> str | None:
    """The file to keep the chat in; None for memory.

    A machine without a data folder that can be written to still has a demo; a file
    that was named has to work.
    """
    if named == _NONE:
        return None
    if named is not None:
        return named
    try:
        path = data_file("demo.sqlite3")
        with path.open("ab"):
            pass
    except OSError:
        return None
    return str(path)
