"""What others make of a message: pydantic's models, msgspec's structs, cattrs' classes.

Only maelstrom looks at references, lone surrogates, depth, parameter schemas and blank
texts. cattrs is taken as it comes: it turns "3" into 3.
"""

import json
from collections.abc import Callable
from typing import Annotated, Any, Literal

import attrs
import msgspec
from cattrs import Converter
from cattrs.strategies import configure_tagged_union
from pydantic import BaseModel, ConfigDict, Field

__all__ = ["peers"]

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


# ---------------------------------------------------------------- cattrs


def plain(name: str, **fields: Any) -> Any:
    """A class of plain attrs fields, (type, default) where one is optional."""
    made = {
        key: attrs.field(type=kind[0], default=kind[1])
        if isinstance(kind, tuple)
        else attrs.field(type=kind)
        for key, kind in fields.items()
    }
    return attrs.make_class(name, made, frozen=True, slots=True)


CSize = plain("Size", width=int, height=int)
CCell = plain("Cell", row=int, column=int)
CDimensions = plain("Dimensions", columns=int, rows=int)
CAction = plain(
    "Action",
    id=str,
    description=str,
    to=(str | None, None),
    params=(Any, None),
    idempotent=(bool, False),
)
CVariant = plain(
    "Variant",
    id=str,
    description=str,
    minSize=(CSize | None, None),
    actions=(tuple[CAction, ...], ()),
)
CVessel = plain(
    "Vessel",
    id=str,
    description=str,
    variants=tuple[CVariant, ...],
    initialVariant=(str | None, None),
)
CIntent = plain("user_intent", intent=str)
CResize = plain("chart_resize", previous=(CDimensions | None, None))
CMutation = plain("vessel_mutation", instanceId=str, description=(str | None, None))
CReason = CIntent | CResize | CMutation
CContext = plain(
    "Context",
    updateReasons=tuple[CReason, ...],
    chartDimensions=CDimensions,
    layoutMode=Literal["grid", "tiling"],
)
CInstance = plain("Instance", instanceId=str, vesselId=str, variant=str)
CPosition = plain("Position", instanceId=str, position=CCell, size=CSize)
CGrid = plain("Grid", type=str, positions=tuple[CPosition, ...])
CRequest = plain(
    "Request",
    type=str,
    context=CContext,
    instances=tuple[CInstance, ...],
    vessels=tuple[CVessel, ...],
    layout=CGrid,
)
CMessage = plain("Message", sessionId=str, id=str, timestamp=int, payload=CRequest)


# ---------------------------------------------------------------- the contestants


def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
    """The pass for duplicate keys that pydantic and cattrs need."""
    made = dict(found)
    if len(made) != len(found):
        raise ValueError
    return made


def peers() -> dict[str, Callable[[bytes], Any]]:
    """Name to what it makes of a text, msgspec first."""
    converter = Converter(detailed_validation=False, forbid_extra_keys=True)
    configure_tagged_union(CReason, converter, tag_name="type")
    unique = json.JSONDecoder(object_pairs_hook=pairs).decode
    return {
        "msgspec, typed Struct": msgspec.json.Decoder(MMessage).decode,
        "json.loads": json.loads,
        "json.loads, a hook for duplicate keys": lambda text: unique(text.decode()),
        "that, and plain cattrs": lambda text: converter.structure(
            unique(text.decode()), CMessage
        ),
        "that, and pydantic": lambda text: Message.model_validate(
            unique(text.decode())
        ),
    }
