"""How fast a message is decoded, beside msgspec, pydantic and cattrs; and refused.

    python benchmarks/decode.py [instances ...]
    python benchmarks/decode.py --refuse [instances ...]

Contestants take turns inside each round, in a shuffled order; CPU time; the median of
the paired ratios to the first of them is what counts. All ids of instances are new
in each message. The catalogue is new as well, or known from earlier messages; its
parameter schemas have been seen before in either case.
"""

import functools
import gc
import itertools
import json
import random
import statistics
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

from decode_peers import peers
from returns.pipeline import is_successful

from maelstrom.core import json_parser
from maelstrom.core.wire import decode_message
from maelstrom.core.wire_text import MEMORY

ROUNDS = 31
ORJSON = json_parser.NATIVE
"""Noted before any contestant goes without it."""


def request(instances: int, vessels: int = 10) -> dict[str, Any]:
    """Ten vessels of four variants with five actions each, two of them with parameters."""

    def action(n: int) -> dict[str, Any]:
        made: dict[str, Any] = {
            "id": f"act{n}",
            "description": f"Does thing number {n}",
        }
        if n % 2:
            days = {"type": "integer", "minimum": 1, "maximum": 14 + n}
            made["params"] = {
                "type": "object",
                "properties": {"days": days},
                "additionalProperties": False,
            }
        else:
            made["to"] = f"v{n % 4}"
        return {**made, "idempotent": True} if n % 3 else made

    catalogue = [
        {
            "id": f"vessel{k}",
            "description": f"Vessel number {k} shows something",
            "variants": [
                {
                    "id": f"v{j}",
                    "description": f"Form {j} of it",
                    "minSize": {"width": 2, "height": 1 + j},
                    "actions": [action(n) for n in range(5)],
                }
                for j in range(4)
            ],
        }
        for k in range(vessels)
    ]
    return {
        "sessionId": "s-1",
        "id": "m-1",
        "timestamp": 1767225600000,
        "payload": {
            "type": "chart_request",
            "context": {
                "updateReasons": [{"type": "user_intent", "intent": "my calendar"}],
                "chartDimensions": {"columns": 100, "rows": 100},
                "layoutMode": "grid",
            },
            "instances": [
                {
                    "instanceId": f"inst-{n}",
                    "vesselId": f"vessel{n % vessels}",
                    "variant": f"v{n % 4}",
                }
                for n in range(instances)
            ],
            "vessels": catalogue,
            "layout": {
                "type": "grid",
                "positions": [
                    {
                        "instanceId": f"inst-{n}",
                        "position": {"row": n // 10, "column": n % 10},
                        "size": {"width": 1, "height": 1},
                    }
                    for n in range(instances)
                ],
            },
        },
    }


def fresh(size: int) -> list[bytes]:
    """Messages of which no two share an instance: more than are remembered."""
    text = compact(request(size)).decode()
    count = max(20, 2_000 // size)
    return [text.replace("inst-", f"i{each:04}-").encode() for each in range(count)]


def new_catalogues(texts: list[bytes]) -> list[bytes]:
    """The messages, each with a catalogue of its own."""
    return [
        text.replace(b"Vessel number", b"Vessel %06d" % each)
        for each, text in enumerate(texts)
    ]


def ours() -> dict[str, Any]:
    """Name to the parser, and whether catalogues are new."""
    parsers = {"": None, ", orjson": ORJSON}
    return {
        f"maelstrom{name}, {'new' if new else 'known'} catalogue": (native, new)
        for name, native in parsers.items()
        for new in (True, False)
    }


# ---------------------------------------------------------------- refusals


def refusals(size: int) -> dict[str, bytes]:
    """Messages, the first of them right; where the others are wrong."""
    made = {"right": compact(request(size))}
    for name, place, value in [
        ("a size of 0 at the end", ("layout", "positions", -1, "size", "width"), 0),
        ("an unknown id at the end", ("layout", "positions", -1, "instanceId"), "x"),
        ("a key too many in the catalogue", ("vessels", -1, "zeta"), 0),
        ("an unknown id in the catalogue", ("vessels", -1, "initialVariant"), "x"),
    ]:
        made[name] = compact(changed(request(size), place, value))
    twice = compact(request(size))[:-3] + b',"type":"grid"}}}'
    made["a key named twice at the end"] = twice
    made["cut off at the end"] = compact(request(size))[:-1]
    wrong = request(size)
    for each in wrong["payload"]["instances"]:
        each["variant"] = 0
    for each in wrong["payload"]["layout"]["positions"]:
        each["size"]["width"] = 0
    made[f"{2 * size} wrong values"] = compact(wrong)
    lost = request(size)
    for each in lost["payload"]["instances"]:
        each["variant"] = "x"
    made[f"{size} unknown variants"] = compact(lost)
    return made


def changed(message: dict[str, Any], place: tuple[Any, ...], value: Any) -> Any:
    """The message with another value at a place of its payload."""
    holder = message["payload"]
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    return message


def compact(value: Any) -> bytes:
    """JSON as a browser writes it."""
    return json.dumps(value, separators=(",", ":")).encode()


# ---------------------------------------------------------------- the measurement


def measure(runs: dict[str, Callable[[], Any]], repeat: int) -> None:
    """Print a line for each: microseconds, and the ratio to the first."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name in random.sample(list(runs), len(runs)):
            run = runs[name]
            for _ in range(3):  # at least once with what it remembers
                run()
            gc.collect()
            started = process_time()
            for _ in range(repeat):
                run()
            times[name].append((process_time() - started) / repeat)
    base = next(iter(times.values()))
    for name, taken in times.items():
        ratio = statistics.median(a / b for a, b in zip(taken, base, strict=True))
        print(f"  {name:40}{statistics.median(taken) * 1e6:8.0f} us {ratio:6.2f}x")


def decode_with(native: Any, text: bytes) -> Any:
    """Decode by orjson, or by the standard parser alone."""
    json_parser.NATIVE = native  # type: ignore[misc]
    return decode_message(text)


def over(texts: list[bytes], run: Callable[[bytes], Any]) -> Callable[[], Any]:
    """Run with the next of the texts, over and over."""
    following = itertools.cycle(texts)
    return lambda: run(next(following))


def race(size: int) -> None:
    """All of them on right messages."""
    texts = fresh(size)
    news = new_catalogues(texts)
    assert all(is_successful(decode_message(text)) for text in (texts[0], news[0]))
    print(f"{size} instances, {len(texts[0])} bytes")
    runs = {name: over(news, run) for name, run in peers().items()}
    for name, (native, new) in ours().items():
        chosen = news if new else texts
        runs[name] = over(chosen, functools.partial(decode_with, native))
    measure(runs, max(1, 1_000 // size))


def refuse(size: int) -> None:
    """Maelstrom on wrong messages, beside a right one whose catalogue is new, or known."""
    for name, (native, new) in ours().items():
        print(f"{size} instances, {name}")

        def run(text: bytes, native: Any = native, new: bool = new) -> Any:
            if new:
                MEMORY.forget()
            return decode_with(native, text)

        texts = refusals(size)
        decode_message(texts["right"])
        if not new:
            texts = {what: text for what, text in texts.items() if "catal" not in what}
        runs = {what: functools.partial(run, text) for what, text in texts.items()}
        measure(runs, max(1, 1_000 // size))


if __name__ == "__main__":
    chosen = [int(each) for each in sys.argv[1:] if each.isdigit()]
    for each in chosen or [10, 50, 200, 1_000]:
        (refuse if "--refuse" in sys.argv else race)(each)
