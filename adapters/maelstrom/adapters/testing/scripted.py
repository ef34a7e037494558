"""A model adapter that follows a script; `scripted_planner` is its elder."""

from collections.abc import Iterable
from typing import TypeAlias

from attrs import frozen
from returns.result import Failure, Result, Success

from maelstrom.core.completion import Completion, ModelOptions
from maelstrom.core.errors import ProviderError
from maelstrom.core.json_value import Json
from maelstrom.core.prompt import Prompt
from maelstrom.effects.offline import ScriptedPlanner, as_replies, scripted_planner

__all__ = [
    "Asked",
    "ModelReply",
    "ScriptedAdapter",
    "ScriptedPlanner",
    "scripted_adapter",
    "scripted_planner",
]

ModelReply: TypeAlias = str | Completion | ProviderError | BaseException
"""A text or a completion to answer with, an error to return, an exception to raise."""


@frozen
class Asked:
    """What the adapter was asked in one call."""

    prompt: Prompt
    schema: Json
    options: ModelOptions
    timeout: float | None


class ScriptedAdapter:
    """A `ModelAdapter` that gives its replies in turn, and remembers each call.

    ``asked`` holds what it was asked, in order; ``closed`` how often it was closed.
    """

    provider = "scripted"
    model = "scripted-1"
    options = frozenset({"temperature", "max_tokens", "seed", "reasoning"})

    def __init__(self, replies: Iterable[ModelReply]) -> None:
        self.asked: list[Asked] = []
        self.closed = 0
        self._replies = as_replies(replies)

    async def complete(
        self,
        prompt: Prompt,
        schema: Json,
        options: ModelOptions,
        timeout: float | None,  # noqa: ASYNC109  the port's shape
    ) -> Result[Completion, ProviderError]:
        """The next reply; `unavailable` once there is none left."""
        self.asked.append(Asked(prompt, schema, options, timeout))
        if not self._replies:
            words = "the script has no more replies"
            return Failure(ProviderError("unavailable", self.provider, words))
        reply = self._replies.pop(0)
        if isinstance(reply, BaseException):
            raise reply
        if isinstance(reply, ProviderError):
            return Failure(reply)
        if isinstance(reply, Completion):
            return Success(reply)
        return Success(Completion(reply, self.model))

    async def aclose(self) -> None:
        """Count how often it was closed."""
        self.closed += 1


def scripted_adapter(replies: Iterable[ModelReply]) -> ScriptedAdapter:
    """A model adapter for tests, which gives these replies in turn.

    Args:
        replies: Texts and completions to answer with, errors to return, exceptions to
            raise.

    Raises:
        ConfigError: ``replies`` is no list, but a single text, say.
    """
    return ScriptedAdapter(replies)
