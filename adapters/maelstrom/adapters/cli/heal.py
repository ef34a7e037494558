"""`maelstrom heal`: what healing makes of a saved answer of a model."""

import argparse
from typing import Any

from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.adapters.cli.batch import run_batch
from maelstrom.adapters.cli.exits import USAGE, WELL, AtFaultError
from maelstrom.adapters.cli.extras import needs_cli
from maelstrom.adapters.cli.saved import given_policy, message_in, policy_from
from maelstrom.adapters.cli.streams import pretty, read_bytes, say
from maelstrom.core.answer import decode_candidate
from maelstrom.core.candidate import Candidate
from maelstrom.core.heal import mend
from maelstrom.core.json_value import Json
from maelstrom.core.request import ChartRequest
from maelstrom.core.wire import (
    candidate_from_json,
    decode_request,
    encode_healed,
)

__all__ = ["add_to", "judge"]


def add_to(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "heal",
        help="what healing makes of a saved model answer",
        description="Heal a saved model answer against the request that it answers. "
        "With --batch: one JSON value a line on stdin, {request, candidate, policy}, "
        "one a line on stdout.",
    )
    parser.add_argument("request", nargs="?", help="a ChartRequest or an EngineMessage")
    parser.add_argument("candidate", nargs="?", help="the model's answer, as it came")
    parser.add_argument(
        "--policy",
        default="reference",
        help="reference, gentle, or the fields that differ as JSON, "
        '{"overlap": "drop"} (%(default)s)',
    )
    parser.add_argument("--draw", action="store_true", help="draw the healed chart")
    parser.add_argument("--batch", action="store_true", help="a question a line")
    parser.set_defaults(run=_run)


def judge(line: dict[str, Json]) -> Result[Json, str]:
    """A line of a batch: what mending makes of its candidate.

    >>> judge({"candidate": {}}).failure()
    'request: not given'
    """
    for field in ("request", "candidate"):
        if field not in line:
            return Failure(f"{field}: not given")
        if not isinstance(line[field], dict):
            return Failure(f"{field}: not an object")
    policy = policy_from(line.get("policy"))
    if not is_successful(policy):
        return Failure(policy.failure())
    request = decode_request(line["request"])
    if not is_successful(request):
        return Failure(f"request: {request.failure().message}")
    candidate = candidate_from_json(line["candidate"])
    healed = mend(request.unwrap(), candidate, policy.unwrap())
    return Success(encode_healed(candidate, healed))


def _run(chosen: argparse.Namespace) -> int:
    if chosen.batch:
        if chosen.request or chosen.draw:
            raise AtFaultError(
                "--batch reads stdin, and takes no file and no --draw", USAGE
            )
        return run_batch(judge, lenient="candidate")
    if chosen.request is None or chosen.candidate is None:
        raise AtFaultError("heal takes a REQUEST and a CANDIDATE, or --batch", USAGE)
    if chosen.request == chosen.candidate == "-":
        raise AtFaultError("only one of the two can be stdin", USAGE)
    policy = given_policy(chosen.policy)
    request = message_in(chosen.request).payload
    candidate = _candidate(chosen.candidate, request)
    healed = mend(request, candidate, policy)
    if chosen.draw:
        with needs_cli("heal --draw"):
            from maelstrom.adapters.cli.drawing import draw_healed

        draw_healed(request, candidate, healed)
    else:
        say(pretty(encode_healed(candidate, healed)))
    return WELL


def _candidate(name: str, request: ChartRequest) -> Candidate:
    text = read_bytes(name).decode("utf-8", "replace")
    candidate = decode_candidate(text, request.context.layout_mode)
    if not is_successful(candidate):
        raise AtFaultError(f"{name}: {candidate.failure().message}")
    return candidate.unwrap()
