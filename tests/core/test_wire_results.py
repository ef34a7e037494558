"""Errors and healed answers on the wire."""

from typing import get_args

import attrs
import pytest

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
from maelstrom.core.healed import Drop, Healed, Repair, Skip
from maelstrom.core.healed import Warning as HealWarning
from maelstrom.core.layout import Cell, GridLayout, Position
from maelstrom.core.request import Instance
from maelstrom.core.response import ActionExecution
from maelstrom.core.vessel import Size
from maelstrom.core.wire import encode_error, encode_healed
from maelstrom.core.wire_results import ERRORS

_ISSUE = Issue(("payload", 0), "empty", "must not be empty")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (
            RequestValidationError((_ISSUE,)),
            {
                "type": "request_validation_error",
                "message": "payload.0: must not be empty",
                "issues": [
                    {"path": ["payload", 0], "code": "empty", "message": _ISSUE.message}
                ],
            },
        ),
        (
            ValidationError("rules", "failed"),
            {"type": "validation_error", "message": "failed", "section": "rules"},
        ),
        (
            ProviderError("rate_limited", "demo", "slow", status=429, retry_after_ms=5),
            {
                "type": "provider_error",
                "message": "slow",
                "kind": "rate_limited",
                "provider": "demo",
                "retryable": True,
                "status": 429,
                "retryAfterMs": 5,
            },
        ),
        (
            ProviderError("auth", "demo", "no"),
            {
                "type": "provider_error",
                "message": "no",
                "kind": "auth",
                "provider": "demo",
                "retryable": False,
            },
        ),
        (
            ParseError("userMessage", "is empty"),
            {"type": "parse_error", "message": "is empty", "field": "userMessage"},
        ),
        (
            AbortedError("deadline", "late"),
            {"type": "aborted_error", "message": "late", "cause": "deadline"},
        ),
        (
            HistoryError("conflict", "append", "met"),
            {
                "type": "history_error",
                "message": "met",
                "kind": "conflict",
                "operation": "append",
                "retryable": True,
            },
        ),
        (
            SessionBusyError(9, "wait"),
            {"type": "session_busy_error", "message": "wait", "retryAfterMs": 9},
        ),
        (
            InternalError("planner", "a bug"),
            {"type": "internal_error", "message": "a bug", "stage": "planner"},
        ),
    ],
    ids=range(9),
)
def test_wire_form(error, expected):
    """Each error has its type, its message and what it carries, and the ids if known."""
    named = attrs.evolve(error, session_id="s", id="m")

    assert expected == encode_error(error)
    assert expected | {"sessionId": "s", "id": "m"} == encode_error(named)


def test_every_error_has_a_wire_form():
    """The table holds the whole union."""
    assert set(get_args(EngineError)) == set(ERRORS)


def test_healed():
    """The shape that the conformance vectors have, nulls where a record has none."""
    position = Position("a", Cell(0, 0), Size(1, 2), vessel_id="v", variant="w")
    healed = Healed(
        GridLayout((position,)),
        (ActionExecution("a", "go", {"x": 1}),),
        (Instance("a", "v", "w"),),
        drops=(Drop("malformed_position", ("layout", "positions", 1)),),
        skips=(
            Skip("malformed_action", 1),
            Skip("params_parse_failed", 2, "a", "go", "type"),
        ),
        repairs=(Repair("params_ignored", ("executionPlan", 0), "a", lossless=False),),
        warnings=(HealWarning("rationale_missing", ("rationale",)),),
        severity="low",
    )

    assert encode_healed(Candidate("why", (), {}, "hi"), healed) == {
        "userMessage": "hi",
        "rationale": "why",
        "executionPlan": [{"instanceId": "a", "action": "go", "params": {"x": 1}}],
        "layout": {
            "type": "grid",
            "positions": [
                {
                    "instanceId": "a",
                    "position": {"row": 0, "column": 0},
                    "size": {"width": 1, "height": 2},
                    "vesselId": "v",
                    "variant": "w",
                }
            ],
        },
        "drops": [
            {
                "reason": "malformed_position",
                "path": ["layout", "positions", 1],
                "instanceId": None,
            }
        ],
        "skips": [
            {
                "reason": "malformed_action",
                "index": 1,
                "instanceId": None,
                "action": None,
            },
            {
                "reason": "params_parse_failed",
                "index": 2,
                "instanceId": "a",
                "action": "go",
                "detail": "type",
            },
        ],
        "repairs": [
            {
                "reason": "params_ignored",
                "path": ["executionPlan", 0],
                "instanceId": "a",
                "lossless": False,
            }
        ],
        "warnings": [{"reason": "rationale_missing", "path": ["rationale"]}],
        "severity": "low",
        "retry": False,
        "newInstances": [{"instanceId": "a", "vesselId": "v", "variant": "w"}],
    }
