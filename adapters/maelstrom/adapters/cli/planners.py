"""The planners that a command can be told to use, by name.

A builder takes the model that was named, None for its own choice, and imports what it
needs when it is called. What is missing then (a package, a key, a model's name) is one
line to the user.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from attrs import frozen
from returns.result import Result

from maelstrom.adapters.cli.exits import USAGE, AtFaultError
from maelstrom.adapters.demo_prompt import small_prompt
from maelstrom.core.candidate import Candidate
from maelstrom.core.errors import EngineError
from maelstrom.core.layout import LayoutMode
from maelstrom.core.plan_input import PlanInput
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.keyword import keyword_planner
from maelstrom.effects.planner import LlmPlanner, llm_planner
from maelstrom.effects.ports import ModelAdapter, Planner, TurnContext

__all__ = ["PLANNERS", "Builder", "build"]

Builder: TypeAlias = Callable[[str | None], Planner]

_SMALL_ANSWER: Final = 250
"""Tokens: all four widgets are no more, and an endless list ends here."""


def build(name: str, model: str | None) -> Planner:
    """The planner of that name; AtFaultError says in a line why there is none."""
    try:
        return PLANNERS[name](model)
    except (ImportError, ConfigError) as error:
        raise AtFaultError(f"--planner {name}: {error}", USAGE) from None


@frozen
class _SmallPlanner:
    """A very small model: its worked answers are of the turn's layout mode."""

    modes: Mapping[LayoutMode, LlmPlanner]

    async def __call__(
        self, plan_input: PlanInput, context: TurnContext, /
    ) -> Result[Candidate, EngineError]:
        mode = plan_input.request.context.layout_mode
        return await self.modes[mode](plan_input, context)

    async def aclose(self) -> None:
        await self.modes["grid"].aclose()  # both ask through one adapter


def _keyword(_model: str | None) -> Planner:
    return keyword_planner()


def _local(model: str | None) -> Planner:
    from maelstrom.adapters.local import local

    adapter = local(model_path=model)
    options = {"temperature": 0, "max_tokens": _SMALL_ANSWER}

    def planner(mode: LayoutMode) -> LlmPlanner:
        return llm_planner(
            adapter=adapter, prompt=small_prompt(mode), model_options=options
        )

    return _SmallPlanner({"grid": planner("grid"), "tiling": planner("tiling")})


def _gemini(model: str | None) -> Planner:
    from maelstrom.adapters.gemini import gemini

    return _asking(gemini, model)


def _openai(model: str | None) -> Planner:
    from maelstrom.adapters.openai import openai

    return _asking(openai, model)


def _anthropic(model: str | None) -> Planner:
    from maelstrom.adapters.anthropic import anthropic

    return _asking(anthropic, model)


def _asking(adapter: Callable[[str], ModelAdapter], model: str | None) -> Planner:
    if model is None:
        raise ConfigError("--model", "must name the provider's model")
    return llm_planner(adapter=adapter(model))


PLANNERS: Final = MappingProxyType[str, Builder](
    {
        # name: what builds it
        "keyword": _keyword,
        "local": _local,  # --model is a GGUF file
        "gemini": _gemini,
        "openai": _openai,
        "anthropic": _anthropic,
    }
)
