"""What does a whole turn cost without its model, beside one step of a peer?

    python -m benchmarks.turn [--rounds 31] [--peer PYTHON]

Bytes in, bytes out: a message of 22 pieces and ten vessels is decoded, its prompt built,
the answer read, healed and decided on, the output encoded. Once with the core's
functions alone, once through an engine that asks a model which answers at once (session,
timeouts, diagnostics and telemetry are the difference).

``--peer`` names a Python that has a2ui-agent-sdk: one step of its own turn is timed in
the same rounds, `DirectJsonParser.parse_response` on the equivalent answer, a column of
22 texts. It parses and validates that; it builds no prompt, heals and encodes nothing.
"""

import argparse
import asyncio
import json
from functools import partial

from returns.result import Success

from benchmarks.catalogues import vessels
from benchmarks.paired import Peer, ballast, here, rounds_of, seconds, table
from benchmarks.survival import PIECES, surface
from maelstrom.adapters.respond import answer_output, respond
from maelstrom.core.answer import decode_candidate
from maelstrom.core.completion import Completion
from maelstrom.core.json_writer import compact_text
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
from maelstrom.core.turn import advance, start
from maelstrom.core.turn_events import Planned, SessionHeld, TurnSettings
from maelstrom.core.vessel import Size
from maelstrom.core.wire import encode_message
from maelstrom.effects.create import create_engine
from maelstrom.effects.planner import llm_planner

JSON, CORE, ENGINE = "json.loads", "turn, core", "turn, engine"
TEMPLATE = prepare_template().unwrap()
LOCAL_TIME = "Thursday, 2026-01-01 09:00"


def message(count=PIECES):
    """So many pieces side by side, eight a row, of ten vessels like the example's."""
    catalogue = vessels(10)
    chosen = [catalogue[n % len(catalogue)] for n in range(count)]
    sizes = [one.variants[0].min_size for one in chosen]
    width = max(size.width for size in sizes)
    height = max(size.height for size in sizes)
    shown = [
        Instance(f"piece-{n}", one.id, one.variants[0].id)
        for n, one in enumerate(chosen)
    ]
    positions = [
        Position(
            one.instance_id,
            Cell(height * (n // 8), width * (n % 8)),
            Size(width, height),
        )
        for n, one in enumerate(shown)
    ]
    chart = Dimensions(8 * width, height * (count // 8 + 1))
    context = Context((UserIntent("tidy up"),), chart, "grid")
    layout = GridLayout(tuple(positions))
    request = ChartRequest(context, tuple(shown), catalogue, layout)
    return EngineMessage("bench", "bench", 1767225600000, request)


def texts(count=PIECES):
    """The body of a request, and what a model answers to it."""
    body = encode_message(message(count))
    layout = body["payload"]["layout"]
    answer = {
        "rationale": "It is tidy as it is.",
        "executionPlan": [],
        "layout": layout,
        "userMessage": "Done.",
    }
    return compact_text(body).encode(), json.dumps(answer)


def by_hand(body, answer):
    """A turn by the core alone."""
    state, _ = start(body, TurnSettings())
    state, plan = advance(state, SessionHeld(0))
    build_prompt(PlanInput(plan.message, LOCAL_TIME), TEMPLATE).unwrap()
    read = decode_candidate(answer, "grid").unwrap()
    state, finish = advance(state, Planned(read, (), 0))
    return answer_output(finish.result.unwrap()).body


class InstantModel:
    """A model that has its answer ready."""

    provider = "instant"
    model = "instant-1"
    options = frozenset()

    def __init__(self, answer):
        self._answer = Success(Completion(answer, self.model))

    async def complete(self, *_):
        return self._answer

    async def aclose(self):
        pass


def by_engine(runner, engine, body):
    """A turn as a server has it; so many in one run of the event loop."""

    async def turns(repeats):
        for _ in range(repeats):
            answered = await respond(engine, body)
        return answered

    def run(repeats):
        return seconds(lambda: runner.run(turns(repeats))) / repeats

    assert runner.run(turns(1)).status == 200
    return run


def peer_answer(catalog_id):
    """The equivalent answer in the peer's format."""
    version = {"version": "v0.9"}
    create = {"surfaceId": "main", "catalogId": catalog_id}
    update = {"surfaceId": "main", "components": surface()}
    parts = [
        {**version, "createSurface": create},
        {**version, "updateComponents": update},
    ]
    return f"<a2ui-json>\n{json.dumps(parts)}\n</a2ui-json>"


def start_peer(python):
    """The peer's process, once it has read its answer whole; and its contestants."""
    peer = Peer([python, "-m", "benchmarks.turn_peer"])
    read = peer.ask(peer_answer(peer.hello))
    assert read == PIECES + 1, f"{read} components, the column among them"
    return peer, peer.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--peer", metavar="PYTHON", help="has a2ui-agent-sdk")
    options = parser.parse_args()
    kept = ballast()
    body, answer = texts()
    peer, theirs = start_peer(options.peer) if options.peer else (None, ())
    with asyncio.Runner() as runner:
        engine = create_engine(planner=llm_planner(adapter=InstantModel(answer)))
        runs = {
            JSON: here(lambda: (json.loads(body), json.loads(answer))),
            CORE: here(partial(by_hand, body, answer)),
            ENGINE: by_engine(runner, engine, body),
        }
        runs |= {name: peer.runs(name) for name in theirs}
        times = rounds_of(runs, options.rounds, repeats=10)
    print(f"{PIECES} pieces, 10 vessels: {len(body)} bytes in, {len(answer)} answered")
    print(table(times, JSON, CORE, ENGINE))
    del kept
    if peer:
        peer.close()


if __name__ == "__main__":
    main()
