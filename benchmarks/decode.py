"""How fast a message is decoded, beside msgspec and pydantic.

    python benchmarks/decode.py [instances ...]

Contestants take turns inside each round, in a shuffled order; CPU time; the median of
the paired ratios to msgspec's typed Struct is what counts. Only maelstrom looks at
references, lone surrogates, depth, parameter schemas and blank texts; pydantic stands
behind the same pass for duplicate keys. The catalogue's schemas have been seen before.
"""

import gc
import json
import random
import statistics
import sys
from time import process_time
from typing import Annotated, Any, Literal

import msgspec
from pydantic import BaseModel, ConfigDict, Field

from maelstrom.core.json_text import JsonRules, parse_json
from maelstrom.core.wire import decode_message

ROUNDS = 31


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


# ---------------------------------------------------------------- pydantic

Id = Annotated[str, Field(min_length=1, max_length=128)]
Text = Annotated[str, Field(min_length=1, max_length=8_000)]
Most = 2**53 - 1


class Strict(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class Size(Strict):
    width: Annotated[int, Field(ge=1, le=Most)]
    height: Annotated[int, Field(ge=1, le=Most)]


class Cell(Strict):
    row: Annotated[int, Field(ge=0, le=Most)]
    column: Annotated[int, Field(ge=0, le=Most)]


class Dimensions(Strict):
    columns: Annotated[int, Field(ge=1, le=1_000)]
    rows: Annotated[int, Field(ge=1, le=1_000)]


class Action(Strict):
    id: Id
    description: Text
    to: Id | None = None
    params: dict[str, Any] | None = None
    idempotent: bool = False


class Variant(Strict):
    id: Id
    description: Text
    minSize: Size = Size(width=1, height=1)  # noqa: N815
    actions: list[Action] = []


class Vessel(Strict):
    id: Id
    description: Text
    variants: Annotated[list[Variant], Field(min_length=1)]
    initialVariant: Id | None = None  # noqa: N815


class UserIntent(Strict):
    type: Literal["user_intent"]
    intent: Annotated[str, Field(min_length=1, max_length=16_000)]


class ChartResize(Strict):
    type: Literal["chart_resize"]
    previous: Dimensions | None = None


class VesselMutation(Strict):
    type: Literal["vessel_mutation"]
    instanceId: Id  # noqa: N815
    description: str | None = None


class Position(Strict):
    instanceId: Id  # noqa: N815
    position: Cell
    size: Size


class Grid(Strict):
    type: Literal["grid"]
    positions: list[Position]


class Split(Strict):
    kind: Literal["split"]
    id: Id
    direction: Literal["row", "column"]
    children: list[Id]
    weight: float | None = None


class Leaf(Strict):
    kind: Literal["leaf"]
    id: Id
    instanceId: Id  # noqa: N815
    weight: float | None = None


class Tiling(Strict):
    type: Literal["tiling"]
    root: Id | None
    nodes: list[Annotated[Split | Leaf, Field(discriminator="kind")]]


class Context(Strict):
    updateReasons: list[  # noqa: N815
        Annotated[
            UserIntent | ChartResize | VesselMutation, Field(discriminator="type")
        ]
    ]
    chartDimensions: Dimensions  # noqa: N815
    layoutMode: Literal["grid", "tiling"]  # noqa: N815
    timeZone: str | None = None  # noqa: N815
    locale: str | None = None


class Instance(Strict):
    instanceId: Id  # noqa: N815
    vesselId: Id  # noqa: N815
    variant: Id


class Request(Strict):
    type: Literal["chart_request"]
    context: Context
    instances: list[Instance]
    vessels: list[Vessel]
    layout: Annotated[Grid | Tiling, Field(discriminator="type")]


class Message(Strict):
    sessionId: Id  # noqa: N815
    id: Id
    timestamp: int
    payload: Request
    meta: dict[str, Any] | None = None


# ---------------------------------------------------------------- msgspec


def struct(name: str, fields: list[Any], **more: Any) -> Any:
    return msgspec.defstruct(
        name, fields, frozen=True, forbid_unknown_fields=True, **more
    )


MSize = struct("Size", [("width", int), ("height", int)])
MCell = struct("Cell", [("row", int), ("column", int)])
MDimensions = struct("Dimensions", [("columns", int), ("rows", int)])
MAction = struct(
    "Action",
    [
        ("id", str),
        ("description", str),
        ("to", str, ""),
        ("params", dict[str, Any] | None, None),
        ("idempotent", bool, False),
    ],
)
MVariant = struct(
    "Variant",
    [
        ("id", str),
        ("description", str),
        ("minSize", MSize | None, None),
        ("actions", tuple[MAction, ...], ()),
    ],
)
MVessel = struct(
    "Vessel",
    [
        ("id", str),
        ("description", str),
        ("variants", tuple[MVariant, ...]),
        ("initialVariant", str, ""),
    ],
)
MIntent = struct("Intent", [("intent", str)], tag="user_intent", tag_field="type")
MResize = struct(
    "Resize",
    [("previous", MDimensions | None, None)],
    tag="chart_resize",
    tag_field="type",
)
MPosition = struct(
    "Position", [("instanceId", str), ("position", MCell), ("size", MSize)]
)
MGrid = struct(
    "Grid", [("positions", tuple[MPosition, ...])], tag="grid", tag_field="type"
)
MContext = struct(
    "Context",
    [
        ("updateReasons", tuple[MIntent | MResize, ...]),
        ("chartDimensions", MDimensions),
        ("layoutMode", Literal["grid", "tiling"]),
    ],
)
MInstance = struct(
    "Instance", [("instanceId", str), ("vesselId", str), ("variant", str)]
)
MRequest = struct(
    "Request",
    [
        ("context", MContext),
        ("instances", tuple[MInstance, ...]),
        ("vessels", tuple[MVessel, ...]),
        ("layout", MGrid),
    ],
    tag="chart_request",
    tag_field="type",
)
MMessage = struct(
    "Message",
    [("sessionId", str), ("id", str), ("timestamp", int), ("payload", MRequest)],
)


def contestants(text: bytes) -> dict[str, Any]:
    """Name to what it does with the text."""
    typed = msgspec.json.Decoder(MMessage).decode
    rules = JsonRules()

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(found)
        if len(made) != len(found):
            raise ValueError
        return made

    unique = json.JSONDecoder(object_pairs_hook=pairs).decode
    return {
        "msgspec typed Struct": lambda: typed(text),
        "json.loads": lambda: json.loads(text),
        "json, duplicate keys": lambda: unique(text.decode()),
        "parse_json": lambda: parse_json(text, rules),
        "pydantic": lambda: Message.model_validate(unique(text.decode())),
        "maelstrom": lambda: decode_message(text),
    }


def main(sizes: list[int]) -> None:
    """Print one line a contestant and size."""
    for size in sizes:
        text = json.dumps(request(size), separators=(",", ":")).encode()
        runs = contestants(text)
        repeat = max(1, 1_000 // size)
        times: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(ROUNDS):
            for name in random.sample(list(runs), len(runs)):
                gc.collect()
                started = process_time()
                for _ in range(repeat):
                    runs[name]()
                times[name].append((process_time() - started) / repeat)
        base = times["msgspec typed Struct"]
        print(f"{size} instances, {len(text)} bytes")
        for name, taken in times.items():
            ratio = statistics.median(a / b for a, b in zip(taken, base, strict=True))
            print(f"  {name:24}{statistics.median(taken) * 1e6:8.0f} us {ratio:6.2f}x")
        paired = zip(times["maelstrom"], times["pydantic"], strict=True)
        print(
            f"  maelstrom / pydantic {statistics.median(a / b for a, b in paired):.2f}"
        )


if __name__ == "__main__":
    main([int(each) for each in sys.argv[1:]] or [10, 50, 200, 1_000])
