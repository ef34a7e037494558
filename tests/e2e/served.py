"""The real server with the playground, on loopback, around a planner that can fail."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from returns.result import Failure, Success

from maelstrom.adapters.history_memory import MemoryHistory
from maelstrom.adapters.playground import recorder
from maelstrom.adapters.server import create_app
from maelstrom.adapters.testing import scripted_adapter
from maelstrom.core.candidate import Candidate
from maelstrom.core.completion import Completion, ModelCall, Usage
from maelstrom.core.errors import ProviderError
from maelstrom.core.prompt import Message, Prompt, Section
from maelstrom.core.request import UserIntent
from maelstrom.effects.create import create_engine
from maelstrom.effects.keyword import keyword_planner
from maelstrom.effects.planner import llm_planner

SCRIPT = "<img src=x onerror=\"document.title='hacked'\"><script>hacked=1</script>"
HOSTILE_ID = '__proto__"><b id=hacked>'


def _piece(instance_id: str, column: int) -> dict:
    return {
        "instanceId": instance_id,
        "vesselId": "notes",
        "variant": "list",
        "position": {"row": 0, "column": column},
        "size": {"width": 3, "height": 3},
    }


HOSTILE = Candidate(
    SCRIPT,
    (),
    {"type": "grid", "positions": [_piece(HOSTILE_ID, 0), _piece("__proto__", 3)]},
    SCRIPT,
)
"""What a model that means harm would answer."""

ANSWER = json.dumps(
    {
        "rationale": "one vessel is enough",
        "executionPlan": [],
        "layout": {
            "type": "grid",
            "positions": [
                {
                    "instanceId": "sky",
                    "vesselId": "weather",
                    "position": {"row": 1, "column": 2},
                    "size": {"width": 4, "height": 4},
                }
            ],
        },
        "userMessage": "Here is the weather.",
    }
)
"""What a model says to a prompt of ours."""

PROMPT = Prompt(
    (Section("role", f"You arrange. {SCRIPT}"),),
    (Message("user", (Section("reasons", "boom"),)),),
)


def planner():
    """Words, as `keyword_planner` has them, but for "boom", "hostile" and "model"."""
    words = keyword_planner()

    async def plan(given, context):
        intents = [
            one.intent
            for one in given.request.context.update_reasons
            if isinstance(one, UserIntent)
        ]
        if "boom" in intents:
            return Failure(ProviderError("overloaded", "scripted", "Too busy."))
        if "hostile" in intents:
            answer = Completion(SCRIPT, "scripted-1", usage=Usage(120, 34, 100))
            context.record(ModelCall("scripted", "scripted-1", PROMPT, 12, answer))
            return Success(HOSTILE)
        if "model" in intents:
            asks = llm_planner(adapter=scripted_adapter([ANSWER]))
            return await asks(given, context)
        return await words(given, context)

    return plan


@contextmanager
def serving() -> Iterator[str]:
    """The server's address while it runs in a thread of its own."""
    seen = recorder()
    engine = create_engine(planner=planner(), history=MemoryHistory(), on_turn=seen)
    app = create_app(
        engine, playground=True, diagnostics=seen, per_minute=6_000, burst=1_000
    )
    config = uvicorn.Config(
        app, host="127.0.0.1", port=0, log_level="error", lifespan="off", ws="none"
    )
    server = uvicorn.Server(config)
    started = threading.Event()
    startup = server.startup

    async def told(sockets=None) -> None:
        await startup(sockets)
        started.set()

    server.startup = told
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    assert started.wait(10)
    try:
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)
