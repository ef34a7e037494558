"""The first turn of an app: three vessels, one wish, no key and no network.

Run it: python examples/first_app.py
"""

import asyncio

from returns.pipeline import is_successful
from rich import print as show

from maelstrom.adapters.draw import chart_text
from maelstrom.core import (
    Action,
    ChartState,
    Dimensions,
    EngineMessage,
    Size,
    UserIntent,
    Variant,
    Vessel,
    apply,
    make_request,
)
from maelstrom.effects import create_engine, keyword_planner

CLOCK = Vessel(
    "clock",
    "The time of day",
    (
        Variant(
            "digital",
            "Hours and minutes",
            min_size=Size(2, 1),
            actions=(Action("showWorld", "Show cities of the world", to="world"),),
        ),
        Variant("world", "Many time zones", min_size=Size(4, 2)),
    ),
)
PLAYER = Vessel(
    "player",
    "Plays music and podcasts",
    (Variant("compact", "The current song", min_size=Size(3, 1)),),
)
LAMPS = Vessel(
    "lamps",
    "The lights of the house",
    (Variant("rooms", "A switch a room", min_size=Size(2, 2)),),
)


async def main() -> None:
    """Ask for two things, apply the answer, draw the chart."""
    chart = ChartState(dimensions=Dimensions(8, 4), vessels=(CLOCK, PLAYER, LAMPS))
    engine = create_engine(planner=keyword_planner())
    request = make_request(chart, [UserIntent("some music and the world clock")])
    result = await engine.handle(EngineMessage("session-1", "message-1", 0, request))
    if not is_successful(result):
        raise SystemExit(result.failure().message)
    applied = apply(chart, request, result.unwrap().payload)
    show(chart_text(applied.state, 64, 8))
    show(result.unwrap().payload.user_message)
    await engine.aclose()


if __name__ == "__main__":
    asyncio.run(main())
