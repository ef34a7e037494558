"""The tables of docs/cli.md, from the parsers of the commands."""

import argparse
from collections.abc import Iterator, Mapping

from maelstrom.adapters.cli import app
from tests.docs.marked import table

__all__ = ["command_tables", "commands", "options"]

_DEFAULT = " (%(default)s)"
_HEAD = ("argument", "default", "what it is")


def _subparsers() -> argparse._SubParsersAction:
    (found,) = (
        action
        for action in app._parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    return found


def commands() -> Mapping[str, argparse.ArgumentParser]:
    """The parser of each command, by the command's name."""
    return _subparsers().choices


def options(command: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """All that a command takes, but for ``--help``."""
    for action in command._actions:
        if not isinstance(action, argparse._HelpAction):
            yield action


def command_tables() -> dict[str, str]:
    """Each table of the page, by the name that its mark has."""
    overview = (
        (f"[`{one.dest}`](#maelstrom-{one.dest})", one.help or "")
        for one in _subparsers()._choices_actions
    )
    return {
        "commands": table(("command", "what it does"), overview),
        **{
            f"command {name}": table(_HEAD, map(_row, options(parser)))
            for name, parser in commands().items()
        },
    }


def _row(action: argparse.Action) -> tuple[str, str, str]:
    words = (action.help or "").removesuffix(_DEFAULT)
    default = action.default
    told = isinstance(default, str | int | float) and not isinstance(default, bool)
    return f"`{_name(action)}`", f"`{default}`" if told else "", words


def _name(action: argparse.Action) -> str:
    """The argument as it is typed: brackets around what may be left out."""
    if not action.option_strings:
        name = (action.metavar or action.dest).upper()
        return f"[{name}]" if action.nargs == "?" else name
    (name,) = action.option_strings
    if action.nargs == 0:
        return name
    if action.choices is not None:
        return f"{name} {{{','.join(action.choices)}}}"
    return f"{name} {action.metavar or action.dest.upper()}"
