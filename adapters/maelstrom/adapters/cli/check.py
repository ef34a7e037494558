"""`maelstrom check`: whether a message keeps to the protocol."""

import argparse
import json
from typing import Any

from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.adapters.cli.batch import run_batch
from maelstrom.adapters.cli.exits import INPUT, USAGE, WELL, AtFaultError
from maelstrom.adapters.cli.streams import read_bytes, say
from maelstrom.core.json_value import Json
from maelstrom.core.wire import decode_message, encode_issue

__all__ = ["add_to", "judge"]


def add_to(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "check",
        help="validate a message, list its issues",
        description="Validate an EngineMessage. With --batch: one JSON value a line on "
        "stdin, {message} or {text}, one a line on stdout, {ok} or {issues}.",
    )
    parser.add_argument("message", nargs="?", help="a file; - is stdin")
    parser.add_argument("--batch", action="store_true", help="a question a line")
    parser.set_defaults(run=_run)


def judge(line: dict[str, Json]) -> Result[Json, str]:
    """A line of a batch: the message's issues.

    >>> judge({"text": "{}"}).unwrap()["issues"][0]["code"]
    'missing_field'
    """
    if ("message" in line) == ("text" in line):
        return Failure("either message or text is to be given")
    if "text" in line and not isinstance(line["text"], str):
        return Failure("text: not a text")
    checked = decode_message(line["text"] if "text" in line else _text(line["message"]))
    if is_successful(checked):
        return Success({"ok": True})
    issues = [encode_issue(issue) for issue in checked.failure().issues]
    return Success({"issues": issues})


def _text(message: Json) -> Json:
    """A message as a value; one that is itself a text stands in quotes, as JSON does."""
    return json.dumps(message) if isinstance(message, str) else message


def _run(chosen: argparse.Namespace) -> int:
    if chosen.batch:
        if chosen.message:
            raise AtFaultError("--batch reads stdin, and takes no file", USAGE)
        return run_batch(judge)
    if chosen.message is None:
        raise AtFaultError("check takes a MESSAGE, or --batch", USAGE)
    checked = decode_message(read_bytes(chosen.message))
    if is_successful(checked):
        say("ok")
        return WELL
    for issue in checked.failure().issues:
        where = ".".join(str(part) for part in issue.path) or "(message)"
        say(f"{where}: {issue.code}: {issue.message}")
    return INPUT
