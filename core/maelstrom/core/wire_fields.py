"""The wire format as tables: which key holds what, under which bound.

Theory: a `Shape` says how one record stands on the wire, field by field in the order of
the protocol; a kind says what a field's value must be (`wire_kinds`). Four readers
interpret these tables and nothing else: `wire_hooks` makes the fast structuring hooks
of them, `wire_explain` finds what is wrong with a value, and `wire_encode` makes values
of records, as `wire_write` makes their text. So they agree, and property tests hold them
to it.

A layout in a response also says who a new instance is (``vesselId``, ``variant``); in a
request these keys are unknown. So positions and leaves have two shapes.

In step with: the records, `maelstrom.core.limits`, and the protocol's documentation.
"""

from typing import Final

from maelstrom.core.history import After, Turn
from maelstrom.core.layout import (
    Cell,
    GridLayout,
    Leaf,
    Position,
    Split,
    TilingLayout,
)
from maelstrom.core.limits import MAX_INTEGER
from maelstrom.core.messages import EngineMessage, EngineOutput
from maelstrom.core.request import (
    ChartRequest,
    ChartResize,
    Context,
    Dimensions,
    Instance,
    UserIntent,
    VesselMutation,
)
from maelstrom.core.response import ActionExecution, MaelstromResponse
from maelstrom.core.vessel import Action, Size, Variant, Vessel
from maelstrom.core.wire_kinds import (
    Field,
    Flag,
    Guest,
    Id,
    Integer,
    Many,
    NodeOrNull,
    OneOf,
    Shape,
    Text,
    Weight,
    Word,
)

__all__ = [
    "ENVELOPE",
    "INSTANCE",
    "MESSAGE",
    "OUTPUT",
    "PLAN",
    "REQUEST",
    "REQUEST_LAYOUT",
    "RESPONSE",
    "RESPONSE_LAYOUT",
    "TURN",
    "VESSELS",
]

_ID: Final = Id()
_TEXT: Final = Text("text_characters", "ink")
_ANY_INTEGER: Final = Integer(-MAX_INTEGER, MAX_INTEGER)
_AT_LEAST_0: Final = Integer(0, MAX_INTEGER)
_AT_LEAST_1: Final = Integer(1, MAX_INTEGER)
_TAG_CHARACTERS: Final = 128
"""Of a time zone's name or a language tag; the longest in use have under 40."""

_SIZE: Final = Shape(
    Size,
    (Field("width", "width", _AT_LEAST_1), Field("height", "height", _AT_LEAST_1)),
)
_CELL: Final = Shape(
    Cell, (Field("row", "row", _AT_LEAST_0), Field("column", "column", _AT_LEAST_0))
)
_DIMENSIONS: Final = Shape(
    Dimensions,
    (
        Field("columns", "columns", Integer(1, "columns")),
        Field("rows", "rows", Integer(1, "rows")),
    ),
)

# ---------------------------------------------------------------- vessels

_ACTION: Final = Shape(
    Action,
    (
        Field("id", "id", _ID),
        Field("description", "description", _TEXT),
        Field("to", "to", _ID, optional=True),
        Field("params", "params", Guest(judged=True), optional=True),
        Field("idempotent", "idempotent", Flag(), optional=True, default=False),
    ),
)
_VARIANT: Final = Shape(
    Variant,
    (
        Field("id", "id", _ID),
        Field("description", "description", _TEXT),
        Field("minSize", "min_size", _SIZE, optional=True, default=Size(1, 1)),
        Field("actions", "actions", Many(_ACTION, "actions"), True, ()),
    ),
)
_VESSEL: Final = Shape(
    Vessel,
    (
        Field("id", "id", _ID),
        Field("description", "description", _TEXT),
        Field("variants", "variants", Many(_VARIANT, "variants", least=1)),
        Field("initialVariant", "initial_variant", _ID, optional=True),
    ),
)

VESSELS: Final = Many(_VESSEL, "vessels", kept=True)

# ---------------------------------------------------------------- layouts

_NEW_INSTANCE: Final = (
    Field("vesselId", "vessel_id", _ID, optional=True),
    Field("variant", "variant", _ID, optional=True),
)
_POSITION: Final = (
    Field("instanceId", "instance_id", _ID),
    Field("position", "position", _CELL),
    Field("size", "size", _SIZE),
)
_LEAF: Final = (
    Field("id", "id", _ID),
    Field("instanceId", "instance_id", _ID),
    Field("weight", "weight", Weight(), optional=True),
)
_SPLIT: Final = Shape(
    Split,
    (
        Field("id", "id", _ID),
        Field("direction", "direction", Word(("row", "column"))),
        Field("children", "children", Many(_ID)),
        Field("weight", "weight", Weight(), optional=True),
    ),
    ("kind", "split"),
)


def _layout(more: tuple[Field, ...]) -> OneOf:
    position = Shape(Position, (*_POSITION, *more))
    leaf = Shape(Leaf, (*_LEAF, *more), ("kind", "leaf"))
    node = OneOf("kind", (_SPLIT, leaf))
    positions = Field("positions", "positions", Many(position, "instances"))
    nodes = Field("nodes", "nodes", Many(node, "tree_nodes"))
    root = Field("root", "root", NodeOrNull())
    return OneOf(
        "type",
        (
            Shape(GridLayout, (positions,), ("type", "grid")),
            Shape(TilingLayout, (root, nodes), ("type", "tiling")),
        ),
    )


REQUEST_LAYOUT: Final = _layout(())
RESPONSE_LAYOUT: Final = _layout(_NEW_INSTANCE)

# ---------------------------------------------------------------- the request

_REASON: Final = OneOf(
    "type",
    (
        Shape(
            UserIntent,
            (Field("intent", "intent", Text("intent_characters", "ink")),),
            ("type", "user_intent"),
        ),
        Shape(
            ChartResize,
            (Field("previous", "previous", _DIMENSIONS, optional=True),),
            ("type", "chart_resize"),
        ),
        Shape(
            VesselMutation,
            (
                Field("instanceId", "instance_id", _ID),
                Field("description", "description", Text("text_characters"), True),
            ),
            ("type", "vessel_mutation"),
        ),
    ),
)
_MODE: Final = Word(("grid", "tiling"))
_NAME: Final = Text(_TAG_CHARACTERS, "any")
_CONTEXT: Final = Shape(
    Context,
    (
        Field("updateReasons", "update_reasons", Many(_REASON, "update_reasons", 1)),
        Field("chartDimensions", "chart_dimensions", _DIMENSIONS),
        Field("layoutMode", "layout_mode", _MODE),
        Field("timeZone", "time_zone", _NAME, optional=True),
        Field("locale", "locale", _NAME, optional=True),
    ),
)
INSTANCE: Final = Shape(
    Instance,
    (
        Field("instanceId", "instance_id", _ID),
        Field("vesselId", "vessel_id", _ID),
        Field("variant", "variant", _ID),
    ),
)
REQUEST: Final = Shape(
    ChartRequest,
    (
        Field("context", "context", _CONTEXT),
        Field("instances", "instances", Many(INSTANCE, "instances")),
        Field("vessels", "vessels", VESSELS),
        Field("layout", "layout", REQUEST_LAYOUT),
    ),
    ("type", "chart_request"),
)

# ---------------------------------------------------------------- the response

_EXECUTION: Final = Shape(
    ActionExecution,
    (
        Field("instanceId", "instance_id", _ID),
        Field("action", "action", _ID),
        Field("params", "params", Guest(), optional=True),
    ),
)
PLAN: Final = Many(_EXECUTION, "plan_entries")
_ANSWER: Final = (
    Field("userMessage", "user_message", Text()),
    Field("rationale", "rationale", Text()),
    Field("executionPlan", "execution_plan", PLAN),
    Field("layout", "layout", RESPONSE_LAYOUT),
)
RESPONSE: Final = Shape(
    MaelstromResponse,
    (Field("requestId", "request_id", _ID), *_ANSWER),
    ("type", "maelstrom_response"),
)

# ---------------------------------------------------------------- envelopes

_ENVELOPE: Final = (
    Field("sessionId", "session_id", _ID),
    Field("id", "id", _ID),
    Field("timestamp", "timestamp", _ANY_INTEGER),
)
_META: Final = Field("meta", "meta", Guest("meta_bytes"), optional=True)
MESSAGE: Final = Shape(
    EngineMessage,
    (*_ENVELOPE, Field("payload", "payload", OneOf("type", (REQUEST,))), _META),
)
ENVELOPE: Final = Shape(EngineMessage, (*_ENVELOPE, _META))
"""A message but for its payload, which was read before."""

OUTPUT: Final = Shape(
    EngineOutput,
    (*_ENVELOPE, Field("payload", "payload", OneOf("type", (RESPONSE,)))),
)

# ---------------------------------------------------------------- history

_AFTER: Final = Shape(
    After,
    (
        Field("instances", "instances", Many(INSTANCE, "instances")),
        Field("dimensions", "dimensions", _DIMENSIONS),
        Field("layoutMode", "layout_mode", _MODE),
    ),
)
_SEVERITY: Final = Word(("none", "low", "medium", "unrecoverable"))
TURN: Final = Shape(
    Turn,
    (
        Field("schema", "schema", _AT_LEAST_1),
        Field("seq", "seq", _AT_LEAST_1),
        Field("requestId", "request_id", _ID),
        Field("digest", "digest", Text()),
        Field("timestamp", "timestamp", _ANY_INTEGER),
        Field("reasons", "reasons", Many(_REASON, "update_reasons", least=1)),
        *_ANSWER,
        Field("after", "after", _AFTER),
        Field("severity", "severity", _SEVERITY),
        Field("attempts", "attempts", _AT_LEAST_0),
    ),
)
