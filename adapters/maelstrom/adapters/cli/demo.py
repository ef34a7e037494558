"""`maelstrom demo`: a chat with the example app in the terminal."""

import argparse
import asyncio
import sys
from typing import Any

from maelstrom.adapters.cli.exits import USAGE, AtFaultError
from maelstrom.adapters.cli.planners import PLANNERS, build

__all__ = ["add_to"]


def add_to(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "demo",
        help="a chat with an example app; needs no key",
        description="Talk to an app of four vessels: calendar, weather, tasks, notes. "
        "In the chat: /grid, /tiling, /quit.",
    )
    parser.add_argument("intent", nargs="?", help="what to ask first")
    parser.add_argument("--mode", choices=("grid", "tiling"), help="grid by default")
    parser.add_argument("--planner", choices=tuple(PLANNERS), default="keyword")
    parser.add_argument(
        "--model",
        help="the model that the planner asks: its name, or for local a GGUF file",
    )
    parser.add_argument("--history", metavar="PATH", help="keep the chat in this file")
    parser.set_defaults(run=_run)


def _run(chosen: argparse.Namespace) -> int:
    try:
        from maelstrom.adapters.cli.chat import Chat, converse
    except ModuleNotFoundError as error:
        if error.name != "rich":
            raise
        raise AtFaultError(
            "the demo draws with rich: pip install 'maelstrom-engine[cli]'", USAGE
        ) from None
    planner = build(chosen.planner, chosen.model)
    slow = chosen.planner != "keyword"  # all others ask a model
    chat = Chat(planner, mode=chosen.mode, history=chosen.history, slow=slow)
    tty = sys.stdin.isatty()
    return asyncio.run(converse(chat, chosen.intent, interactive=tty))
