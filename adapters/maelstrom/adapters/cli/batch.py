"""Many questions in one process: one JSON value a line in, one a line out.

Theory: lines are judged one by one, and nothing is kept between them, so memory stays
flat however many there are. A line at fault gives a line ``{"error": ...}``, the rest
goes on, and the exit code is 1 at the end. Each answer is flushed, so that a program at
the other end of two pipes can ask line by line. Lines may hold what JSON does not know
(NaN, infinities), for it is the judges' work to say what that costs. Answers are ASCII,
since there are readers that end a line at U+2028 as well.

Warts: a line longer than `MAX_LINE` is at fault unread, and so is one that nests deeper
than the parser can follow.
"""

import json
import sys
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final, TypeAlias

from returns.pipeline import is_successful
from returns.result import Failure, Result

from maelstrom.adapters.cli.exits import INPUT, WELL
from maelstrom.adapters.cli.streams import say, standard_input
from maelstrom.core.json_text import JsonFault, JsonRules, parse_json
from maelstrom.core.json_value import Json

__all__ = ["MAX_LINE", "Judge", "run_batch"]

Judge: TypeAlias = Callable[[dict[str, Json]], Result[Json, str]]
"""Answers one line's object, or says in words why it cannot."""

MAX_LINE: Final = 16 * 1024 * 1024
"""Bytes of a line: room for the largest message beside the largest answer."""

_MAX_DEPTH: Final = 512
"""Well under what the interpreter's own recursion limit lets its parser follow."""

_RULES: Final = JsonRules(max_depth=_MAX_DEPTH, constants=True)


def run_batch(judge: Judge, lenient: str | None = None) -> int:
    """Judge each line of standard input; the exit code.

    Args:
        judge: What answers a line.
        lenient: The field of a line within which the first of duplicate keys counts,
            as it does in a model's answer; anywhere else they are a fault.
    """
    code = WELL
    for line in _lines(standard_input()):
        judged = _judged(line, judge, lenient)
        if is_successful(judged):
            answer = judged.unwrap()
        else:
            answer = {"error": judged.failure()}
        if isinstance(answer, dict) and "error" in answer:
            code = INPUT
        say(json.dumps(answer, separators=(",", ":"), allow_nan=False))
        sys.stdout.flush()
    return code


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a stream; None for one that is too long."""
    while line := stream.readline(MAX_LINE):
        if len(line) < MAX_LINE or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE)
        yield None


def _judged(line: bytes | None, judge: Judge, lenient: str | None) -> Result[Json, str]:
    if line is None:
        return Failure(f"a line of more than {MAX_LINE} bytes")
    read = parse_json(line.strip(b"\r\n"), _RULES)
    if not is_successful(read) and _may_repeat(read.failure(), lenient):
        rules = JsonRules(max_depth=_MAX_DEPTH, constants=True, first_key_wins=True)
        read = parse_json(line.strip(b"\r\n"), rules)
    if not is_successful(read):
        fault = read.failure()
        return Failure(f"{fault.code}: {fault.message}")
    value = read.unwrap().value
    if not isinstance(value, dict):
        return Failure("not an object")
    return judge(value)


def _may_repeat(fault: JsonFault, lenient: str | None) -> bool:
    return fault.code == "duplicate_key" and all(
        path[:1] == (lenient,) for path in fault.doubles
    )
