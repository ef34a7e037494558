"""What does a session cost whose chart is also resized: with a model alone, with reflow?

    python -m benchmarks.resizes [--turns 20]

One session of the example app: the user asks for something, then the chart's frame gets
another size, and so on. Once every turn is the model's, once those that only a resize
caused are `reflow_planner`'s, behind `route`. Counted is what the model was sent, in
characters and, where the small local model is installed, in its tokens.
"""

import argparse
import asyncio

from benchmarks.prompt import counter, sized, text_of
from benchmarks.sessions import ANSWER
from maelstrom.adapters.demo import demo_chart
from maelstrom.adapters.history_memory import MemoryHistory
from maelstrom.adapters.testing.scripted import scripted_adapter
from maelstrom.core.chart_state import make_request
from maelstrom.core.client import apply
from maelstrom.core.messages import EngineMessage
from maelstrom.core.request import ChartResize, Dimensions, UserIntent
from maelstrom.core.resize import is_resize_only
from maelstrom.effects.compose import route
from maelstrom.effects.create import create_engine
from maelstrom.effects.offline import reflow_planner
from maelstrom.effects.planner import llm_planner

SIZES = (Dimensions(10, 6), Dimensions(12, 8))


async def play(planner, turns, on_turn):
    """The turns of the session."""
    engine = create_engine(planner=planner, history=MemoryHistory(), on_turn=on_turn)
    state = demo_chart()
    for number in range(turns):
        if number % 2:
            reason = ChartResize(state.dimensions)
            state = state.resized(SIZES[number // 2 % 2])
        else:
            reason = UserIntent(f"Show me the weather of day {number}")
        request = make_request(state, (reason,))
        message = EngineMessage("s", str(number), 1_767_225_600_000 + number, request)
        output = (await engine.handle(message)).unwrap()
        state = apply(state, request, output.payload).state
    await engine.aclose()


def sent(make, turns):
    """By kind of turn, the prompts that the model was sent."""
    prompts = {"asked": [], "resized": []}

    def seen(diagnostics):
        resized = is_resize_only(diagnostics.message.payload)
        calls = (call for one in diagnostics.attempts for call in one.calls)
        texts = (text_of(call.prompt) for call in calls)
        prompts["resized" if resized else "asked"].extend(texts)

    adapter = scripted_adapter([ANSWER] * 2 * turns)
    asyncio.run(play(make(llm_planner(adapter=adapter)), turns, seen))
    return prompts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--turns", type=int, default=20)
    turns = parser.parse_args().turns
    tokens = counter()
    planners = {
        "the model alone": lambda model: model,
        "with reflow_planner": lambda model: route(
            is_resize_only=reflow_planner(), otherwise=model
        ),
    }
    wholes = []
    for name, make in planners.items():
        prompts = sent(make, turns)
        for kind, texts in prompts.items():
            print(
                f"{name}, {kind}: {len(texts)} calls, {sized(''.join(texts), tokens)}"
            )
        wholes.append(sum(len(text) for texts in prompts.values() for text in texts))
    print(f"with reflow_planner: {wholes[1] / wholes[0]:.2f} x the model alone")


if __name__ == "__main__":
    main()
