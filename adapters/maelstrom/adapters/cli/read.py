"""`maelstrom read`: what reading makes of a model's raw text."""

import argparse
from math import isfinite
from typing import Any, Final

from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.adapters.cli.batch import run_batch
from maelstrom.adapters.cli.exits import INPUT, USAGE, WELL, AtFaultError
from maelstrom.adapters.cli.streams import pretty, read_bytes, say
from maelstrom.core.answer import decode_candidate
from maelstrom.core.candidate import Candidate
from maelstrom.core.errors import ParseError, ProviderError
from maelstrom.core.json_value import Json
from maelstrom.core.layout import LayoutMode
from maelstrom.core.wire import encode_candidate

__all__ = ["add_to", "judge"]

_MODES: Final = ("grid", "tiling")


def add_to(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "read",
        help="what reading makes of a raw model text",
        description="Read a model's answer. With --batch: one JSON value a line on "
        "stdin, {mode, text, finishReason?, salvage?}, one a line on stdout.",
    )
    parser.add_argument("text", nargs="?", default="-", help="a file; - is stdin")
    parser.add_argument(
        "--mode",
        choices=_MODES,
        default="grid",
        help="what was asked for (%(default)s)",
    )
    parser.add_argument("--finish-reason", help="length where the answer was cut")
    parser.add_argument(
        "--no-salvage",
        dest="salvage",
        action="store_false",
        help="fail the whole answer for one malformed piece",
    )
    parser.add_argument("--batch", action="store_true", help="a question a line")
    parser.set_defaults(run=_run)


def judge(line: dict[str, Json]) -> Result[Json, str]:
    """A line of a batch: the candidate in its text, or the error's kind.

    >>> judge({"mode": "grid", "text": "Sorry, no."}).unwrap()
    {'error': 'malformed_json'}
    """
    mode, text = line.get("mode"), line.get("text")
    finish_reason, salvage = line.get("finishReason"), line.get("salvage", True)
    if mode not in _MODES:
        return Failure("mode: neither grid nor tiling")
    if not isinstance(text, str):
        return Failure("text: not a text")
    if not isinstance(finish_reason, str | None):
        return Failure("finishReason: not a text")
    if not isinstance(salvage, bool):
        return Failure("salvage: neither true nor false")
    return Success(
        _read(text, "grid" if mode == "grid" else "tiling", finish_reason, salvage)
    )


def _read(
    text: str, mode: LayoutMode, finish_reason: str | None, salvage: bool
) -> Json:
    read = decode_candidate(text, mode, finish_reason, salvage)
    if not is_successful(read):
        return {"error": _kind(read.failure())}
    candidate = read.unwrap()
    answer: dict[str, Json] = {"ok": True}
    if _is_json(candidate):
        answer["candidate"] = encode_candidate(candidate)
    answer["repairs"] = sorted({repair.reason for repair in candidate.repairs})
    answer["warnings"] = [] if candidate.rationale else ["rationale_missing"]
    return answer


def _kind(error: ProviderError | ParseError) -> str:
    return error.kind if isinstance(error, ProviderError) else "parse_error"


def _is_json(candidate: Candidate) -> bool:
    """Whether JSON can write all of the candidate's numbers; no recursion."""
    left: list[Json] = [candidate.layout, *candidate.execution_plan]
    while left:
        value = left.pop()
        if isinstance(value, float) and not isfinite(value):
            return False
        if isinstance(value, dict):
            left.extend(value.values())
        elif isinstance(value, list):
            left.extend(value)
    return True


def _run(chosen: argparse.Namespace) -> int:
    if chosen.batch:
        if chosen.text != "-":
            raise AtFaultError("--batch reads stdin, and takes no file", USAGE)
        return run_batch(judge)
    text = read_bytes(chosen.text).decode("utf-8", "replace")
    answer = _read(text, chosen.mode, chosen.finish_reason, chosen.salvage)
    say(pretty(answer))
    return INPUT if "error" in answer else WELL
