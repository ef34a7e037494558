"""OpenAI's models, and every server that speaks its chat completions.

Theory of operation. One `chat.completions` request a call; `responses` exists at OpenAI
alone. The schema travels in ``response_format``, untouched. What a server takes beside
is its `Profile`. Sections of one role go out as one text, in their order: prefix caches
compare what is sent, not how it was parted.

Warts. The module bears the SDK's name: imports are absolute. The SDK reads an
organization, a project and headers from the environment; the first two are kept from
servers that are not OpenAI's. vLLM may leave the text empty and put the answer where
the reasoning belongs: it counts as the text if it is the JSON that was asked for.

Keep in step: docs/providers.md.
"""

import hashlib
from typing import Any, Final

from returns.result import Result

from maelstrom.adapters.extra import require
from maelstrom.adapters.openai_profiles import PROFILES, Profile, profile_for
from maelstrom.adapters.provider_answer import (
    Answer,
    count,
    dig,
    joined,
    json_object,
    word,
)
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
from maelstrom.core.prompt import Prompt

__all__ = ["OUTCOMES", "PROFILES", "Profile", "openai"]

OUTCOMES: Final[tuple[Row, ...]] = (
    ("code", "insufficient_quota", "auth"),  # a 429 that no waiting mends
    ("code", "invalid_api_key", "auth"),
    ("code", "rate_limit_exceeded", "rate_limited"),
    ("code", "server_is_overloaded", "overloaded"),
    ("code", "context_length_exceeded", "bad_request"),
    ("code", "content_policy_violation", "blocked"),
    ("code", "content_filter", "blocked"),
    ("raised", "openai.APITimeoutError", "timeout"),
    ("raised", "openai.APIConnectionError", "transport"),
    ("finish", "stop", "stop"),
    ("finish", "length", "length"),
    ("finish", "content_filter", "blocked"),
    ("finish", "tool_calls", "tool_call"),
    ("finish", "function_call", "tool_call"),
    ("finish", "error", "unavailable"),  # OpenRouter: the provider behind it failed
    *COMMON,
)

_NAME: Final = "maelstrom_response"
_NO_KEY: Final = "none"  # the SDK wants one, servers without keys do not read it


def openai(
    model: str,
    *,
    api_key: str | None = None,
    base_url: str | None = None,
    profile: Profile | str | None = None,
) -> "OpenAI":
    """A `ModelAdapter` for OpenAI, Ollama, vLLM, llama.cpp, OpenRouter and the like.

    Args:
        model: its name, as the server has it.
        api_key: otherwise taken from the profile's variable (OPENAI_API_KEY for OpenAI).
        base_url: with its "/v1"; otherwise the profile's.
        profile: a name in `PROFILES`, or a record of your own; by default the host of
            `base_url` tells, and one that is not known is "compatible".

    Raises:
        ConfigError: no key is found where one is needed, or an argument is wrong.
        ImportError: the extra `openai` is not installed.
    """
    return OpenAI(model, api_key, base_url, profile_for(profile, base_url))


class OpenAI:
    """What `openai` makes."""

    def __init__(
        self, model: str, api_key: str | None, base_url: str | None, profile: Profile
    ) -> None:
        self.model = checked_model(model)
        self.provider = profile.provider
        self.options = profile.options
        self._profile = profile
        self._base_url = checked_url(base_url, profile.base_url)
        variable = profile.key_variable
        default = None if variable else _NO_KEY
        self._key = checked_key(api_key or default, *filter(None, [variable]))
        self._sdk = require("openai", "openai")
        # else it is imported at the first call, and holds up the loop
        require("openai.resources.chat", "openai")
        self._client = ProviderClient(
            Outcomes(self.provider, OUTCOMES),
            self.model,
            "" if self._key == _NO_KEY else self._key,
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

        async def send(client: Any) -> bytes:
            raw = await client.chat.completions.with_raw_response.create(
                model=self.model,
                messages=_messages(prompt),
                timeout=DEFAULT_TIMEOUT if timeout is None else timeout,
                extra_body=self._profile.extra_body,
                **self._format(schema),
                **self._options(options),
                **self._cache_key(prompt),
            )
            content: bytes = raw.http_response.content
            return content

        return await self._client.ask(send, lambda body: _read(body, schema))

    async def aclose(self) -> None:
        """Close the running loop's connections; calling it again does nothing."""
        await self._client.aclose()

    def _build(self) -> Any:
        omit = self._sdk.omit
        foreign = {"OpenAI-Organization": omit, "OpenAI-Project": omit}
        return self._sdk.AsyncOpenAI(
            api_key=self._key,
            base_url=self._base_url,
            max_retries=0,
            timeout=DEFAULT_TIMEOUT,
            default_headers=None if self.provider == "openai" else foreign,
            http_client=self._sdk.DefaultAsyncHttpxClient(follow_redirects=False),
        )

    def _format(self, schema: Json) -> dict[str, Json]:
        mode = self._profile.response_format
        if mode == "none":
            return {}
        if mode == "json_object":
            return {"response_format": {"type": mode}}
        named = {"name": _NAME, "schema": schema}
        if self._profile.strict:
            named["strict"] = True
        return {"response_format": {"type": mode, "json_schema": named}}

    def _options(self, options: ModelOptions) -> dict[str, Json]:
        fields = {
            "temperature": ("temperature", options.temperature),
            "max_tokens": (self._profile.bound_field, options.max_tokens),
            "seed": ("seed", options.seed),
            "reasoning": ("reasoning_effort", options.reasoning),
        }
        return {
            name: value
            for option, (name, value) in fields.items()
            if value is not None and option in self.options
        }

    def _cache_key(self, prompt: Prompt) -> dict[str, Json]:
        """Requests with one prefix go to one machine, where its cache is."""
        if not self._profile.cache_key:
            return {}
        texts = [section.text for section in prompt.system]
        texts += [
            part.text
            for message in prompt.messages[:1]
            for part in message.parts
            if part.name == "vessels"
        ]
        digest = hashlib.sha256("\0".join(texts).encode(errors="replace"))
        return {"prompt_cache_key": digest.hexdigest()[:32]}


async def _close(client: Any) -> None:
    await client.close()


def _messages(prompt: Prompt) -> list[Json]:
    spoken = [("system", prompt.system_text)]
    spoken += [(message.role, message.text) for message in prompt.messages]
    return [{"role": role, "content": text} for role, text in spoken if text.strip()]


def _read(body: Json, schema: Json) -> Answer:
    choice = dig(body, "choices", 0)
    message = dig(choice, "message")
    content = dig(message, "content")
    usage = dig(body, "usage")
    details = dig(usage, "prompt_tokens_details")
    return Answer(
        text=word(content) or joined(content) or _misplaced(message, schema),
        finish=word(dig(choice, "finish_reason")),
        model=word(dig(body, "model")),
        response_id=word(dig(body, "id")),
        usage=Usage(
            input_tokens=count(dig(usage, "prompt_tokens")),
            output_tokens=count(dig(usage, "completion_tokens")),
            cache_read_tokens=count(dig(details, "cached_tokens")),
            cache_write_tokens=count(dig(details, "cache_write_tokens")),
        ),
        refused=bool(word(dig(message, "refusal"))),
        tool_call=bool(dig(message, "tool_calls") or dig(message, "function_call")),
        fault=dig(body, "error") or dig(choice, "error"),
    )


def _misplaced(message: Json, schema: Json) -> str | None:
    """The answer where the reasoning belongs, if it has all that was asked for."""
    wanted = dig(schema, "required")
    for key in ("reasoning_content", "reasoning"):
        text = word(dig(message, key))
        found = json_object(text)
        if found is not None and wanted and all(name in found for name in wanted):
            return text
    return None
