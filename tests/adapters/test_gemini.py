"""Gemini: every outcome of its API, and what it is sent."""

import pytest

from maelstrom.adapters.gemini import OUTCOMES, gemini
from maelstrom.core.completion import ModelOptions, Usage
from maelstrom.effects.config_error import ConfigError
from tests.adapters.provider_kit import KEY, KITS, TEXT
from tests.adapters.provider_server import Reply
from tests.adapters.provider_table import run_table, sent

KIT = KITS[0]


def candidate(finish=None, parts=None, **more):
    """An answer of one candidate; without parts it has no content."""
    content = {} if parts is None else {"content": {"role": "model", "parts": parts}}
    finish = {} if finish is None else {"finishReason": finish}
    return {"candidates": [{**content, **finish, **more}]}


def text(*texts):
    """Parts of plain text."""
    return [{"text": one} for one in texts]


def fault(status, message="", details=(), code=None):
    """An error body in Google's form."""
    error = {"code": code, "message": message, "status": status, "details": [*details]}
    return {"error": error}


THOUGHT = {"text": "Let me think", "thought": True}
CALL = {"functionCall": {"name": "respond", "args": {}}}
RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "13.5s"}
BAD_KEY = {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    "reason": "API_KEY_INVALID",
}
PROTO_RETRY = {
    "@type": "type.googleapis.com/google.rpc.RetryInfo",
    "retryDelay": {"seconds": 2, "nanos": 500_000_000},
}

CASES = (
    ("good", candidate("STOP", text(TEXT)), "stop"),
    ("several parts", candidate("STOP", text('{"a"', ":1}")), "stop"),
    ("thought, then text", candidate("STOP", [THOUGHT, *text(TEXT)]), "stop"),
    ("no finish reason", candidate(None, text(TEXT)), "stop"),
    ("unspecified", candidate("FINISH_REASON_UNSPECIFIED", text(TEXT)), "stop"),
    ("a reason of tomorrow", candidate("TOMORROW", text(TEXT)), "stop"),
    ("a reason of tomorrow, no text", candidate("TOMORROW"), "empty"),
    ("truncated", candidate("MAX_TOKENS", text('{"ration')), "length"),
    ("truncated by thoughts", candidate("MAX_TOKENS", []), "length"),
    ("to be continued", candidate("CONTINUATION", text("{")), "length"),
    ("blocked prompt", {"promptFeedback": {"blockReason": "SAFETY"}}, "blocked"),
    ("jailbreak", {"promptFeedback": {"blockReason": "JAILBREAK"}}, "blocked"),
    ("blocked answer", candidate("SAFETY"), "blocked"),
    ("blocked, with text", candidate("RECITATION", text(TEXT)), "blocked"),
    ("prohibited", candidate("PROHIBITED_CONTENT", finishMessage="no"), "blocked"),
    ("no candidates", {"candidates": []}, "empty"),
    ("empty text", candidate("STOP", text("")), "empty"),
    ("no parts", candidate("STOP", []), "empty"),
    ("thoughts only", candidate("STOP", [THOUGHT]), "empty"),
    ("tool call", candidate("STOP", [CALL]), "tool_call"),
    ("unexpected tool call", candidate("UNEXPECTED_TOOL_CALL"), "tool_call"),
    ("malformed call", candidate("MALFORMED_FUNCTION_CALL"), "tool_call"),
    ("malformed answer", candidate("MALFORMED_RESPONSE"), "malformed_json"),
    ("other", candidate("OTHER"), "unavailable"),
    ("error inside 200", fault("UNAVAILABLE", code=503), "overloaded"),
    ("error inside 200, no code", fault("UNKNOWN"), "unavailable"),
    ("html", "<html>Sign in</html>", "unavailable"),
    ("wrong key", Reply(400, fault("INVALID_ARGUMENT", details=[BAD_KEY])), "auth"),
    (
        "wrong schema",
        Reply(400, fault("INVALID_ARGUMENT", "too many states")),
        "bad_request",
    ),
    ("quota", Reply(429, fault("RESOURCE_EXHAUSTED", details=[RETRY])), "rate_limited"),
    (
        "quota, in protobuf",
        Reply(429, fault("R", details=[PROTO_RETRY])),
        "rate_limited",
    ),
    ("errors in a list", Reply(503, [fault("UNAVAILABLE")]), "overloaded"),
    ("cancelled", Reply(499, fault("CANCELLED")), "bad_request"),
)


def test_outcomes():
    """Each answer and error of the API makes the outcome of its row."""
    results = run_table(KIT, CASES)

    assert results["several parts"].unwrap().text == '{"a":1}'
    assert results["thought, then text"].unwrap().text == TEXT
    assert results["truncated by thoughts"].unwrap().text == ""
    assert results["quota"].failure().retry_after_ms == 13_500
    assert results["quota, in protobuf"].failure().retry_after_ms == 2_500
    assert results["error inside 200"].failure().status == 503
    assert "too many states" in results["wrong schema"].failure().message
    assert results["wrong key"].failure().message == (
        "the key was not accepted (400 API_KEY_INVALID)"
    )


def test_usage():
    """Input counts cached tokens and those of tools, output the thoughts."""
    body = candidate("STOP", text(TEXT)) | {
        "usageMetadata": {
            "promptTokenCount": 100,
            "toolUsePromptTokenCount": 7,
            "cachedContentTokenCount": 60,
            "candidatesTokenCount": 20,
            "thoughtsTokenCount": 5,
        },
        "modelVersion": "gemini-test-002",
    }
    completion = run_table(KIT, (("usage", body, "stop"),))["usage"].unwrap()

    assert completion.usage == Usage(107, 25, 60, None)
    assert completion.model == "gemini-test-002"


def test_request():
    """The request is as documented: sections as parts, options where they belong."""
    options = ModelOptions(temperature=0.5, max_tokens=64, seed=7, reasoning="low")
    request = sent(KIT, options)

    assert request.path == "/v1/models/gemini-test:generateContent"
    assert request.headers["x-goog-api-key"] == KEY
    assert request.body["systemInstruction"]["parts"] == text(
        "You greet.", "Answer as JSON."
    )
    roles = [message["role"] for message in request.body["contents"]]
    assert roles == ["user", "model", "user"]
    assert request.body["contents"][0]["parts"] == text("[]", "Hello?")
    config = request.body["generationConfig"]
    assert "responseSchema" not in config
    assert config["responseMimeType"] == "application/json"
    assert (config["temperature"], config["maxOutputTokens"], config["seed"]) == (
        0.5,
        64,
        7,
    )
    assert list(config["thinkingConfig"].values()) == ["LOW"]


def test_options_that_are_not_set_are_not_sent():
    """None leaves the provider's default."""
    config = sent(KIT).body["generationConfig"]

    assert set(config) == {"responseMimeType", "responseJsonSchema"}


def test_the_server_is_told_ten_seconds_at_least():
    """A shorter deadline is refused by the API, so it is not told."""
    assert sent(KIT).headers["x-server-timeout"] == "10"


def test_environment_does_not_turn_it_into_vertex(monkeypatch):
    """The variables that make the SDK a Vertex client have no say."""
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    monkeypatch.setenv("GOOGLE_GENAI_USE_ENTERPRISE", "true")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:1")

    assert sent(KIT).headers["x-goog-api-key"] == KEY


def test_google_api_key_comes_first(monkeypatch):
    """Of the two variables the SDK's own order holds."""
    monkeypatch.setenv("GEMINI_API_KEY", "second")
    monkeypatch.setenv("GOOGLE_API_KEY", "first")
    request = sent(KIT, adapter=lambda url: gemini("gemini-test", base_url=url))

    assert request.headers["x-goog-api-key"] == "first"


def test_every_word_of_the_sdk_has_a_row():
    """No finish reason of the installed SDK is unknown to the table."""
    from google.genai import types

    known = {sign for source, sign, _ in OUTCOMES if source == "finish"}
    assert {reason.value for reason in types.FinishReason} <= known


@pytest.mark.parametrize("model", ["", " ", None])
def test_a_model_must_be_named(model):
    """There is no default model: names come and go."""
    with pytest.raises(ConfigError) as raised:
        gemini(model, api_key=KEY)

    assert raised.value.field == "model"
