"""Who speaks OpenAI's chat completions, and what each of them takes.

One record a server. Each difference is a request that some server refuses: a field it
does not know, a schema mode it has not, an option of another's models.
"""

from types import MappingProxyType
from typing import Final, Literal
from urllib.parse import urlsplit

from attrs import field, frozen

from maelstrom.core.json_value import Json
from maelstrom.effects.config_error import ConfigError

__all__ = ["PROFILES", "Profile", "profile_for"]

_ALL: Final = frozenset({"temperature", "max_tokens", "seed", "reasoning"})
_NO_REASONING: Final = _ALL - {"reasoning"}


@frozen(kw_only=True)
class Profile:
    """What a server takes.

    ``provider`` is its name for telemetry, ``key_variable`` the environment variable
    that it documents, None where it needs no key. ``response_format`` "none" leaves the
    schema out: the prompt alone tells the form. ``bound_field`` is the one that bounds the answer.
    ``cache_key`` says whether `prompt_cache_key` may be sent; ``extra_body`` is added to
    each request as it stands.
    """

    provider: str
    base_url: str
    key_variable: str | None = None
    response_format: Literal["json_schema", "json_object", "none"] = "json_schema"
    strict: bool = True
    bound_field: Literal["max_completion_tokens", "max_tokens"] = "max_tokens"
    cache_key: bool = False
    options: frozenset[str] = _NO_REASONING
    extra_body: Json = field(default=None, eq=False)


PROFILES: Final = MappingProxyType(
    {
        "openai": Profile(
            provider="openai",
            base_url="https://api.openai.com/v1",
            key_variable="OPENAI_API_KEY",
            bound_field="max_completion_tokens",
            cache_key=True,
            options=_ALL,
        ),
        "openrouter": Profile(
            provider="openrouter",
            base_url="https://openrouter.ai/api/v1",
            key_variable="OPENROUTER_API_KEY",
            options=_ALL,
            # else it routes to who ignores the schema
            extra_body={"provider": {"require_parameters": True}},
        ),
        "ollama": Profile(
            provider="ollama",
            base_url="http://127.0.0.1:11434/v1",
            strict=False,
            options=_ALL,
        ),
        "vllm": Profile(
            provider="vllm", base_url="http://127.0.0.1:8000/v1", options=_ALL
        ),
        "llama.cpp": Profile(provider="llama.cpp", base_url="http://127.0.0.1:8080/v1"),
        # Any other server: what most of them take, and nothing else.
        "compatible": Profile(
            provider="openai_compatible",
            base_url="http://127.0.0.1:8000/v1",
            strict=False,
        ),
    }
)
"""The profiles by name; the addresses are each server's own default."""

_HOSTS: Final = MappingProxyType(
    {"api.openai.com": "openai", "openrouter.ai": "openrouter"}
)


def profile_for(profile: object, base_url: object) -> Profile:
    """The profile given or named; without one, the host tells.

    >>> profile_for(None, None).provider
    'openai'
    >>> profile_for(None, "http://127.0.0.1:1234/v1").provider
    'openai_compatible'
    """
    if isinstance(profile, Profile):
        return profile
    if profile is None:
        host = urlsplit(base_url).hostname if isinstance(base_url, str) else None
        profile = "openai" if base_url is None else _HOSTS.get(host or "", "compatible")
    if not isinstance(profile, str) or profile not in PROFILES:
        names = ", ".join(PROFILES)
        raise ConfigError("profile", f"must be a Profile or one of {names}")
    return PROFILES[profile]
