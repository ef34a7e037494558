"""The effects layer: it performs what the core decides.

`create_engine` puts an engine together; planners, stores and locks go into it.
"""

from maelstrom.effects.check_vessels import (
    Finding,
    check_vessels,
)
from maelstrom.effects.compose import (
    pipeline,
    route,
    with_fallback,
)
from maelstrom.effects.config_error import (
    ConfigError,
)
from maelstrom.effects.configuration import (
    noop_instrument,
)
from maelstrom.effects.conversation import (
    Conversation,
    Reply,
)
from maelstrom.effects.create import (
    create_engine,
)
from maelstrom.effects.keyword import (
    keyword_planner,
)
from maelstrom.effects.offline import (
    reflow_planner,
    scripted_planner,
)
from maelstrom.effects.params_class import (
    ParamsError,
    params_as,
    params_of,
)
from maelstrom.effects.planner import (
    llm_planner,
)
from maelstrom.effects.ports import (
    Clock,
    Engine,
    HistoryStore,
    Ids,
    Instrument,
    Lease,
    Logger,
    ManagedEngine,
    ModelAdapter,
    Observer,
    Planner,
    SessionLock,
    Signal,
    Stage,
    TurnContext,
)
from maelstrom.effects.registry import (
    Call,
    HandlerFailure,
    Registry,
)
from maelstrom.effects.retrying import (
    RetryPlan,
    with_retry,
)
from maelstrom.effects.sessions import (
    InProcessLock,
)
from maelstrom.effects.sync import (
    SyncEngine,
)

__all__ = [
    "Call",
    "Clock",
    "ConfigError",
    "Conversation",
    "Engine",
    "Finding",
    "HandlerFailure",
    "HistoryStore",
    "Ids",
    "InProcessLock",
    "Instrument",
    "Lease",
    "Logger",
    "ManagedEngine",
    "ModelAdapter",
    "Observer",
    "ParamsError",
    "Planner",
    "Registry",
    "Reply",
    "RetryPlan",
    "SessionLock",
    "Signal",
    "Stage",
    "SyncEngine",
    "TurnContext",
    "check_vessels",
    "create_engine",
    "keyword_planner",
    "llm_planner",
    "noop_instrument",
    "params_as",
    "params_of",
    "pipeline",
    "reflow_planner",
    "route",
    "scripted_planner",
    "with_fallback",
    "with_retry",
]
