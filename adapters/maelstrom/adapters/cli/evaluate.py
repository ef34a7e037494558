"""`maelstrom eval`: how well a planner does on cases, as a table or as JSON.

Without CASES: the forty that ship with the example app. Exit code 3 where a provider
failed, 1 where fewer cases were met than ``--at-least`` asks for.
"""

import argparse
import asyncio
import logging
import math
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from attrs import asdict
from returns.pipeline import is_successful

from maelstrom.adapters.cli.exits import INPUT, PROVIDER, USAGE, WELL, AtFaultError
from maelstrom.adapters.cli.extras import needs_cli
from maelstrom.adapters.cli.planners import PLANNERS, build
from maelstrom.adapters.cli.streams import pretty, read_bytes, say, say_error
from maelstrom.adapters.cli.telling import printable
from maelstrom.adapters.eval_case import Case, read_cases
from maelstrom.adapters.evaluation import Scored, Summary, score, summarize
from maelstrom.core.diagnostics import Diagnostics
from maelstrom.core.json_value import Json
from maelstrom.core.messages import EngineMessage
from maelstrom.core.retry import RetryPolicy
from maelstrom.effects.clock import SystemClock
from maelstrom.effects.create import create_engine
from maelstrom.effects.ports import Planner

__all__ = ["add_to", "evaluate"]


def add_to(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "eval",
        help="how well a planner does on cases",
        description="Ask a planner each case, and say what share of them is met, and "
        "parse rate, surviving pieces, retry rate and tokens.",
    )
    parser.add_argument(
        "cases",
        nargs="?",
        help="a JSON list of cases, or one a line; - is stdin; without it, the forty "
        "of the example app",
    )
    parser.add_argument(
        "--planner",
        choices=tuple(PLANNERS),
        default="keyword",
        help="who plans (%(default)s)",
    )
    parser.add_argument("--model", help="the model that the planner asks")
    parser.add_argument(
        "--retries", type=int, default=1, help="further attempts (%(default)s)"
    )
    parser.add_argument(
        "--at-least", type=float, help="the share of cases to meet, 0 to 1"
    )
    parser.add_argument("--json", action="store_true", help="JSON, for programs")
    parser.set_defaults(run=_run)


def _run(chosen: argparse.Namespace) -> int:
    if chosen.retries < 0:
        raise AtFaultError("--retries: not 0 or more", USAGE)
    least = chosen.at_least
    if least is not None and not (math.isfinite(least) and 0 <= least <= 1):
        raise AtFaultError("--at-least: not between 0 and 1", USAGE)
    cases = _cases(chosen.cases)
    planner = build(chosen.planner, chosen.model)
    scores = asyncio.run(evaluate(cases, planner, RetryPolicy(max=chosen.retries)))
    summary = summarize(scores)
    if chosen.json:
        say(pretty(_as_json(scores, summary)))
    else:
        with needs_cli("eval (without --json)"):
            from maelstrom.adapters.cli.eval_table import show_scores

        show_scores(scores, summary)
    failed = sum(one.provider_failed for one in scores)
    if failed:
        return say_error(f"the provider failed in {failed} of {len(scores)}", PROVIDER)
    if least is not None and (summary.met_share or 0) < least:
        return say_error(f"{summary.met} of {summary.cases} cases are met", INPUT)
    return WELL


def _cases(name: str | None) -> tuple[Case, ...]:
    if name is None:
        shipped = files("maelstrom.adapters").joinpath("eval_cases.json")
        return read_cases(shipped.read_bytes()).unwrap()
    cases = read_cases(read_bytes(name))
    if not is_successful(cases):
        raise AtFaultError(f"{name}: {printable(cases.failure())}")
    return cases.unwrap()


async def evaluate(
    cases: Sequence[Case], planner: Planner, retry: RetryPolicy
) -> tuple[Scored, ...]:
    """Ask a planner each case, one after the other, each in a session of its own."""
    quiet = logging.getLogger("maelstrom")
    quiet.addHandler(logging.NullHandler())  # the report says what went wrong
    turns: list[Diagnostics] = []
    engine = create_engine(planner=planner, retry=retry, on_turn=turns.append)
    now = SystemClock().now
    try:
        for number, case in enumerate(cases, start=1):
            message = EngineMessage(f"eval-{number}", "case", now(), case.request)
            await engine.handle(message)
    finally:
        await engine.aclose()
    return tuple(score(case, turn) for case, turn in zip(cases, turns, strict=True))


def _as_json(scores: Sequence[Scored], summary: Summary) -> Json:
    return {
        "summary": _keyed(asdict(summary)),
        "cases": [{**_keyed(asdict(one)), "met": one.met} for one in scores],
    }


def _keyed(values: dict[str, Json]) -> dict[str, Json]:
    """Keys as the protocol writes them."""
    return {
        first + "".join(word.capitalize() for word in rest): value
        for (first, *rest), value in (
            (name.split("_"), value) for name, value in values.items()
        )
    }
