"""The events of a turn: their names, and the attributes of each. One table for all.

Names follow OpenTelemetry's GenAI conventions where they apply; ours start with
``maelstrom.``. Every event of a turn carries ``maelstrom.session_id`` and
``maelstrom.message_id``. Nothing here holds prompts, user text or model text.

| event | level | attributes beside the ids |
|---|---|---|
| maelstrom.turn.started | debug | maelstrom.reasons, maelstrom.layout_mode |
| maelstrom.lock.waited | debug | maelstrom.milliseconds |
| maelstrom.model.called | info | gen_ai.*, maelstrom.milliseconds, error.type |
| maelstrom.turn.healed | info | maelstrom.attempt, maelstrom.severity, counts by reason |
| maelstrom.turn.retried | info | maelstrom.attempt, the next one's number |
| maelstrom.history.failed | warning or error | maelstrom.operation, error.type |
| maelstrom.turn.finished | info, warning, error | maelstrom.decision, .attempts, ... |

A count is named ``maelstrom.drop.REASON``, ``maelstrom.skip.REASON``,
``maelstrom.repair.REASON`` or ``maelstrom.warning.REASON``.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from maelstrom.core.completion import ModelCall
from maelstrom.core.diagnostics import Diagnostics
from maelstrom.core.errors import (
    AbortedError,
    EngineError,
    HistoryError,
    InternalError,
    ProviderError,
)
from maelstrom.core.healed import Healed
from maelstrom.core.messages import EngineMessage
from maelstrom.core.request import ChartResize, UpdateReason, UserIntent
from maelstrom.effects.ports import Attributes

__all__ = [
    "HISTORY_FAILED",
    "LOCK_WAITED",
    "MODEL_CALLED",
    "TURN_FINISHED",
    "TURN_HEALED",
    "TURN_RETRIED",
    "TURN_STARTED",
    "error_attributes",
    "finished",
    "healed",
    "history_failed",
    "ids_in",
    "ids_of",
    "model_called",
    "started",
]

TURN_STARTED: Final = "maelstrom.turn.started"
TURN_HEALED: Final = "maelstrom.turn.healed"
TURN_RETRIED: Final = "maelstrom.turn.retried"
TURN_FINISHED: Final = "maelstrom.turn.finished"
MODEL_CALLED: Final = "maelstrom.model.called"
HISTORY_FAILED: Final = "maelstrom.history.failed"
LOCK_WAITED: Final = "maelstrom.lock.waited"


def ids_of(message: EngineMessage | None) -> Attributes:
    """Which turn an event belongs to; nothing where the message was not readable."""
    if message is None:
        return {}
    return {
        "maelstrom.session_id": message.session_id,
        "maelstrom.message_id": message.id,
    }


def ids_in(error: EngineError) -> Attributes:
    """Which turn failed before its message was a record, as far as it was readable."""
    known = {
        "maelstrom.session_id": error.session_id,
        "maelstrom.message_id": error.id,
    }
    return {name: value for name, value in known.items() if value is not None}


def started(message: EngineMessage) -> Attributes:
    """Why the turn is happening."""
    context = message.payload.context
    return {
        "maelstrom.reasons": tuple(map(_kind, context.update_reasons)),
        "maelstrom.layout_mode": context.layout_mode,
    }


def healed(attempt: int, result: Healed) -> Attributes:
    """How an attempt was healed, with counts by reason."""
    return {
        "maelstrom.attempt": attempt,
        "maelstrom.severity": result.severity,
        **Counter(_reasons(result)),
    }


def model_called(call: ModelCall) -> Attributes:
    """One call of a model, by the names of the GenAI conventions."""
    known: dict[str, str | int | tuple[str, ...] | None] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": call.provider,
        "gen_ai.request.model": call.model,
        "maelstrom.milliseconds": call.milliseconds,
    }
    done = call.completion
    if done is not None:
        usage = done.usage
        known |= {
            "gen_ai.response.model": done.model,
            "gen_ai.response.id": done.response_id,
            "gen_ai.response.finish_reasons": (done.finish_reason,),
            "gen_ai.usage.input_tokens": usage.input_tokens,
            "gen_ai.usage.output_tokens": usage.output_tokens,
            "gen_ai.usage.cache_read.input_tokens": usage.cache_read_tokens,
            "gen_ai.usage.cache_write.input_tokens": usage.cache_write_tokens,
        }
    told = {name: value for name, value in known.items() if value is not None}
    return {**told, **(error_attributes(call.error) if call.error else {})}


def history_failed(error: HistoryError) -> Attributes:
    """What the store could not do."""
    return {"maelstrom.operation": error.operation, **error_attributes(error)}


def finished(diagnostics: Diagnostics) -> Attributes:
    """How the turn ended."""
    error = diagnostics.error
    served = diagnostics.served
    best = diagnostics.attempts[served - 1].healed if served else None
    return {
        "maelstrom.decision": diagnostics.decision,
        "maelstrom.attempts": len(diagnostics.attempts),
        "maelstrom.milliseconds": diagnostics.finished - diagnostics.started,
        **({"maelstrom.severity": best.severity} if best else {}),
        **({"maelstrom.notes": diagnostics.notes} if diagnostics.notes else {}),
        **(error_attributes(error) if error else {}),
    }


def error_attributes(error: EngineError) -> Attributes:
    """An error's type, and what narrows it down."""
    match error:
        case ProviderError() | HistoryError():
            return {"error.type": f"{_snake(error)}.{error.kind}"}
        case AbortedError():
            return {"error.type": f"{_snake(error)}.{error.cause}"}
        case InternalError():
            return {"error.type": f"{_snake(error)}.{error.stage}"}
        case _:
            return {"error.type": _snake(error)}


def _snake(error: EngineError) -> str:
    name = type(error).__name__
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


def _kind(reason: UpdateReason) -> str:
    if isinstance(reason, UserIntent):
        return "user_intent"
    return "chart_resize" if isinstance(reason, ChartResize) else "vessel_mutation"


def _reasons(result: Healed) -> Iterator[str]:
    yield from (f"maelstrom.drop.{drop.reason}" for drop in result.drops)
    yield from (f"maelstrom.skip.{skip.reason}" for skip in result.skips)
    yield from (f"maelstrom.repair.{repair.reason}" for repair in result.repairs)
    yield from (f"maelstrom.warning.{warning.reason}" for warning in result.warnings)
