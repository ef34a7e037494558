"""The pure core: decisions are functions over frozen records.

What stands here is public. The records say what travels, `decode_message` and
`decode_candidate` let it in, `mend` and `heal` make it coherent, `apply` is the
client's half.
"""

from maelstrom.core.answer import (
    decode_candidate,
)
from maelstrom.core.candidate import (
    Candidate,
)
from maelstrom.core.chart_sizer import (
    ChartSizer,
)
from maelstrom.core.chart_state import (
    ChartState,
    make_request,
    state_from,
)
from maelstrom.core.client import (
    Applied,
    Effect,
    apply,
)
from maelstrom.core.completion import (
    Completion,
    ModelCall,
    ModelOptions,
    Usage,
)
from maelstrom.core.diagnostics import (
    Attempt,
    Diagnostics,
)
from maelstrom.core.errors import (
    AbortedError,
    EngineError,
    HistoryError,
    InternalError,
    Issue,
    ParseError,
    ProviderError,
    RequestValidationError,
    SessionBusyError,
    ValidationError,
)
from maelstrom.core.heal import (
    heal,
    mend,
)
from maelstrom.core.healed import (
    Drop,
    Feedback,
    FeedbackItem,
    Healed,
    Repair,
    RetryAdvised,
    Severity,
    Skip,
    Warning,  # noqa: A004  the word of the protocol; nobody here warns with it
)
from maelstrom.core.history import (
    After,
    Loaded,
    Turn,
)
from maelstrom.core.json_value import (
    Json,
    Path,
)
from maelstrom.core.layout import (
    Cell,
    GridLayout,
    Layout,
    LayoutMode,
    Leaf,
    Position,
    Split,
    TilingLayout,
    TilingNode,
)
from maelstrom.core.limits import (
    Limits,
)
from maelstrom.core.messages import (
    EngineMessage,
    EngineOutput,
)
from maelstrom.core.outbox import (
    Outbox,
)
from maelstrom.core.plan_input import (
    PlanInput,
)
from maelstrom.core.policy import (
    HealPolicy,
)
from maelstrom.core.prompt import (
    Message,
    Prompt,
    Section,
)
from maelstrom.core.prompt_customize import (
    append,
    prepend,
    remove,
    replace,
    transform,
)
from maelstrom.core.reflow import (
    reflow,
)
from maelstrom.core.request import (
    ChartRequest,
    ChartResize,
    Context,
    Dimensions,
    Instance,
    UpdateReason,
    UserIntent,
    VesselMutation,
)
from maelstrom.core.resize import (
    is_resize_only,
)
from maelstrom.core.response import (
    ActionExecution,
    MaelstromResponse,
)
from maelstrom.core.retry import (
    RetryPolicy,
)
from maelstrom.core.schema import (
    response_schema,
)
from maelstrom.core.vessel import (
    Action,
    Size,
    Variant,
    Vessel,
)
from maelstrom.core.wire import (
    check_message,
    decode_message,
    decode_output,
    decode_request,
    encode_error,
    encode_layout,
    encode_message,
    encode_output,
    encode_request,
    turn_from_text,
    turn_to_text,
)

__all__ = [
    "AbortedError",
    "Action",
    "ActionExecution",
    "After",
    "Applied",
    "Attempt",
    "Candidate",
    "Cell",
    "ChartRequest",
    "ChartResize",
    "ChartSizer",
    "ChartState",
    "Completion",
    "Context",
    "Diagnostics",
    "Dimensions",
    "Drop",
    "Effect",
    "EngineError",
    "EngineMessage",
    "EngineOutput",
    "Feedback",
    "FeedbackItem",
    "GridLayout",
    "HealPolicy",
    "Healed",
    "HistoryError",
    "Instance",
    "InternalError",
    "Issue",
    "Json",
    "Layout",
    "LayoutMode",
    "Leaf",
    "Limits",
    "Loaded",
    "MaelstromResponse",
    "Message",
    "ModelCall",
    "ModelOptions",
    "Outbox",
    "ParseError",
    "Path",
    "PlanInput",
    "Position",
    "Prompt",
    "ProviderError",
    "Repair",
    "RequestValidationError",
    "RetryAdvised",
    "RetryPolicy",
    "Section",
    "SessionBusyError",
    "Severity",
    "Size",
    "Skip",
    "Split",
    "TilingLayout",
    "TilingNode",
    "Turn",
    "UpdateReason",
    "Usage",
    "UserIntent",
    "ValidationError",
    "Variant",
    "Vessel",
    "VesselMutation",
    "Warning",
    "append",
    "apply",
    "check_message",
    "decode_candidate",
    "decode_message",
    "decode_output",
    "decode_request",
    "encode_error",
    "encode_layout",
    "encode_message",
    "encode_output",
    "encode_request",
    "heal",
    "is_resize_only",
    "make_request",
    "mend",
    "prepend",
    "reflow",
    "remove",
    "replace",
    "response_schema",
    "state_from",
    "transform",
    "turn_from_text",
    "turn_to_text",
]
