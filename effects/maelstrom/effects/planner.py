"""The planner that asks a model: build the prompt, ask once, read the answer.

Theory of operation: everything that is decided (the prompt, the reading of the answer)
is the core's; this file performs one model call an attempt, within its timeout, and
records it, whether it succeeded, failed, raised or was cancelled. Options are checked
when the planner is made, and so is the system prompt: what is wrong with them is a
ConfigError at start-up, not an error of the first turn.

Each call is told to three: the diagnostics get it whole, the instrument and the logger
its numbers. What was asked and answered goes to the logger alone, at debug, and only
where the turn's `log_content` says so.

In step with: `maelstrom.effects.telemetry`, which names the event and its attributes.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import isfinite
from types import MappingProxyType
from typing import Any, Final

import attrs
from attrs import frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result

from maelstrom.core.answer import decode_candidate
from maelstrom.core.candidate import Candidate
from maelstrom.core.completion import Completion, ModelCall, ModelOptions
from maelstrom.core.errors import EngineError, InternalError, ProviderError
from maelstrom.core.layout import LayoutMode
from maelstrom.core.plan_input import PlanInput
from maelstrom.core.prompt import Prompt
from maelstrom.core.prompt_customize import Customizer
from maelstrom.core.prompt_template import (
    PromptTemplate,
    build_prompt,
    prepare_template,
)
from maelstrom.core.schema import response_schema
from maelstrom.effects.config_error import ConfigError, misfit
from maelstrom.effects.ports import ModelAdapter, TurnContext
from maelstrom.effects.telemetry import MODEL_CALLED, model_called

__all__ = ["LlmPlanner", "llm_planner"]


@frozen
class LlmPlanner:
    """What `llm_planner` returns: a planner that owns its adapter."""

    adapter: ModelAdapter
    template: PromptTemplate
    options: ModelOptions
    salvage: bool
    timeout: float | None

    async def __call__(
        self, plan_input: PlanInput, context: TurnContext
    ) -> Result[Candidate, EngineError]:
        """Ask the model once."""
        built = build_prompt(plan_input, self.template)
        if not is_successful(built):
            return Failure(built.failure())
        prompt = built.unwrap()
        mode = plan_input.request.context.layout_mode
        report = partial(self._report, context, prompt, context.clock.monotonic())
        try:
            completed = await self._ask(prompt, mode, context)
        except Exception:
            report(error=InternalError("plan", "the model adapter raised"))
            raise
        except BaseException:  # the turn was cancelled: how, its own error says
            report()
            raise
        if not is_successful(completed):
            report(error=completed.failure())
            return Failure(completed.failure())
        completion = completed.unwrap()
        read = decode_candidate(
            completion.text,
            mode,
            completion.finish_reason,
            self.salvage,
            plan_input.limits,
        ).alt(self._blamed)
        if is_successful(read):
            report(completion)
        else:
            report(completion, error=read.failure())
        return read

    async def aclose(self) -> None:
        """Close the adapter."""
        await self.adapter.aclose()

    async def _ask(
        self, prompt: Prompt, mode: LayoutMode, context: TurnContext
    ) -> Result[Completion, ProviderError]:
        schema = response_schema(mode)
        try:
            async with context.clock.timeout(self.timeout):
                return await self.adapter.complete(
                    prompt, schema, self.options, self.timeout
                )
        except TimeoutError:
            words = f"no answer within {self.timeout} s"
            return Failure(ProviderError("timeout", self.adapter.provider, words))

    def _blamed(self, error: EngineError) -> EngineError:
        """The error with the provider's name, which reading does not know."""
        if isinstance(error, ProviderError):
            return attrs.evolve(error, provider=self.adapter.provider)
        return error

    def _report(
        self,
        context: TurnContext,
        prompt: Prompt,
        started: float,
        completion: Completion | None = None,
        error: EngineError | None = None,
    ) -> None:
        passed = context.clock.monotonic() - started
        call = ModelCall(
            self.adapter.provider,
            self.adapter.model,
            prompt,
            round(passed * 1_000),
            completion,
            error,
        )
        context.record(call)
        _tell(call, context)


def _tell(call: ModelCall, context: TurnContext) -> None:
    """Tell instrument and logger of a call."""
    ids = {
        "maelstrom.session_id": context.session_id,
        "maelstrom.message_id": context.message_id,
    }
    attributes = {**ids, **model_called(call)}
    context.instrument.event(MODEL_CALLED, attributes)
    log = context.logger.info if call.error is None else context.logger.warning
    log(MODEL_CALLED, extra=attributes)
    if context.log_content:
        for what, text in _content(call):
            extra = {**ids, "maelstrom.what": what, "maelstrom.text": text}
            context.logger.debug("maelstrom.content", extra=extra)


def _content(call: ModelCall) -> Iterator[tuple[str, str]]:
    yield "system", call.prompt.system_text
    for message in call.prompt.messages:
        yield message.role, message.text
    if call.completion is not None:
        yield "answer", call.completion.text


_ADAPTER: Final = ("provider", "model", "options", "complete", "aclose")


def llm_planner(
    *,
    adapter: ModelAdapter,
    prompt: Mapping[str, Customizer] | None = None,
    model_options: ModelOptions | Mapping[str, object] | None = None,
    salvage: bool = True,
    timeout: float | None = 20,
) -> LlmPlanner:
    """A planner that makes one structured-output model call an attempt.

    Args:
        adapter: The model to ask; `aclose` closes it.
        prompt: Changes of prompt sections, by name: replace(text), prepend(text),
            append(text), transform(function), remove().
        model_options: temperature, max_tokens, seed, reasoning; those that the adapter
            can send.
        salvage: Keep an answer some of whose pieces are malformed; healing drops them
            alone. False: any deviation from the response schema fails the attempt.
        timeout: Seconds an attempt may take, then it ends in ProviderError(timeout);
            None leaves it to the turn's deadline.

    Raises:
        ConfigError: An option is wrong, or a customizer of a system section failed.
    """
    if isinstance(adapter, type) or not isinstance(adapter, ModelAdapter):
        words = "a ModelAdapter, as gemini(...) gives one"
        raise misfit("adapter", words, adapter, _ADAPTER)
    if prompt is not None and not isinstance(prompt, Mapping):
        raise ConfigError("prompt", "must map section names to customizers")
    if not isinstance(salvage, bool):
        raise ConfigError("salvage", "must be True or False")
    if timeout is not None and not (_is_number(timeout, 0) and timeout):
        raise ConfigError("timeout", "must be a positive number of seconds, or None")
    options = _checked_options(model_options, adapter)
    template = prepare_template(prompt or {})
    if not is_successful(template):
        error = template.failure()
        raise ConfigError(f"prompt.{error.section}", error.message)
    return LlmPlanner(adapter, template.unwrap(), options, salvage, timeout)


# ---------------------------------------------------------------- model options


def _is_number(value: object, least: float) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return isfinite(value) and value >= least


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


_OPTIONS: Final[Mapping[str, tuple[Callable[[object], bool], str]]] = MappingProxyType(
    {
        # option: what it must be, and that in words
        "temperature": (partial(_is_number, least=0), "a finite number, at least 0"),
        "max_tokens": (
            lambda value: _is_integer(value) and _is_number(value, 1),
            "an integer, at least 1",
        ),
        "seed": (_is_integer, "an integer"),
        "reasoning": (_is_text, "a text such as 'low'"),
    }
)


def _checked_options(
    given: ModelOptions | Mapping[str, object] | None, adapter: ModelAdapter
) -> ModelOptions:
    values = attrs.asdict(given) if isinstance(given, ModelOptions) else given or {}
    if not isinstance(values, Mapping):
        raise ConfigError(
            "model_options", "must be ModelOptions, or map names to values"
        )
    named: dict[str, Any] = {
        name: value for name, value in values.items() if value is not None
    }
    for name, value in named.items():
        if name not in _OPTIONS:
            raise ConfigError(f"model_options.{name}", "no such option")
        fits, words = _OPTIONS[name]
        if not fits(value):
            raise ConfigError(f"model_options.{name}", f"must be {words}")
        if name not in adapter.options:
            words = f"the {adapter.provider} adapter cannot send it"
            raise ConfigError(f"model_options.{name}", words)
    return ModelOptions(**named)
