"""Finding the command that was asked for, and ending as a command should."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Final, NoReturn

from maelstrom.adapters.cli import (
    bench,
    check,
    demo,
    evaluate,
    explain,
    heal,
    read,
    replay,
    schema,
    serve,
)
from maelstrom.adapters.cli.exits import INPUT, INTERRUPTED, USAGE, WELL, AtFaultError
from maelstrom.adapters.cli.streams import say_error, use_utf8

__all__ = ["main"]

_COMMANDS: Final = (
    demo,
    serve,
    heal,
    explain,
    replay,
    evaluate,
    bench,
    check,
    read,
    schema,
)


class _UsageError(Exception):
    """The arguments make no sense; the message says why."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors take one line."""

    def error(self, message: str) -> NoReturn:
        raise _UsageError(f"{message} (see {self.prog} --help)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and give its exit code.

    Args:
        arguments: Without the program's name; the process's own where None.

    >>> main(["read", "--mode", "round"])
    2
    """
    use_utf8()
    try:
        code = _run(_parser(), arguments)
        sys.stdout.flush()
    except _UsageError as error:
        return say_error(str(error), USAGE)
    except AtFaultError as error:
        return say_error(str(error), error.code)
    except BrokenPipeError:
        # Whoever reads has read enough. What is still in the buffer goes nowhere, so
        # that the interpreter's own flush at the end stays quiet as well.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return WELL
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _run(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> int:
    try:
        chosen = parser.parse_args(arguments)
    except SystemExit as ended:  # --help and --version print and leave
        return INPUT if ended.code else WELL
    code: int = chosen.run(chosen)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="maelstrom",
        description="A decision engine that lets a model arrange the interface you "
        "defined, and heals what it gets wrong.",
    )
    parser.add_argument(
        "--version", action="version", version=f"maelstrom {_version()}"
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in _COMMANDS:
        command.add_to(commands)
    return parser


def _version() -> str:
    try:
        return version("maelstrom-engine")
    except PackageNotFoundError:  # run from a clone that is not installed
        return "(not installed)"
