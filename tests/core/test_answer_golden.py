"""The golden vectors of reading an answer."""

import json
from pathlib import Path

import pytest
from returns.pipeline import is_successful

from maelstrom.core.answer import decode_candidate
from maelstrom.core.errors import ParseError

CASES = json.loads(
    (Path(__file__).parents[1] / "golden" / "candidate.json").read_text("utf-8")
)


def _read(case):
    result = decode_candidate(
        case["text"],
        case["mode"],
        case.get("finishReason"),
        case.get("salvage", True),
    )
    if not is_successful(result):
        error = result.failure()
        return {"error": "parse_error" if isinstance(error, ParseError) else error.kind}
    read = result.unwrap()
    warnings = [] if read.rationale else ["rationale_missing"]
    return {
        "ok": True,
        "candidate": {
            "rationale": read.rationale,
            "executionPlan": list(read.execution_plan),
            "layout": read.layout,
            "userMessage": read.user_message,
        },
        "repairs": sorted(repair.reason for repair in read.repairs),
        **({"warnings": warnings} if warnings else {}),
    }


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_reads_as_the_vector_says(case) -> None:
    """Each vector's answer is read, repaired or refused as it expects."""
    read = _read(case)

    assert {key: read.get(key) for key in case["expect"]} == case["expect"]
