"""How many turns a server answers, and how soon, with 200 clients at it.

    python benchmarks/server_load.py [clients] [seconds]

A closed loop on loopback: each client posts a turn of a session of its own, waits for
the answer, and posts the next. The server is a process of its own, as `maelstrom serve`
starts it, over a history in memory that keeps two turns a session; its model answers
after 50 ms. With no other cost every client would have twenty turns a second.

Memory is the server's resident size, sampled twice a second once a third of the time is
over: until then its sessions and caches fill. What a server loses, it loses by the turn,
so growth is the slope of the size over the turns answered (Theil and Sen's: the median
of the slopes between all pairs of samples, which a single jump does not move).
"""

import asyncio
import contextlib
import itertools
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
SAMPLE_SECONDS = 0.5
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


def posted(address, message, cookie):
    """A message as a client sends it that keeps its cookie."""
    body = json.dumps(message).encode()
    head = (
        f"POST /v1/messages HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\n"
    )
    return f"{head}{cookie}\r\n".encode() + body


def header(head, name):
    """The value of a header of an answer, up to any attributes; "" for none."""
    for line in head.decode().split("\r\n"):
        key, _, value = line.partition(": ")
        if key.lower() == name:
            return value.partition(";")[0]
    return ""


async def converse(address, name, until, took, failed):
    """One client: a turn, its answer, the next turn, as one subject, in one session."""
    payload = make_request(demo_chart(), (UserIntent("the weather"),))
    message = encode_message(EngineMessage(name, "0", 1, payload))
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    cookie = ""
    for number in itertools.count():
        message["id"] = f"{number}"
        began = time.monotonic()
        if began >= until:
            break
        writer.write(posted(address, message, cookie))
        head = await reader.readuntil(b"\r\n\r\n")
        said = await reader.readexactly(int(header(head, "content-length")))
        took.append(time.monotonic() - began)
        if b" 200 " not in head.split(b"\r\n")[0]:
            failed.append(said.decode())
        elif not number:
            cookie = f"cookie: {header(head, 'set-cookie')}\r\n"
    writer.close()
    await writer.wait_closed()


async def sampled(pid, took, until):
    """(turns answered, bytes held) twice a second until then, and at the end."""
    samples = []
    while time.monotonic() < until:
        samples.append((len(took), resident(pid)))
        await asyncio.sleep(SAMPLE_SECONDS)
    return [*samples, (len(took), resident(pid))]


def growth(samples):
    """Bytes a turn: the median of the slopes between all pairs of samples.

    >>> growth([(0, 100), (1, 102), (2, 104), (3, 106), (4, 900)])
    2.0
    """
    pairs = itertools.combinations(samples, 2)
    slopes = [(b - a) / (n - m) for (m, a), (n, b) in pairs if n > m]
    return statistics.median(slopes) if slopes else 0.0


async def load(address, pid, clients, seconds):
    took, failed = [], []
    computed, began = cpu_seconds(pid), time.monotonic()
    names = [f"client-{n}" for n in range(clients)]
    talks = [converse(address, one, began + seconds, took, failed) for one in names]
    running = asyncio.gather(*talks)
    await asyncio.sleep(seconds / 3)
    samples = await sampled(pid, took, began + seconds)
    await running
    return {
        "turns": len(took),
        "turns_a_second": len(took) / (time.monotonic() - began),
        "p50_ms": statistics.median(took) * 1_000,
        "p99_ms": statistics.quantiles(took, n=100)[98] * 1_000,
        "cpu_ms_a_turn": (cpu_seconds(pid) - computed) * 1_000 / len(took),
        "errors": len(failed),
        "first_error": failed[0] if failed else None,
        "early_mb": samples[0][1] / 1e6,
        "late_mb": samples[-1][1] / 1e6,
        "growth_bytes_a_turn": growth(samples),
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
            f"{name:22}{figure:.1f}"
            if isinstance(figure, float)
            else f"{name:22}{figure}"
        )


if __name__ == "__main__":
    main()
