"""Anthropic's Claude models, through anthropic.

Theory of operation. One `messages` request a call; the schema travels as
``output_config.format``, untouched. Anthropic caches up to the blocks that are marked,
so the last block of each part that stays is marked: the system prompt, the catalogue of
vessels, and the newest answer of the history (three of four that are allowed).

Warts. The module bears the SDK's name: imports are absolute. The API takes neither
temperature nor seed, and demands a bound of the answer (`_MAX_TOKENS`). It answers an
error after the headers went out with status 200: its type tells. Empty blocks are
refused. The SDK would make spans of its own: ours are enough.

Keep in step: docs/providers.md.
"""

from typing import Any, Final

from returns.result import Result

from maelstrom.adapters.extra import require
from maelstrom.adapters.provider_answer import Answer, count, dig, joined, word
from maelstrom.adapters.provider_client import (
    DEFAULT_TIMEOUT,
    ProviderClient,
    checked_key,
    checked_model,
    checked_url,
)
from maelstrom.adapters.provider_outcomes import COMMON, Outcomes, Row
from maelstrom.core.completion import Completion, ModelOptions, Usage
from maelstrom.core.errors import ProviderError
from maelstrom.core.json_value import Json
from maelstrom.core.prompt import Message, Prompt, Section

__all__ = ["OUTCOMES", "anthropic"]

OUTCOMES: Final[tuple[Row, ...]] = (
    ("code", "invalid_request_error", "bad_request"),
    ("code", "authentication_error", "auth"),
    ("code", "billing_error", "auth"),
    ("code", "permission_error", "auth"),
    ("code", "not_found_error", "bad_request"),
    ("code", "request_too_large", "bad_request"),
    ("code", "rate_limit_error", "rate_limited"),
    ("code", "timeout_error", "timeout"),
    ("code", "api_error", "unavailable"),
    ("code", "overloaded_error", "overloaded"),
    ("code", "conflict_error", "unavailable"),
    ("raised", "anthropic.APITimeoutError", "timeout"),
    ("raised", "anthropic.APIConnectionError", "transport"),
    ("finish", "end_turn", "stop"),
    ("finish", "stop_sequence", "stop"),
    ("finish", "max_tokens", "length"),
    ("finish", "model_context_window_exceeded", "length"),
    ("finish", "refusal", "refused"),
    ("finish", "tool_use", "tool_call"),
    ("finish", "pause_turn", "unavailable"),
    *COMMON,
)

_BASE_URL: Final = "https://api.anthropic.com"
_VARIABLE: Final = "ANTHROPIC_API_KEY"
_MAX_TOKENS: Final = 8_192
"""The bound of an answer where the caller names none: some 150 placed instances, and
within what every Claude model can give."""


def anthropic(
    model: str, *, api_key: str | None = None, base_url: str | None = None
) -> "Anthropic":
    """A `ModelAdapter` for Claude.

    Args:
        model: its name, as Anthropic has it.
        api_key: otherwise taken from ANTHROPIC_API_KEY.
        base_url: without "/v1"; otherwise Anthropic's own.

    Raises:
        ConfigError: no key is found, or an argument is wrong.
        ImportError: the extra `anthropic` is not installed.
    """
    return Anthropic(model, api_key, base_url)


class Anthropic:
    """What `anthropic` makes."""

    provider = "anthropic"
    options = frozenset({"max_tokens", "reasoning"})

    def __init__(self, model: str, api_key: str | None, base_url: str | None) -> None:
        self.model = checked_model(model)
        self._key = checked_key(api_key, _VARIABLE)
        self._base_url = checked_url(base_url, _BASE_URL)
        self._sdk = require("anthropic", "anthropic")
        # else it is imported at the first call, and holds up the loop
        require("anthropic.resources.messages", "anthropic")
        self._client = ProviderClient(
            Outcomes(self.provider, OUTCOMES),
            self.model,
            self._key,
            self._build,
            _close,
        )

    async def complete(
        self,
        prompt: Prompt,
        schema: Json,
        options: ModelOptions,
        timeout: float | None,  # noqa: ASYNC109  the SDK is told, the clock enforces
    ) -> Result[Completion, ProviderError]:
        """Ask once; see `ModelAdapter`."""
        output: dict[str, Json] = {"format": {"type": "json_schema", "schema": schema}}
        if options.reasoning is not None:
            output["effort"] = options.reasoning

        async def send(client: Any) -> bytes:
            raw = await client.messages.with_raw_response.create(
                model=self.model,
                max_tokens=_MAX_TOKENS
                if options.max_tokens is None
                else options.max_tokens,
                system=_system(prompt) or self._sdk.omit,
                messages=_messages(prompt),
                output_config=output,
                timeout=DEFAULT_TIMEOUT if timeout is None else timeout,
            )
            content: bytes = await raw.read()
            return content

        return await self._client.ask(send, _read)

    async def aclose(self) -> None:
        """Close the running loop's connections; calling it again does nothing."""
        await self._client.aclose()

    def _build(self) -> Any:
        return self._sdk.AsyncAnthropic(
            api_key=self._key,
            base_url=self._base_url,
            max_retries=0,
            timeout=DEFAULT_TIMEOUT,
            open_telemetry=False,
            http_client=self._sdk.DefaultAsyncHttpxClient(follow_redirects=False),
        )


async def _close(client: Any) -> None:
    await client.close()


def _system(prompt: Prompt) -> list[Json]:
    blocks = _blocks(prompt.system)
    return [*blocks[:-1], *map(_cached, blocks[-1:])]


def _messages(prompt: Prompt) -> list[Json]:
    answers = [message for message in prompt.messages if message.role == "assistant"]
    newest = answers[-1] if answers else None
    return [
        {"role": message.role, "content": blocks}
        for message in prompt.messages
        if (blocks := _content(message, newest=message is newest))
    ]


def _content(message: Message, *, newest: bool) -> list[Json]:
    blocks = [
        _cached(block) if section.name == "vessels" else block
        for section in message.parts
        for block in _blocks((section,))
    ]
    return [*blocks[:-1], *map(_cached, blocks[-1:])] if newest else blocks


def _blocks(sections: tuple[Section, ...]) -> list[Json]:
    return [
        {"type": "text", "text": section.text}
        for section in sections
        if section.text.strip()
    ]


def _cached(block: Json) -> Json:
    return {**block, "cache_control": {"type": "ephemeral"}}


def _read(body: Json) -> Answer:
    content = dig(body, "content")
    blocks = content if isinstance(content, list) else []
    usage = dig(body, "usage")
    read = dig(usage, "cache_read_input_tokens")
    written = dig(usage, "cache_creation_input_tokens")
    return Answer(
        text=joined([block for block in blocks if dig(block, "type") == "text"]),
        finish=word(dig(body, "stop_reason")),
        model=word(dig(body, "model")),
        response_id=word(dig(body, "id")),
        usage=Usage(
            input_tokens=count(dig(usage, "input_tokens"), read, written),
            output_tokens=count(dig(usage, "output_tokens")),
            cache_read_tokens=count(read),
            cache_write_tokens=count(written),
        ),
        tool_call=any(dig(block, "type") == "tool_use" for block in blocks),
        fault=dig(body, "error"),
    )
