"""Errors, healed answers and candidates on the wire: written, and hardly ever read.

A candidate is read leniently, for heal looks at each of its pieces itself.
"""

from types import MappingProxyType
from typing import Any, Final

from maelstrom.core.candidate import Candidate
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
from maelstrom.core.healed import Healed
from maelstrom.core.json_value import Json
from maelstrom.core.wire_encode import encode
from maelstrom.core.wire_fields import INSTANCE, PLAN, RESPONSE_LAYOUT

__all__ = [
    "ERRORS",
    "candidate_from_json",
    "encode_candidate",
    "encode_error",
    "encode_healed",
    "encode_issue",
]

ERRORS: Final = MappingProxyType[type[Any], tuple[str, tuple[tuple[str, str], ...]]](
    {
        # record: its wire type; key and attribute of what it carries
        RequestValidationError: ("request_validation_error", ()),
        ValidationError: ("validation_error", (("section", "section"),)),
        ProviderError: (
            "provider_error",
            (
                ("kind", "kind"),
                ("provider", "provider"),
                ("retryable", "retryable"),
                ("status", "status"),
                ("retryAfterMs", "retry_after_ms"),
            ),
        ),
        ParseError: ("parse_error", (("field", "field"),)),
        AbortedError: ("aborted_error", (("cause", "cause"),)),
        HistoryError: (
            "history_error",
            (("kind", "kind"), ("operation", "operation"), ("retryable", "retryable")),
        ),
        SessionBusyError: (
            "session_busy_error",
            (("retryAfterMs", "retry_after_ms"),),
        ),
        InternalError: ("internal_error", (("stage", "stage"),)),
    }
)
"""Every member of `EngineError`, and what its wire form holds beside the ids."""

_IDS: Final = (("sessionId", "session_id"), ("id", "id"))


def encode_error(error: EngineError) -> dict[str, Json]:
    """The wire form ``{type, message, ..., sessionId?, id?}``.

    >>> encode_error(ParseError("userMessage", "is empty", id="m-1"))
    {'type': 'parse_error', 'message': 'is empty', 'field': 'userMessage', 'id': 'm-1'}
    """
    name, carried = ERRORS[error.__class__]
    made: dict[str, Json] = {"type": name, "message": error.message}
    if isinstance(error, RequestValidationError):
        made["issues"] = [encode_issue(each) for each in error.issues]
    for key, attribute in (*carried, *_IDS):
        value = getattr(error, attribute)
        if value is not None:
            made[key] = value
    return made


def encode_issue(issue: Issue) -> dict[str, Json]:
    """An issue as ``{path, code, message}``."""
    return {
        "path": list(issue.path),
        "code": issue.code,
        "message": issue.message,
    }


def encode_healed(candidate: Candidate, healed: Healed) -> dict[str, Json]:
    """What healing made of a candidate, all records in order.

    The message and the rationale are the candidate's. ``instanceId`` and ``action`` of
    a record are null where it has none; ``detail`` is left out.
    """
    return {
        "userMessage": candidate.user_message,
        "rationale": candidate.rationale,
        "executionPlan": encode(PLAN, healed.plan),
        "layout": encode(RESPONSE_LAYOUT, healed.layout),
        "drops": [
            {
                "reason": each.reason,
                "path": list(each.path),
                "instanceId": each.instance_id,
            }
            for each in healed.drops
        ],
        "skips": [
            {
                "reason": each.reason,
                "index": each.index,
                "instanceId": each.instance_id,
                "action": each.action,
                **({} if each.detail is None else {"detail": each.detail}),
            }
            for each in healed.skips
        ],
        "repairs": [
            {
                "reason": each.reason,
                "path": list(each.path),
                "instanceId": each.instance_id,
                "lossless": each.lossless,
            }
            for each in healed.repairs
        ],
        "warnings": [
            {"reason": each.reason, "path": list(each.path)} for each in healed.warnings
        ],
        "severity": healed.severity,
        "retry": healed.retry,
        "newInstances": [encode(INSTANCE, each) for each in healed.new_instances],
    }


def encode_candidate(candidate: Candidate) -> dict[str, Json]:
    """A candidate as the value that a model would have given, pieces raw."""
    return {
        "rationale": candidate.rationale,
        "executionPlan": list(candidate.execution_plan),
        "layout": candidate.layout,
        "userMessage": candidate.user_message,
    }


def candidate_from_json(value: Json) -> Candidate:
    """A candidate from such a value; what is missing or no text or list is empty.

    >>> candidate_from_json({"layout": {"type": "grid", "positions": []}}).user_message
    ''
    """
    whole = value if isinstance(value, dict) else {}
    plan = whole.get("executionPlan")
    return Candidate(
        _text(whole.get("rationale")),
        tuple(plan) if isinstance(plan, list) else (),
        whole.get("layout"),
        _text(whole.get("userMessage")),
    )


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
