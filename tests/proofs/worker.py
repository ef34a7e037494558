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

    def note(session: str, request: str, step: str) -> None:
        if noted is not None:
            os.write(noted, f"{session}\t{request}\t{step}\n".encode())

    engine = create_engine(
        planner=answering(settings.get("seconds", 0.0), note),
        history=history(settings["history"]),
        history_required=True,
        lock=lock(settings.get("lock", "")),
    )

    async def converse(session: str) -> None:
        for number in range(settings["turns"]):
            request = f"{settings['name']}-{number}"
            result = await engine.handle(message(session, request))
            while not is_successful(result):
                sys.stderr.write(f"{request}: {result.failure()}" + "\n")
                await asyncio.sleep(0.01)
                result = await engine.handle(message(session, request))
            os.write(1, f"{session}\t{request}\n".encode())

    await asyncio.gather(*map(converse, settings["sessions"]))
    await engine.aclose()


if __name__ == "__main__":
    logging.disable()
    asyncio.run(main(json.loads(sys.argv[1])))
