"""OpenAI and its like: every outcome of chat completions, what each server is sent."""

import json

import pytest

from maelstrom.adapters.openai import OUTCOMES, PROFILES, Profile, openai
from maelstrom.core.completion import ModelOptions, Usage
from maelstrom.effects.config_error import ConfigError
from tests.adapters.provider_kit import KEY, KITS, TEXT, openai_body
from tests.adapters.provider_server import Reply
from tests.adapters.provider_table import run_table, sent

KIT = KITS[1]
ALL = ModelOptions(temperature=0.5, max_tokens=64, seed=7, reasoning="low")


def choice(finish, content=None, **message):
    """An answer of one choice."""
    return {
        "id": "c-1",
        "model": "gpt-test",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
    }


def fault(code=None, kind=None, message="", **more):
    """An error body in OpenAI's form."""
    return {"error": {"message": message, "type": kind, "code": code, **more}}


CALLS = [{"id": "t", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
PARTS = [{"type": "text", "text": '{"a"'}, {"type": "text", "text": ":1}"}]

CASES = (
    ("good", choice("stop", TEXT), "stop"),
    ("content in parts", choice("stop", PARTS), "stop"),
    ("no finish reason", choice(None, TEXT), "stop"),
    ("a reason of tomorrow", choice("tomorrow", TEXT), "stop"),
    ("truncated", choice("length", "{"), "length"),
    ("truncated by reasoning", choice("length"), "length"),
    ("white space to the limit", choice("length", "\n" * 4_000), "length"),
    ("blocked", choice("content_filter"), "blocked"),
    ("blocked halfway", choice("content_filter", "{"), "blocked"),
    ("refusal", choice("stop", refusal="I cannot help"), "refused"),
    ("tool calls", choice("tool_calls", tool_calls=CALLS), "tool_call"),
    ("tool calls, but stop", choice("stop", tool_calls=CALLS), "tool_call"),
    ("function call", choice("function_call"), "tool_call"),
    ("no choices", {"id": "c", "choices": []}, "empty"),
    ("null choices", {"id": "c", "choices": None}, "empty"),
    ("no message", {"choices": [{"finish_reason": "stop"}]}, "empty"),
    ("empty text", choice("stop", ""), "empty"),
    ("reasoning only", choice("stop", reasoning_content="Let me think"), "empty"),
    ("other JSON as reasoning", choice("stop", reasoning='{"x":1}'), "empty"),
    ("answer as reasoning", choice("stop", reasoning_content=TEXT), "stop"),
    ("the provider behind failed", choice("error"), "unavailable"),
    ("error inside 200, by status", fault(code=429), "rate_limited"),
    ("error inside 200, by code", fault("rate_limit_exceeded"), "rate_limited"),
    ("error inside 200, in words", {"error": "boom"}, "unavailable"),
    ("error in the choice", {"choices": [{"error": {"code": 502}}]}, "unavailable"),
    (
        "html",
        Reply(200, "<html>Sign in</html>", {"content-type": "text/html"}),
        "unavailable",
    ),
    ("wrong key", Reply(401, fault("invalid_api_key")), "auth"),
    ("no quota left", Reply(429, fault("insufficient_quota")), "auth"),
    (
        "rate",
        Reply(429, fault("rate_limit_exceeded"), {"retry-after-ms": "250"}),
        "rate_limited",
    ),
    (
        "too long",
        Reply(400, fault("context_length_exceeded", message="8192")),
        "bad_request",
    ),
    ("policy", Reply(400, fault("content_policy_violation")), "blocked"),
    ("no such model", Reply(404, {"error": "model 'x' not found"}), "bad_request"),
    ("unknown field", Reply(422, {"detail": "extra fields"}), "bad_request"),
    (
        "model text in an error",
        Reply(500, fault(message="cannot parse: SECRET")),
        "unavailable",
    ),
)


def test_outcomes():
    """Each answer and error makes the outcome of its row."""
    results = run_table(KIT, CASES)

    assert results["content in parts"].unwrap().text == '{"a":1}'
    assert results["answer as reasoning"].unwrap().text == TEXT
    assert results["truncated by reasoning"].unwrap().text == ""
    assert results["rate"].failure().retry_after_ms == 250
    assert results["error inside 200, by status"].failure().status == 429
    assert "model 'x' not found" in results["no such model"].failure().message
    assert "extra fields" in results["unknown field"].failure().message
    assert "SECRET" not in results["model text in an error"].failure().message


def test_usage():
    """Input counts cached tokens, output reasoning; a server may not count."""
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "prompt_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 10},
        "completion_tokens_details": {"reasoning_tokens": 5},
    }
    bodies = (
        ("counted", choice("stop", TEXT) | {"usage": usage}, "stop"),
        ("untold", choice("stop", TEXT), "stop"),
    )
    results = run_table(KIT, bodies)

    assert results["counted"].unwrap().usage == Usage(100, 20, 60, 10)
    assert results["untold"].unwrap().usage == Usage()


def test_request():
    """OpenAI is sent what OpenAI documents."""
    request = sent(KIT, ALL)
    body = request.body

    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert body["messages"] == [
        {"role": "system", "content": "You greet.\n\nAnswer as JSON."},
        {"role": "user", "content": "[]\n\nHello?"},
        {"role": "assistant", "content": '{"rationale":"polite"}'},
        {"role": "user", "content": "{}\n\nSay hello."},
    ]
    assert body["response_format"]["type"] == "json_schema"
    assert body["response_format"]["json_schema"]["strict"] is True
    assert body["max_completion_tokens"] == 64
    assert (body["temperature"], body["seed"]) == (0.5, 7)
    assert body["reasoning_effort"] == "low"
    assert len(body["prompt_cache_key"]) == 32


# profile: the fields that it is sent beside model, messages, temperature and seed
FIELDS = {
    "openai": {
        "response_format",
        "max_completion_tokens",
        "reasoning_effort",
        "prompt_cache_key",
    },
    "openrouter": {"response_format", "max_tokens", "reasoning_effort", "provider"},
    "ollama": {"response_format", "max_tokens", "reasoning_effort"},
    "vllm": {"response_format", "max_tokens", "reasoning_effort"},
    "llama.cpp": {"response_format", "max_tokens"},
    "compatible": {"response_format", "max_tokens"},
}


@pytest.mark.parametrize("name", PROFILES)
def test_profiles(name):
    """A server is sent what it takes, and nothing else."""

    def build(url):
        return openai("m", api_key=KEY, base_url=url, profile=name)

    body = sent(KIT, ALL, build).body

    assert set(body) == FIELDS[name] | {"model", "messages", "temperature", "seed"}
    strict = body["response_format"]["json_schema"].get("strict", False)
    assert strict == PROFILES[name].strict


@pytest.mark.parametrize("mode", ["json_object", "none"])
def test_servers_without_schemas(mode):
    """A profile of one's own may ask for JSON alone, or for nothing at all."""
    profile = Profile(
        provider="mine", base_url="http://127.0.0.1:1", response_format=mode
    )
    request = sent(KIT, adapter=lambda url: openai("m", base_url=url, profile=profile))

    expected = None if mode == "none" else {"type": "json_object"}
    assert request.body.get("response_format") == expected


@pytest.mark.parametrize("name", ["ollama", "vllm", "llama.cpp", "compatible"])
def test_servers_without_keys(name, monkeypatch):
    """A server of one's own needs no key, and gets nothing that is meant for OpenAI."""
    for variable in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(variable, "for-openai-alone")
    request = sent(KIT, adapter=lambda url: openai("m", base_url=url, profile=name))

    assert "for-openai-alone" not in str(request.headers)


def test_openrouter_has_a_key_of_its_own(monkeypatch):
    """OpenRouter is sent the key of its own variable, never OpenAI's."""
    monkeypatch.delenv("OPENROUTER_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "for-openai-alone")
    with pytest.raises(ConfigError) as raised:
        openai("m", profile="openrouter")

    assert raised.value.field == "OPENROUTER_API_KEY"


@pytest.mark.parametrize(
    ("base_url", "provider"),
    [
        (None, "openai"),
        ("https://api.openai.com/v1", "openai"),
        ("https://openrouter.ai/api/v1", "openrouter"),
        ("http://127.0.0.1:1234/v1", "openai_compatible"),
    ],
)
def test_the_host_tells_the_profile(base_url, provider):
    """Without a profile the address decides, cautiously."""
    assert openai("m", api_key=KEY, base_url=base_url).provider == provider


@pytest.mark.parametrize("profile", ["nobody", 7, ["openai"]])
def test_unknown_profiles(profile):
    """A profile that is none fails at construction."""
    with pytest.raises(ConfigError) as raised:
        openai("m", api_key=KEY, profile=profile)

    assert raised.value.field == "profile"


def test_the_cache_key_follows_the_prefix():
    """The same system prompt and catalogue have the same key, whatever else changes."""
    first, second = (sent(KIT, options).body for options in (ALL, ModelOptions()))

    assert first["prompt_cache_key"] == second["prompt_cache_key"]


def test_every_word_of_the_sdk_has_a_row():
    """No finish reason of the installed SDK is unknown to the table."""
    from openai.types.chat.chat_completion import Choice

    known = {sign for source, sign, _ in OUTCOMES if source == "finish"}
    words = Choice.model_json_schema()["properties"]["finish_reason"]["enum"]
    assert set(words) <= known


def test_an_answer_is_read_whatever_its_content_type():
    """JSON is read by what it is, not by what it is called."""
    body = json.dumps(openai_body(TEXT))
    reply = Reply(200, body, {"content-type": "text/plain"})
    run_table(KIT, (("text/plain", reply, "stop"),))
