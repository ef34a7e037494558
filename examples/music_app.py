"""An app in one file: vessels, a handler with typed parameters, a conversation."""

import asyncio
from typing import Annotated

from attrs import frozen
from returns.pipeline import is_successful

from maelstrom.core import Action, Size, Variant, Vessel
from maelstrom.effects import (
    Call,
    Conversation,
    Registry,
    create_engine,
    keyword_planner,
    params_of,
)


@frozen
class Song:
    """What to play."""

    title: Annotated[str, "The song's title", {"minLength": 1}]


PLAY = Action("play", "Play a song", params=params_of(Song))
PLAYER = Vessel(
    "player",
    "Plays music and songs",
    (
        Variant(
            "compact",
            "The current song",
            min_size=Size(3, 1),
            actions=(PLAY, Action("showQueue", "Show the queue", to="queue")),
        ),
        Variant(
            "queue",
            "What comes next",
            min_size=Size(4, 3),
            actions=(PLAY, Action("hideQueue", "Hide the queue", to="compact")),
        ),
    ),
)
LAMPS = Vessel(
    "lamps",
    "The lights of the house",
    (Variant("rooms", "A switch a room", min_size=Size(2, 2)),),
)
VESSELS = (PLAYER, LAMPS)


registry = Registry(VESSELS)


@registry.on("player", "play", params=Song)
async def play(call: Call[Song]) -> None:
    """Here the music would start."""
    print(f"{call.instance_id} plays {call.params.title!r}")


async def main() -> None:
    """Two turns, without a key or a network."""
    engine = create_engine(planner=keyword_planner())
    conversation = Conversation(engine, registry, columns=8, rows=4)
    for intent in ("the music player and the lights", 'play the song "Blue in Green"'):
        turn = await conversation.say(intent)
        if is_successful(turn):
            print(turn.unwrap().message)
        else:
            print(f"That did not work: {turn.failure().message}")
    await engine.aclose()


if __name__ == "__main__":
    asyncio.run(main())
