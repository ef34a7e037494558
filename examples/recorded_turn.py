"""A turn in which the model gets three things wrong, recorded to be explained.

Run it: python examples/recorded_turn.py FOLDER
Then:   maelstrom explain FOLDER/*.json
        maelstrom replay FOLDER/*.json

The model is a script and the clock stands still, so that every run records the same.
"""

import asyncio
import json
import sys

from maelstrom.adapters.demo import demo_chart
from maelstrom.adapters.recorder import record_to
from maelstrom.adapters.testing.clock import ManualClock
from maelstrom.adapters.testing.scripted import scripted_adapter
from maelstrom.core import Completion, EngineMessage, Usage, UserIntent, make_request
from maelstrom.effects import create_engine, llm_planner

ANSWER = {
    "rationale": "The week and the tasks were asked for; the weather rounds it off.",
    "executionPlan": [
        {
            "instanceId": "tasks-1",
            "action": "addTask",
            "paramsJson": '{"title": "milk"}',
        },
        {"instanceId": "tasks-1", "action": "celebrate"},  # there is no such action
    ],
    "layout": {
        "type": "grid",
        "positions": [
            {
                "instanceId": "calendar-1",
                "vesselId": "calendar",
                "variant": "week",
                "position": {"row": 0, "column": 0},
                "size": {"width": 7, "height": 4},
            },
            {
                "instanceId": "tasks-1",
                "vesselId": "tasks",
                "variant": "list",
                "position": {"row": 2, "column": 5},  # on top of the calendar
                "size": {"width": 5, "height": 4},
            },
            {
                "instanceId": "weather-1",
                "vesselId": "weather",
                "variant": "current",
                "position": {"row": 7, "column": 0},  # reaches out of the chart
                "size": {"width": 4, "height": 3},
            },
        ],
    },
    "userMessage": "Here is your week with your tasks; milk is on the list.",
}


async def main(folder: str) -> None:
    """Ask, and record the turn with all that was said."""
    said = Completion(
        f"Sure!\n{json.dumps(ANSWER)}", "scripted-1", usage=Usage(1_204, 311)
    )
    engine = create_engine(
        planner=llm_planner(adapter=scripted_adapter([said])),
        on_turn=record_to(folder, content=True),
        clock=ManualClock(),
    )
    wish = UserIntent("my week and my tasks, and put milk on the list")
    request = make_request(demo_chart("grid"), [wish])
    await engine.handle(EngineMessage("s-1", "m-1", 1_767_225_600_000, request))
    await engine.aclose()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
