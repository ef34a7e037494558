"""The effects layer: it performs what the core decides.

`create_engine` puts an engine together; planners, stores and locks go into it.
"""

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
from maelstrom.effects.retrying import (
    RetryPlan,
    with_retry,
)

__all__ = [
    "Clock",
    "ConfigError",
    "Engine",
    "HistoryStore",
    "Ids",
    "Instrument",
    "Lease",
    "Logger",
    "ManagedEngine",
    "ModelAdapter",
    "Observer",
    "Planner",
    "RetryPlan",
    "SessionLock",
    "Signal",
    "Stage",
    "TurnContext",
    "create_engine",
    "keyword_planner",
    "llm_planner",
    "noop_instrument",
    "pipeline",
    "reflow_planner",
    "route",
    "scripted_planner",
    "with_fallback",
    "with_retry",
]
