"""`maelstrom replay`: a recorded turn run again, and whether it ends the same.

By default over the recorded answers: what reading, healing and deciding make of them
now. With ``--planner`` the request is asked anew, without the session's history, and
what comes of it is told beside what came of it then. Exit code 0 where the outcome is
the same or was asked anew, 1 where it differs or cannot be had.
"""

import argparse
import asyncio
from typing import Any

from returns.pipeline import is_successful

from maelstrom.adapters.cli.exits import INPUT, PROVIDER, WELL, AtFaultError
from maelstrom.adapters.cli.planners import PLANNERS, build
from maelstrom.adapters.cli.saved import given_policy, turn_in
from maelstrom.adapters.cli.streams import say
from maelstrom.adapters.cli.telling import outcome, tell_attempt
from maelstrom.core.diagnostics import Diagnostics
from maelstrom.core.errors import ProviderError
from maelstrom.core.messages import EngineMessage
from maelstrom.core.recording import tally
from maelstrom.core.replay import replay, settings_of
from maelstrom.effects.create import create_engine
from maelstrom.effects.ports import Planner

__all__ = ["add_to"]


def add_to(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "replay",
        help="run a recorded turn again",
        description="Read, heal and decide again over the recorded answers, and say "
        "whether the outcome is the same; with --planner, ask anew. The turn must have "
        "been recorded with its content.",
    )
    parser.add_argument("file", help="a recorded turn, or a request; - is stdin")
    parser.add_argument("answer", nargs="?", help="a saved answer to the request")
    parser.add_argument(
        "--policy", default="reference", help="of a saved answer (%(default)s)"
    )
    parser.add_argument("--planner", choices=tuple(PLANNERS), help="ask this one anew")
    parser.add_argument("--model", help="the model that the planner asks")
    parser.set_defaults(run=_run)


def _run(chosen: argparse.Namespace) -> int:
    policy = given_policy(chosen.policy)
    recording = turn_in(chosen.file, chosen.answer, policy)
    if not recording.content:
        raise AtFaultError(
            f"{chosen.file}: recorded without its content, which replay needs: "
            "record_to(folder, content=True)"
        )
    before = recording.diagnostics
    if chosen.planner is not None:
        if before.message is None:
            raise AtFaultError(f"{chosen.file}: it holds no request to ask again")
        planner = build(chosen.planner, chosen.model)
        return _anew(before, before.message, planner)
    again = replay(before)
    if not is_successful(again):
        raise AtFaultError(f"{chosen.file}: {again.failure()}")
    differences = again.unwrap().differences
    if not differences:
        say("the same outcome")
        return WELL
    _tell("now", again.unwrap().diagnostics)
    for words in differences:
        say(f"different: {words}")
    return INPUT


def _anew(before: Diagnostics, message: EngineMessage, planner: Planner) -> int:
    after = asyncio.run(_asked(before, message, planner))
    _tell("then", before)
    _tell("now, without the session's history", after)
    return PROVIDER if isinstance(after.error, ProviderError) else WELL


async def _asked(
    before: Diagnostics, message: EngineMessage, planner: Planner
) -> Diagnostics:
    """What comes of a message that is put to a planner, under the turn's settings."""
    turns: list[Diagnostics] = []
    settings = settings_of(before)
    engine = create_engine(
        planner=planner,
        heal=settings.heal,
        limits=settings.limits,
        on_unrecoverable=settings.on_unrecoverable,
        on_turn=turns.append,
    )
    try:
        await engine.handle(message)
    finally:
        await engine.aclose()
    return turns[0]


def _tell(heading: str, turn: Diagnostics) -> None:
    say(heading)
    for attempt in turn.attempts:
        passage = tell_attempt(attempt, tally(attempt), turn.message)
        say(f"  {passage.heading}")
        for line in passage.lines:
            say(f"    {line}")
    for line in outcome(turn):
        say(f"  {line}")
