"""A short benchmark that ships with the library: medians and ratios on your machine.

Theory: every contestant runs once a round, in turn, so that a busy moment of the
machine falls on all of them; a figure is the median of the rounds, in CPU time, and a
ratio the median of the rounds' ratios. Ratios are what can be compared between
machines: to the standard library's JSON parser, to healing ten times fewer pieces, to
the parts of a turn. The inputs are made here, the same each time.

The long benchmarks, beside other libraries, are the repository's `benchmarks/`.
"""

import asyncio
import gc
import json
from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time
from types import MappingProxyType
from typing import Final, TypeAlias

from attrs import frozen
from returns.result import Result, Success

from maelstrom.adapters.demo import VESSELS
from maelstrom.core.candidate import Candidate
from maelstrom.core.errors import EngineError
from maelstrom.core.heal import mend
from maelstrom.core.json_value import Json
from maelstrom.core.layout import Cell, GridLayout, Position
from maelstrom.core.messages import EngineMessage
from maelstrom.core.plan_input import PlanInput
from maelstrom.core.prompt_template import build_prompt, prepare_template
from maelstrom.core.request import (
    ChartRequest,
    Context,
    Dimensions,
    Instance,
    UserIntent,
)
from maelstrom.core.vessel import Size, Variant, Vessel
from maelstrom.core.wire import decode_message, encode_message
from maelstrom.effects.create import create_engine
from maelstrom.effects.engine import ReferenceEngine
from maelstrom.effects.ports import TurnContext

__all__ = ["Figure", "measure"]

Run: TypeAlias = Callable[[], object]

FEW: Final = 50
MANY: Final = 500
_ACROSS: Final = 25
"""Pieces side by side; a piece is 3 x 2 cells."""

_REPEATS: Final = MappingProxyType(
    {
        # contestant: runs a round, so that each takes some milliseconds
        "parse a message as JSON, 50 instances": 40,
        "decode a message, 50 instances": 20,
        "heal 50 pieces": 20,
        "heal 500 pieces": 2,
        "heal 50 pieces, one in five at fault": 20,
        "build the prompt of the example app": 20,
        "a whole turn without a model, 50 pieces": 5,
    }
)
_RATIOS: Final = MappingProxyType(
    {
        # contestant: what it is compared with
        "decode a message, 50 instances": "parse a message as JSON, 50 instances",
        "build the prompt of the example app": "parse a message as JSON, 50 instances",
        "heal 500 pieces": "heal 50 pieces",
        "heal 50 pieces, one in five at fault": "heal 50 pieces",
        "a whole turn without a model, 50 pieces": "heal 50 pieces",
    }
)


@frozen
class Figure:
    """A contestant's median in microseconds, and its ratio to another."""

    name: str
    microseconds: float
    ratio: float | None = None
    to: str | None = None


def measure(rounds: int = 15) -> tuple[Figure, ...]:
    """Run the benchmark; some seconds.

    Args:
        rounds: How often each contestant runs; more give steadier medians.
    """
    runner = asyncio.Runner()
    try:
        times = _times(_contestants(runner), rounds)
    finally:
        runner.close()
    return tuple(_figure(name, times) for name in times)


def _figure(name: str, times: dict[str, list[float]]) -> Figure:
    middle = median(times[name]) * 1e6
    other = _RATIOS.get(name)
    if other is None:
        return Figure(name, middle)
    pairs = zip(times[name], times[other], strict=True)
    return Figure(name, middle, median(one / two for one, two in pairs), other)


def _times(runs: dict[str, Run], rounds: int) -> dict[str, list[float]]:
    """Seconds of CPU time by contestant; a first round warms up, and does not count."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds + 1):
        for name, run in runs.items():
            spent = _seconds(run, _REPEATS[name])
            if number:
                times[name].append(spent)
    return times


def _seconds(run: Run, repeats: int) -> float:
    gc.collect()
    gc.disable()  # else one contestant pays for what another left
    try:
        before = process_time()
        for _ in range(repeats):
            run()
        # a clock that ticks coarsely may not have moved at all
        return max(process_time() - before, 1e-9) / repeats
    finally:
        gc.enable()


# ---------------------------------------------------------------- the contestants


def _contestants(runner: asyncio.Runner) -> dict[str, Run]:
    few, many = _message(FEW), _message(MANY)
    text = json.dumps(encode_message(few), ensure_ascii=False)
    runs: tuple[Run, ...] = (
        partial(json.loads, text),
        partial(decode_message, text),
        partial(mend, few.payload, _answer(FEW)),
        partial(mend, many.payload, _answer(MANY)),
        partial(mend, few.payload, _faulty(FEW)),
        partial(build_prompt, PlanInput(_example()), prepare_template().unwrap()),
        partial(_turn, runner, _engine(), text),
    )
    return dict(zip(_REPEATS, runs, strict=True))


def _message(count: int) -> EngineMessage:
    """So many boxes on a chart with room for a few more."""
    rows = 2 * (count // _ACROSS + 2)
    box = Vessel("box", "A box", (Variant("only", "The only form"),))
    request = ChartRequest(
        Context((UserIntent("tidy up"),), Dimensions(3 * _ACROSS, rows), "grid"),
        tuple(Instance(f"box-{n}", "box", "only") for n in range(count)),
        (box, *VESSELS),
        GridLayout(
            tuple(
                Position(f"box-{n}", Cell(*_place(n)), Size(3, 2)) for n in range(count)
            )
        ),
    )
    return EngineMessage("bench", "bench", 0, request)


def _place(n: int) -> tuple[int, int]:
    return 2 * (n // _ACROSS), 3 * (n % _ACROSS)


def _pieces(count: int) -> list[Json]:
    return [
        {
            "instanceId": f"box-{n}",
            "position": dict(zip(("row", "column"), _place(n), strict=True)),
            "size": {"width": 3, "height": 2},
        }
        for n in range(count)
    ]


def _candidate(pieces: list[Json]) -> Candidate:
    layout = {"type": "grid", "positions": pieces}
    return Candidate("Because.", (), layout, "Done.")


def _answer(count: int) -> Candidate:
    return _candidate(_pieces(count))


def _faulty(count: int) -> Candidate:
    """The same, one piece in five at fault: it overlaps, is outside, or is no number."""
    faults: tuple[Json, ...] = (
        {"position": {"row": 0, "column": 0}},
        {"position": {"row": 9_999, "column": 0}},
        {"size": {"width": "wide", "height": 2}},
    )
    pieces = _pieces(count)
    for n in range(0, count, 5):
        pieces[n] = {**pieces[n], **faults[n // 5 % len(faults)]}
    return _candidate(pieces)


def _example() -> EngineMessage:
    context = Context((UserIntent("show my calendar"),), Dimensions(12, 8), "grid")
    return EngineMessage(
        "bench", "bench", 0, ChartRequest(context, (), VESSELS, GridLayout())
    )


def _engine() -> ReferenceEngine:
    """An engine whose planner has its answer ready: what is left is the engine's own."""
    answer = Success(_answer(FEW))

    async def plan(
        plan_input: PlanInput,  # noqa: ARG001  the shape of a planner
        context: TurnContext,  # noqa: ARG001
    ) -> Result[Candidate, EngineError]:
        return answer

    return create_engine(planner=plan)


def _turn(runner: asyncio.Runner, engine: ReferenceEngine, text: str) -> object:
    return runner.run(engine.handle(text))
