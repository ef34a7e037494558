"""Anthropic: every outcome of its API, and what it is sent."""

import typing

from maelstrom.adapters.anthropic import OUTCOMES
from maelstrom.core.completion import ModelOptions, Usage
from tests.adapters.provider_kit import KEY, KITS, TEXT
from tests.adapters.provider_server import Reply
from tests.adapters.provider_table import run_table, sent

KIT = KITS[2]


def message(stop_reason, *blocks, **more):
    """An answer of these blocks."""
    return {
        "id": "m-1",
        "type": "message",
        "role": "assistant",
        "model": "claude-test",
        "content": list(blocks),
        "stop_reason": stop_reason,
        "usage": {"input_tokens": 1, "output_tokens": 1},
        **more,
    }


def text(one):
    """A block of plain text."""
    return {"type": "text", "text": one}


def fault(kind, words=""):
    """An error body in Anthropic's form."""
    return {"type": "error", "error": {"type": kind, "message": words}}


THINKING = {"type": "thinking", "thinking": "Let me think", "signature": "s"}
TOOL = {"type": "tool_use", "id": "t", "name": "respond", "input": {}}
TOMORROW = {"type": "tomorrow", "payload": 1}

CASES = (
    ("good", message("end_turn", text(TEXT)), "stop"),
    ("several blocks", message("end_turn", text('{"a"'), text(":1}")), "stop"),
    ("thinking, then text", message("end_turn", THINKING, text(TEXT)), "stop"),
    ("a block of tomorrow", message("end_turn", TOMORROW, text(TEXT)), "stop"),
    ("stop sequence", message("stop_sequence", text(TEXT)), "stop"),
    ("no stop reason", message(None, text(TEXT)), "stop"),
    ("a reason of tomorrow", message("tomorrow", text(TEXT)), "stop"),
    ("truncated", message("max_tokens", text("{")), "length"),
    ("truncated by thinking", message("max_tokens", THINKING), "length"),
    ("window exceeded", message("model_context_window_exceeded", text("{")), "length"),
    ("refusal", message("refusal"), "refused"),
    ("refusal with text", message("refusal", text("I cannot")), "refused"),
    ("tool call", message("tool_use", TOOL), "tool_call"),
    ("tool call that ends the turn", message("end_turn", TOOL), "tool_call"),
    ("pause", message("pause_turn", text("{")), "unavailable"),
    ("no content", message("end_turn"), "empty"),
    ("null content", message("end_turn", content=None), "empty"),
    ("thinking only", message("end_turn", THINKING), "empty"),
    ("unknown blocks only", message("end_turn", TOMORROW), "empty"),
    ("error inside 200, overloaded", fault("overloaded_error"), "overloaded"),
    ("error inside 200, rate", fault("rate_limit_error"), "rate_limited"),
    ("error inside 200, unknown", fault("tomorrow_error"), "unavailable"),
    ("html", "<html>Sign in</html>", "unavailable"),
    ("wrong key", Reply(401, fault("authentication_error", "bad key")), "auth"),
    ("no credit", Reply(402, fault("billing_error")), "auth"),
    (
        "wrong schema",
        Reply(400, fault("invalid_request_error", "grammar")),
        "bad_request",
    ),
    ("too large", Reply(413, fault("request_too_large")), "bad_request"),
    (
        "rate",
        Reply(429, fault("rate_limit_error"), {"retry-after": "3"}),
        "rate_limited",
    ),
    ("api error", Reply(500, fault("api_error", "model text")), "unavailable"),
    ("overloaded", Reply(529, fault("overloaded_error")), "overloaded"),
)


def test_outcomes():
    """Each answer and error of the API makes the outcome of its row."""
    results = run_table(KIT, CASES)

    assert results["several blocks"].unwrap().text == '{"a":1}'
    assert results["thinking, then text"].unwrap().text == TEXT
    assert results["rate"].failure().retry_after_ms == 3_000
    assert "grammar" in results["wrong schema"].failure().message
    assert "model text" not in results["api error"].failure().message
    assert results["wrong key"].failure().message == (
        "the key was not accepted (401 authentication_error)"
    )


def test_usage():
    """Anthropic counts cached tokens apart; input is the sum."""
    usage = {
        "input_tokens": 10,
        "output_tokens": 5,
        "cache_read_input_tokens": 100,
        "cache_creation_input_tokens": 20,
    }
    bodies = (
        ("counted", message("end_turn", text(TEXT), usage=usage), "stop"),
        ("untold", message("end_turn", text(TEXT), usage=None), "stop"),
    )
    results = run_table(KIT, bodies)

    assert results["counted"].unwrap().usage == Usage(130, 5, 100, 20)
    assert results["untold"].unwrap().usage == Usage()


def test_request():
    """The request is as documented, with a cache mark at each part that stays."""
    mark = {"cache_control": {"type": "ephemeral"}}
    request = sent(KIT, ModelOptions(max_tokens=64, reasoning="low"))
    body = request.body

    assert request.path == "/v1/messages"
    assert KEY in (
        request.headers.get("authorization", "") + request.headers.get("x-api-key", "")
    )
    assert body["max_tokens"] == 64
    assert body["output_config"]["effort"] == "low"
    assert body["system"] == [text("You greet."), text("Answer as JSON.") | mark]
    assert body["messages"] == [
        {"role": "user", "content": [text("[]") | mark, text("Hello?")]},
        {"role": "assistant", "content": [text('{"rationale":"polite"}') | mark]},
        {"role": "user", "content": [text("{}"), text("Say hello.")]},
    ]


def test_what_the_api_does_not_take_is_not_sent():
    """Temperature and seed are no options of Claude: never sent, and not named."""
    options = ModelOptions(temperature=0.5, seed=7)
    with KIT.serving() as (adapter, _):
        assert adapter.options == {"max_tokens", "reasoning"}

    body = sent(KIT, options).body
    assert set(body) == {"model", "max_tokens", "system", "messages", "output_config"}
    assert set(body["output_config"]) == {"format"}


def test_every_word_of_the_sdk_has_a_row():
    """No stop reason and no error type of the installed SDK's messages is unknown."""
    from anthropic.types.shared.error_type import ErrorType
    from anthropic.types.stop_reason import StopReason

    known = {sign for _, sign, _ in OUTCOMES}
    assert set(typing.get_args(StopReason)) <= known
    words = {word for word in typing.get_args(ErrorType) if "memory_" not in word}
    assert words <= known
