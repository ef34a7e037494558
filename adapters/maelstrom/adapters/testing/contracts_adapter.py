"""The laws of every `ModelAdapter`, for adapters of your own as for ours.

Subclass `ModelAdapterContract` in a test file, say how to make an adapter whose provider
answers, one whose provider fails and one whose provider never answers, and pytest runs
the laws. They hold for what the engine relies on, not for any wire format.
"""

import asyncio
import copy
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, suppress
from typing import Final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from maelstrom.core.completion import Completion, ModelOptions
from maelstrom.core.errors import ProviderError
from maelstrom.core.json_value import Json
from maelstrom.core.prompt import Message, Prompt, Section
from maelstrom.effects.ports import ModelAdapter

__all__ = ["PROMPT", "SCHEMA", "ModelAdapterContract"]

PROMPT: Final = Prompt(
    (Section("role", "You greet."), Section("output", "Answer as JSON.")),
    (
        Message("user", (Section("vessels", "[]"), Section("history", "Hello?"))),
        Message("assistant", (Section("history", '{"rationale":"polite"}'),)),
        Message("user", (Section("chart", "{}"), Section("reasons", "Say hello."))),
    ),
)
"""A prompt with each kind of message that the engine sends."""

SCHEMA: Final[Json] = {
    "type": "object",
    "properties": {"rationale": {"type": "string"}},
    "required": ["rationale"],
    "additionalProperties": False,
}
"""A schema inside the subset that all providers take."""

_SHORT: Final = ModelOptions(max_tokens=64)
_OPTIONS: Final = ModelOptions(temperature=0.5, max_tokens=64, seed=7, reasoning="low")
_IN_FLIGHT: Final = 0.05  # seconds: time enough to send a request to loopback

Ask = Callable[[ModelAdapter], Awaitable[None]]


class ModelAdapterContract(ABC):
    """Give the three makers; each yields an adapter, and tidies up after itself."""

    @abstractmethod
    def answering(self) -> AbstractContextManager[ModelAdapter]:
        """An adapter whose provider answers each call with a JSON object."""

    @abstractmethod
    def failing(self) -> AbstractContextManager[ModelAdapter]:
        """An adapter whose provider fails each call."""

    @abstractmethod
    def stuck(self) -> AbstractContextManager[ModelAdapter]:
        """An adapter whose provider never answers."""

    def test_it_says_what_it_is(self) -> None:
        """An adapter names its provider, its model and the options it can send."""
        with self.answering() as adapter:
            assert isinstance(adapter, ModelAdapter)
            assert adapter.provider
            assert adapter.model
            assert adapter.options <= {
                field.name for field in attrs.fields(ModelOptions)
            }

    def test_an_answer_is_a_completion(self) -> None:
        """A good answer is a Completion with text, a known finish and sane counts."""

        async def law(adapter: ModelAdapter) -> None:
            completion = (await _ask(adapter)).unwrap()
            assert isinstance(completion, Completion)
            assert completion.text.strip()
            assert completion.model
            assert completion.finish_reason in {"stop", "length"}
            counts = attrs.astuple(completion.usage)
            assert all(count is None or count >= 0 for count in counts)

        _run(self.answering(), law)

    def test_options_are_taken(self) -> None:
        """Options change no outcome: those it names are sent, the others are not."""

        async def law(adapter: ModelAdapter) -> None:
            assert is_successful(await _ask(adapter, _OPTIONS))

        _run(self.answering(), law)

    def test_the_schema_is_left_alone(self) -> None:
        """The caller's schema is the same after a call."""

        async def law(adapter: ModelAdapter) -> None:
            schema = copy.deepcopy(SCHEMA)
            await adapter.complete(PROMPT, schema, ModelOptions(), None)
            assert schema == SCHEMA

        _run(self.answering(), law)

    def test_calls_may_overlap(self) -> None:
        """Several calls at once are all answered."""

        async def law(adapter: ModelAdapter) -> None:
            results = await asyncio.gather(*(_ask(adapter) for _ in range(3)))
            assert all(map(is_successful, results))

        _run(self.answering(), law)

    def test_a_failure_is_a_value(self) -> None:
        """A provider that fails makes a ProviderError that names it; nothing raises."""

        async def law(adapter: ModelAdapter) -> None:
            error = (await _ask(adapter)).failure()
            assert isinstance(error, ProviderError)
            assert error.provider == adapter.provider
            assert error.message

        _run(self.failing(), law)

    def test_cancelling_ends_the_call(self) -> None:
        """A cancelled call ends in CancelledError, which is not made into a value."""

        async def law(adapter: ModelAdapter) -> None:
            task = asyncio.ensure_future(_ask(adapter))
            await asyncio.wait([task], timeout=_IN_FLIGHT)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            assert task.cancelled()

        _run(self.stuck(), law)

    def test_two_loops_in_turn(self) -> None:
        """One adapter serves one event loop after another."""
        with self.answering() as adapter:
            first = asyncio.run(_ask(adapter))
            second = asyncio.run(_ask_and_close(adapter))
        assert is_successful(first)
        assert is_successful(second)

    def test_closing_twice_does_nothing(self) -> None:
        """An adapter can be closed again, and without ever having been used."""

        async def law(adapter: ModelAdapter) -> None:
            await adapter.aclose()
            await adapter.aclose()

        _run(self.answering(), law)

    def test_a_closed_adapter_answers_with_an_error(self) -> None:
        """After aclose a call is an error that trying again does not mend."""

        async def law(adapter: ModelAdapter) -> None:
            await _ask(adapter)
            await adapter.aclose()
            error = (await _ask(adapter)).failure()
            assert not error.retryable

        _run(self.answering(), law)


async def _ask(
    adapter: ModelAdapter, options: ModelOptions = _SHORT
) -> Result[Completion, ProviderError]:
    return await adapter.complete(PROMPT, SCHEMA, options, 30.0)


async def _ask_and_close(adapter: ModelAdapter) -> Result[Completion, ProviderError]:
    result = await _ask(adapter)
    await adapter.aclose()
    return result


def _run(makes: AbstractContextManager[ModelAdapter], law: Ask) -> None:
    async def scenario(adapter: ModelAdapter) -> None:
        try:
            await law(adapter)
        finally:
            await adapter.aclose()

    with makes as adapter:
        asyncio.run(scenario(adapter))
