"""How many turns a server answers, and how soon, with 200 clients at it.

    python benchmarks/server_load.py [clients] [seconds]

A closed loop on loopback: each client posts a turn of a session of its own, waits for
the answer, and posts the next. The server is a process of its own, as `maelstrom serve`
starts it, over a history in memory that keeps two turns a session; its model answers
after 50 ms. With no other cost every client would have twenty turns a second. Memory is
the server's resident size after a quarter of the time, and at the end.
"""

import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from returns.result import Success

from maelstrom.adapters.demo import demo_chart
from maelstrom.adapters.history_memory import MemoryHistory
from maelstrom.adapters.server import serve
from maelstrom.core.chart_state import make_request
from maelstrom.core.completion import Completion
from maelstrom.core.messages import EngineMessage
from maelstrom.core.request import UserIntent
from maelstrom.core.wire import encode_message
from maelstrom.effects.create import create_engine
from maelstrom.effects.planner import llm_planner

MODEL_SECONDS = 0.05
ANSWER = json.dumps(
    {
        "rationale": "one vessel is enough",
        "executionPlan": [],
        "layout": {
            "type": "grid",
            "positions": [
                {
                    "instanceId": "weather-1",
                    "vesselId": "weather",
                    "position": {"row": 0, "column": 0},
                    "size": {"width": 4, "height": 4},
                }
            ],
        },
        "userMessage": "Here is the weather.",
    }
)


class SlowModel:
    """A model that always says the same, after a while."""

    provider = "scripted"
    model = "scripted-1"
    options = frozenset()

    async def complete(self, *_):
        await asyncio.sleep(MODEL_SECONDS)
        return Success(Completion(ANSWER, self.model))

    async def aclose(self):
        pass


def build(on_turn):
    return create_engine(
        planner=llm_planner(adapter=SlowModel()),
        history=MemoryHistory(retention=2),
        max_concurrent_turns=256,
        on_turn=on_turn,
    )


def resident(pid):
    """Bytes that a process holds; 0 where the system does not say."""
    with contextlib.suppress(OSError):
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0


def cpu_seconds(pid):
    """What a process has computed so far; 0 where the system does not say."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


async def converse(address, name, until, took, failed):
    """One client: a turn, its answer, the next turn, over one connection."""
    payload = make_request(demo_chart(), (UserIntent("the weather"),))
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    number = 0
    while time.monotonic() < until:
        message = encode_message(EngineMessage(name, f"{number}", 1, payload))
        body = json.dumps(message).encode()
        head = (
            f"POST /v1/messages HTTP/1.1\r\nhost: {address}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        began = time.monotonic()
        writer.write(head.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = answer.lower().split(b"content-length: ")[1].split(b"\r\n")[0]
        said = await reader.readexactly(int(length))
        took.append(time.monotonic() - began)
        if b" 200 " not in answer.split(b"\r\n")[0]:
            failed.append(said.decode())
        number += 1
    writer.close()
    await writer.wait_closed()


async def load(address, pid, clients, seconds):
    took, failed = [], []
    computed, began = cpu_seconds(pid), time.monotonic()
    names = [f"client-{n}" for n in range(clients)]
    talks = [converse(address, one, began + seconds, took, failed) for one in names]
    running = asyncio.gather(*talks)
    await asyncio.sleep(seconds / 4)
    early = resident(pid)
    await running
    return {
        "turns": len(took),
        "turns_a_second": len(took) / (time.monotonic() - began),
        "p50_ms": statistics.median(took) * 1_000,
        "p99_ms": statistics.quantiles(took, n=100)[98] * 1_000,
        "cpu_ms_a_turn": (cpu_seconds(pid) - computed) * 1_000 / len(took),
        "errors": len(failed),
        "first_error": failed[0] if failed else None,
        "early_mb": early / 1e6,
        "late_mb": resident(pid) / 1e6,
    }


def run(clients=200, seconds=20.0):
    """Start the server, load it, and give the figures."""
    command = [sys.executable, __file__, "--serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            address = server.stdout.readline().strip().removeprefix("http://")
            return asyncio.run(load(address, server.pid, clients, seconds))
        finally:
            server.terminate()


def main():
    if "--serve" in sys.argv:
        tell = lambda url: print(url, flush=True)  # noqa: E731
        serve(build, port=0, per_minute=1e9, burst=1e9, started=tell)
        return
    numbers = [float(one) for one in sys.argv[1:]]
    for name, figure in run(int(numbers[0]) if numbers else 200, *numbers[1:]).items():
        print(
            f"{name:16}{figure:.1f}"
            if isinstance(figure, float)
            else f"{name:16}{figure}"
        )


if __name__ == "__main__":
    main()
