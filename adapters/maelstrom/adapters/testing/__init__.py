"""What tests of an app that uses the engine need, and what our own use.

Names are loaded when they are first asked for: only those under `strategies`, and the
contract that runs against a model, need hypothesis (the extra ``testing``).

To keep in step: the table `_HOMES` and the imports for type checkers, by a test.
"""

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from maelstrom.adapters.extra import needing

if TYPE_CHECKING:
    from maelstrom.adapters.history_memory import MemoryHistory
    from maelstrom.adapters.testing.clock import ManualClock
    from maelstrom.adapters.testing.contracts_adapter import ModelAdapterContract
    from maelstrom.adapters.testing.contracts_engine import (
        EngineContract,
        sample_message,
    )
    from maelstrom.adapters.testing.contracts_history import (
        HistoryContract,
        SharedHistoryContract,
    )
    from maelstrom.adapters.testing.contracts_lock import (
        LockContract,
        SharedLockContract,
    )
    from maelstrom.adapters.testing.laws import assert_heal_laws, assert_unchanged
    from maelstrom.adapters.testing.recorders import (
        RecordingInstrument,
        RecordingLogger,
        RecordingObserver,
    )
    from maelstrom.adapters.testing.scripted import (
        ScriptedAdapter,
        ScriptedPlanner,
        scripted_adapter,
        scripted_planner,
    )
    from maelstrom.adapters.testing.strategies import (
        Faulty,
        candidates,
        faulty_candidates,
        policies,
        requests,
        vessels,
    )

__all__ = [
    "EngineContract",
    "Faulty",
    "HistoryContract",
    "LockContract",
    "ManualClock",
    "MemoryHistory",
    "ModelAdapterContract",
    "RecordingInstrument",
    "RecordingLogger",
    "RecordingObserver",
    "ScriptedAdapter",
    "ScriptedPlanner",
    "SharedHistoryContract",
    "SharedLockContract",
    "assert_heal_laws",
    "assert_unchanged",
    "candidates",
    "faulty_candidates",
    "policies",
    "requests",
    "sample_message",
    "scripted_adapter",
    "scripted_planner",
    "vessels",
]

_HOMES: Final = MappingProxyType(
    {
        # module: the names that it is asked for
        "maelstrom.adapters.history_memory": ("MemoryHistory",),
        "maelstrom.adapters.testing.clock": ("ManualClock",),
        "maelstrom.adapters.testing.contracts_adapter": ("ModelAdapterContract",),
        "maelstrom.adapters.testing.contracts_engine": (
            "EngineContract",
            "sample_message",
        ),
        "maelstrom.adapters.testing.contracts_history": (
            "HistoryContract",
            "SharedHistoryContract",
        ),
        "maelstrom.adapters.testing.contracts_lock": (
            "LockContract",
            "SharedLockContract",
        ),
        "maelstrom.adapters.testing.laws": ("assert_heal_laws", "assert_unchanged"),
        "maelstrom.adapters.testing.recorders": (
            "RecordingInstrument",
            "RecordingLogger",
            "RecordingObserver",
        ),
        "maelstrom.adapters.testing.scripted": (
            "ScriptedAdapter",
            "ScriptedPlanner",
            "scripted_adapter",
            "scripted_planner",
        ),
        "maelstrom.adapters.testing.strategies": (
            "Faulty",
            "candidates",
            "faulty_candidates",
            "policies",
            "requests",
            "vessels",
        ),
    }
)


def __getattr__(name: str) -> Any:
    """Load a public name from where it lives."""
    for home, names in _HOMES.items():
        if name in names:
            with needing("testing"):
                return getattr(import_module(home), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names."""
    return __all__
