"""Google's Gemini models, through google-genai.

Theory of operation. One `generateContent` request a call: continuation and function
calling, with which the SDK would send more, are off. The schema travels as
``responseJsonSchema``, untouched; ``responseSchema`` would be rewritten by the SDK, and
cut where it nests. System sections are parts of the system instruction, sections of a
message its parts, so that Google's implicit cache finds the same prefix again.

Warts. The SDK picks its HTTP client by what is installed, and its errors with it: we
hand it one. Its timeout is in milliseconds, holds for each read and not for the call,
and is told to the server, which refuses less than ten seconds (`_SERVER_SECONDS`). A
wrong key is answered with 400, and told by its code alone. A client that is not told
otherwise turns into a Vertex client where an environment variable says so.

Keep in step: docs/providers.md.
"""

import math
from types import MappingProxyType
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
from maelstrom.core.prompt import Prompt, Section

__all__ = ["OUTCOMES", "gemini"]

OUTCOMES: Final[tuple[Row, ...]] = (
    ("code", "API_KEY_INVALID", "auth"),
    ("code", "API_KEY_SERVICE_BLOCKED", "auth"),
    ("finish", "STOP", "stop"),
    ("finish", "FINISH_REASON_UNSPECIFIED", "stop"),
    ("finish", "MAX_TOKENS", "length"),
    ("finish", "CONTINUATION", "length"),
    ("finish", "SAFETY", "blocked"),
    ("finish", "RECITATION", "blocked"),
    ("finish", "LANGUAGE", "blocked"),
    ("finish", "BLOCKLIST", "blocked"),
    ("finish", "PROHIBITED_CONTENT", "blocked"),
    ("finish", "SPII", "blocked"),
    ("finish", "MODEL_ARMOR", "blocked"),
    ("finish", "ESCALATION", "blocked"),
    ("finish", "PUP_LIMITED_DISABLED", "blocked"),
    ("finish", "IMAGE_SAFETY", "blocked"),
    ("finish", "IMAGE_PROHIBITED_CONTENT", "blocked"),
    ("finish", "IMAGE_RECITATION", "blocked"),
    ("finish", "IMAGE_OTHER", "unavailable"),
    ("finish", "NO_IMAGE", "unavailable"),
    ("finish", "OTHER", "unavailable"),
    ("finish", "MALFORMED_RESPONSE", "malformed_json"),
    ("finish", "MALFORMED_FUNCTION_CALL", "tool_call"),
    ("finish", "UNEXPECTED_TOOL_CALL", "tool_call"),
    ("finish", "TOO_MANY_TOOL_CALLS", "tool_call"),
    ("finish", "MISSING_THOUGHT_SIGNATURE", "tool_call"),
    *COMMON,
)

_ROLES: Final = MappingProxyType({"user": "user", "assistant": "model"})
_BASE_URL: Final = "https://generativelanguage.googleapis.com/"
_VARIABLES: Final = ("GOOGLE_API_KEY", "GEMINI_API_KEY")  # in the SDK's order
_SERVER_SECONDS: Final = 10  # the least that the API takes as X-Server-Timeout


def gemini(
    model: str, *, api_key: str | None = None, base_url: str | None = None
) -> "Gemini":
    """A `ModelAdapter` for Gemini.

    Args:
        model: its name, as "gemini-3.8-flash".
        api_key: otherwise taken from GOOGLE_API_KEY, then from GEMINI_API_KEY.
        base_url: otherwise Google's own.

    Raises:
        ConfigError: no key is found, or an argument is wrong.
        ImportError: the extra `gemini` is not installed.
    """
    return Gemini(model, api_key, base_url)


class Gemini:
    """What `gemini` makes."""

    provider = "gcp.gemini"
    options = frozenset({"temperature", "max_tokens", "seed", "reasoning"})

    def __init__(self, model: str, api_key: str | None, base_url: str | None) -> None:
        self.model = checked_model(model)
        self._key = checked_key(api_key, *_VARIABLES)
        self._base_url = checked_url(base_url, _BASE_URL)
        self._genai = require("google.genai", "gemini")
        self._httpx = require("httpx2", "gemini")
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

        async def send(pair: Any) -> str | None:
            response = await pair[0].aio.models.generate_content(
                model=self.model,
                contents=_contents(prompt),
                config=self._config(prompt, schema, options, timeout),
            )
            return word(response.sdk_http_response.body)

        return await self._client.ask(send, _read)

    async def aclose(self) -> None:
        """Close the running loop's connections; calling it again does nothing."""
        await self._client.aclose()

    def _build(self) -> Any:
        http = self._httpx.AsyncClient()
        types = self._genai.types
        client = self._genai.Client(
            api_key=self._key,
            enterprise=False,
            http_options=types.HttpOptions(
                base_url=self._base_url,
                retry_options=types.HttpRetryOptions(attempts=1),
                httpx_async_client=http,
            ),
        )
        return client, http

    def _config(
        self,
        prompt: Prompt,
        schema: Json,
        options: ModelOptions,
        timeout: float | None,
    ) -> Any:
        types = self._genai.types
        level = options.reasoning
        seconds = DEFAULT_TIMEOUT if timeout is None else timeout
        server = max(_SERVER_SECONDS, math.ceil(seconds))
        return types.GenerateContentConfig(
            system_instruction=_parts(prompt.system) or None,
            response_mime_type="application/json",
            response_json_schema=schema,
            temperature=options.temperature,
            max_output_tokens=options.max_tokens,
            seed=options.seed,
            thinking_config=(
                None if level is None else {"thinking_level": level.upper()}
            ),
            automatic_function_calling={"disable": True},
            automatic_continuation=False,
            should_return_http_response=True,
            http_options=types.HttpOptions(
                timeout=math.ceil(seconds * 1_000),
                headers={"X-Server-Timeout": str(server)},
            ),
        )


async def _close(pair: Any) -> None:
    client, http = pair
    await client.aio.aclose()
    client.close()
    await http.aclose()


def _contents(prompt: Prompt) -> list[Json]:
    return [
        {"role": _ROLES[message.role], "parts": parts}
        for message in prompt.messages
        if (parts := _parts(message.parts))
    ]


def _parts(sections: tuple[Section, ...]) -> list[Json]:
    return [{"text": section.text} for section in sections if section.text.strip()]


def _read(body: Json) -> Answer:
    candidate = dig(body, "candidates", 0)
    parts = dig(candidate, "content", "parts")
    parts = parts if isinstance(parts, list) else []
    usage = dig(body, "usageMetadata")
    return Answer(
        text=joined([part for part in parts if not dig(part, "thought")]),
        finish=word(dig(candidate, "finishReason")),
        model=word(dig(body, "modelVersion")),
        response_id=word(dig(body, "responseId")),
        usage=Usage(
            input_tokens=count(
                dig(usage, "promptTokenCount"), dig(usage, "toolUsePromptTokenCount")
            ),
            output_tokens=count(
                dig(usage, "candidatesTokenCount"), dig(usage, "thoughtsTokenCount")
            ),
            cache_read_tokens=count(dig(usage, "cachedContentTokenCount")),
        ),
        blocked=word(dig(body, "promptFeedback", "blockReason")),
        tool_call=any(dig(part, "functionCall") is not None for part in parts),
        fault=dig(body, "error"),
    )
