"""A process that takes turns: `python -m tests.proofs.worker SETTINGS` (JSON).

It prints a line for each turn whose output it was given, and nothing else.
"""

import asyncio
import json
import logging
import os
import sys

from returns.pipeline import is_successful

from maelstrom.effects.create import create_engine
from tests.proofs.turns import answering, history, lock, message


async def main(settings: dict) -> None:
    trace = settings.get("trace")
    noted = os.open(trace, os.O_WRONLY | os.O_APPEND | os.O_CREAT) if trace else None

    def note(session: str, id: str, step: str) -> None:
        if noted is not None:
            os.write(noted, f"{session}\t{id}\t{step}\n".encode())

    engine = create_engine(
        planner=answering(settings.get("seconds", 0.0), note),
        history=history(settings["history"]),
        history_required=True,
        lock=lock(settings.get("lock", "")),
    )

    async def converse(session: str) -> None:
        for number in range(settings["turns"]):
            id = f"{settings['name']}-{number}"
            result = await engine.handle(message(session, id))
            while not is_successful(result):
                print(f"{id}: {result.failure()}", file=sys.stderr)
                await asyncio.sleep(0.01)
                result = await engine.handle(message(session, id))
            os.write(1, f"{session}\t{id}\n".encode())

    await asyncio.gather(*map(converse, settings["sessions"]))
    await engine.aclose()


if __name__ == "__main__":
    logging.disable()
    asyncio.run(main(json.loads(sys.argv[1])))
