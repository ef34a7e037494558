"""`maelstrom explain`: what happened in a recorded turn, in words and drawn."""

import argparse
from typing import Any

from maelstrom.adapters.cli.exits import WELL
from maelstrom.adapters.cli.extras import needs_cli
from maelstrom.adapters.cli.saved import given_policy, turn_in
from maelstrom.adapters.cli.streams import say
from maelstrom.adapters.cli.telling import tell
from maelstrom.core.recording import Recording

__all__ = ["add_to"]


def add_to(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "explain",
        help="what happened in a recorded turn, and why",
        description="Tell what a recorded turn was asked, what the model said, and what "
        "was dropped, skipped and repaired and why, with the proposed chart beside the "
        "healed one. Turns are recorded by record_to(folder).",
    )
    parser.add_argument("file", help="a recorded turn, or a request; - is stdin")
    parser.add_argument(
        "answer", nargs="?", help="a saved answer: what heal makes of it is explained"
    )
    parser.add_argument(
        "--policy", default="reference", help="of a saved answer (%(default)s)"
    )
    parser.add_argument("--words", action="store_true", help="draw no charts")
    parser.set_defaults(run=_run)


def _run(chosen: argparse.Namespace) -> int:
    policy = given_policy(chosen.policy)
    recording = turn_in(chosen.file, chosen.answer, policy)
    if chosen.words:
        for passage in tell(recording):
            say(passage.heading)
            for line in passage.lines:
                say(f"  {line}")
    else:
        with needs_cli("explain (without --words)"):
            from rich.console import Console

            from maelstrom.adapters.cli.beside import draw_beside
        _show(recording, Console(highlight=False, soft_wrap=True), draw_beside)
    return WELL


def _show(recording: Recording, console: Any, draw_beside: Any) -> None:
    """The passages in order, each attempt followed by its charts."""
    from rich.text import Text

    turn = recording.diagnostics
    charts = {f"attempt {attempt.number}": attempt for attempt in turn.attempts}
    for passage in tell(recording):
        console.print(Text(passage.heading, "bold"))
        for line in passage.lines:
            console.print(Text(f"  {line}"))
        attempt = charts.get(passage.heading)
        if attempt is None or turn.message is None:
            continue
        if attempt.candidate is not None and attempt.healed is not None:
            request = turn.message.payload
            draw_beside(console, request, attempt.candidate, attempt.healed)
