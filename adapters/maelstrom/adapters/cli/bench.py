"""`maelstrom bench`: what decoding, healing, prompts and turns cost on this machine."""

import argparse
import logging
from typing import Any

from attrs import asdict

from maelstrom.adapters.cli.exits import USAGE, WELL, AtFaultError
from maelstrom.adapters.cli.streams import pretty, say
from maelstrom.adapters.short_bench import Figure, measure

__all__ = ["add_to"]


def add_to(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "bench",
        help="a short benchmark: medians and ratios",
        description="Measure what decoding, healing, building a prompt and a whole turn "
        "without a model cost here, in CPU time. Takes some seconds.",
    )
    parser.add_argument(
        "--rounds", type=int, default=15, help="how often (%(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="JSON, for programs")
    parser.set_defaults(run=_run)


def _run(chosen: argparse.Namespace) -> int:
    if chosen.rounds < 1:
        raise AtFaultError("--rounds: not 1 or more", USAGE)
    quiet = logging.getLogger("maelstrom")
    quiet.addHandler(logging.NullHandler())
    figures = measure(chosen.rounds)
    if chosen.json:
        say(pretty([asdict(figure) for figure in figures]))
        return WELL
    width = max(len(figure.name) for figure in figures)
    say(f"{'median of ' + str(chosen.rounds) + ' rounds':{width}}  {'us':>10}")
    for figure in figures:
        say(_line(figure, width))
    return WELL


def _line(figure: Figure, width: int) -> str:
    line = f"{figure.name:{width}}  {figure.microseconds:10,.0f}"
    if figure.ratio is None:
        return line
    return f"{line}  {figure.ratio:6.2f} x {figure.to}"
