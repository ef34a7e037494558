"""The three SDK adapters side by side, for what holds for all of them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from attrs import frozen

from maelstrom.adapters.anthropic import anthropic
from maelstrom.adapters.gemini import gemini
from maelstrom.adapters.openai import openai
from tests.adapters.provider_server import ProviderServer, Reply, closed_port

KEY = "secret-key-0123456789"
TEXT = '{"rationale":"polite"}'
LAST = {"connection": "close"}  # no socket is left to a loop that ends


@frozen
class Kit:
    """How one provider is built and how it speaks."""

    name: str
    module: str
    variables: tuple[str, ...]
    build: Callable[..., Any]
    good: Callable[[str], Any]
    error: Callable[[str], Any]

    def adapter(self, url: str, key: str | None = KEY) -> Any:
        """The adapter of a server at this address."""
        return self.build(url, key)

    @contextmanager
    def serving(self, *replies: Reply) -> Iterator[tuple[Any, ProviderServer]]:
        """An adapter, and the server that it talks to."""
        with ProviderServer(*replies) as server:
            yield self.adapter(server.url), server

    @contextmanager
    def refused(self) -> Iterator[Any]:
        """An adapter whose server is not there."""
        yield self.adapter(f"http://127.0.0.1:{closed_port()}")


def gemini_body(text: str) -> Any:
    """A good answer of Gemini."""
    return {
        "candidates": [
            {
                "content": {"role": "model", "parts": [{"text": text}]},
                "finishReason": "STOP",
            }
        ],
        "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 2},
        "modelVersion": "gemini-test-001",
        "responseId": "r-1",
    }


def openai_body(text: str) -> Any:
    """A good answer of chat completions."""
    return {
        "id": "r-1",
        "model": "gpt-test-001",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": text},
            }
        ],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2},
    }


def anthropic_body(text: str) -> Any:
    """A good answer of the messages API."""
    return {
        "id": "r-1",
        "type": "message",
        "role": "assistant",
        "model": "claude-test-001",
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 3, "output_tokens": 2},
    }


KITS = (
    Kit(
        "gemini",
        "google.genai",
        ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        lambda url, key: gemini("gemini-test", api_key=key, base_url=url),
        gemini_body,
        lambda text: {"error": {"message": text, "status": "SOME_STATUS"}},
    ),
    Kit(
        "openai",
        "openai",
        ("OPENAI_API_KEY",),
        lambda url, key: openai(
            "gpt-test", api_key=key, base_url=f"{url}/v1", profile="openai"
        ),
        openai_body,
        lambda text: {"error": {"message": text, "type": "some_error", "code": None}},
    ),
    Kit(
        "anthropic",
        "anthropic",
        ("ANTHROPIC_API_KEY",),
        lambda url, key: anthropic("claude-test", api_key=key, base_url=url),
        anthropic_body,
        lambda text: {
            "type": "error",
            "error": {"type": "some_error", "message": text},
        },
    ),
)
