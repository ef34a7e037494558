"""The golden vectors of validation, run against the decoder."""

import json
from pathlib import Path

import pytest
from returns.pipeline import is_successful

from maelstrom.core.wire import decode_message, encode_message

_CASES = json.loads(
    (Path(__file__).parent.parent / "golden" / "validate.json").read_text("utf-8")
)


def _verdict(message):
    decoded = decode_message(message)
    if is_successful(decoded):
        return {"ok": True}
    issues = decoded.failure().issues
    return {"issues": [{"path": list(i.path), "code": i.code} for i in issues]}


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
def test_vector(case):
    """Each vector gets its verdict, as text, as bytes and as a mapping."""
    text = case["text"] if "text" in case else json.dumps(case["message"])

    assert case["expect"] == _verdict(text), case["why"]
    assert case["expect"] == _verdict(text.encode()), case["why"]
    if "message" in case:
        assert case["expect"] == _verdict(case["message"]), case["why"]


@pytest.mark.parametrize(
    "case", [c for c in _CASES if "ok" in c["expect"]], ids=lambda case: case["name"]
)
def test_round_trip(case):
    """A right message comes back from its encoding, and its encoding from it."""
    message = decode_message(case["message"]).unwrap()

    assert message == decode_message(encode_message(message)).unwrap()
