"""Building a prompt: the parts that never change, once; the others, for each attempt.

Theory of operation: parts stand by how rarely they change, so that providers' prefix
caches hit: the system sections (one constant text a layout mode), the catalogue, the
past turns (append-only), and last what is true and asked right now. Adjacent parts of
one role are one message of several parts.

`prepare_template` builds the system sections and checks the customizers; `build_prompt`
does the rest for one plan's input. Both are pure, but for the app's own functions.

Customizers of `history` change what the past turns were asked; their answers stay as
they were, or the model would learn from answers that nobody gave. `remove()` leaves
out both.

In step with: the sections named in `SYSTEM_SECTIONS` and `USER_SECTIONS`, which the
documentation lists.
"""

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Final, TypeAlias, get_args

from attrs import field, frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.core.errors import Issue, RequestValidationError, ValidationError
from maelstrom.core.layout import LayoutMode
from maelstrom.core.plan_input import PlanInput
from maelstrom.core.prompt import Message, Prompt, Role, Section
from maelstrom.core.prompt_customize import Customizer, Remove, customize
from maelstrom.core.prompt_rules import OUTPUT, ROLE, RULES
from maelstrom.core.prompt_sections import (
    LAST_SECTIONS,
    past_answer,
    past_turn,
    vessels,
)

__all__ = [
    "SYSTEM_SECTIONS",
    "USER_SECTIONS",
    "PromptTemplate",
    "build_prompt",
    "prepare_template",
]

SYSTEM_SECTIONS: Final = ("role", "rules", "output")
"""The sections of the system prompt, constant for a layout mode."""

USER_SECTIONS: Final = ("vessels", "history", *(name for name, _ in LAST_SECTIONS))
"""The sections that depend on the request, in their order."""

_SECTIONS: Final = (*SYSTEM_SECTIONS, *USER_SECTIONS)
_Part: TypeAlias = tuple[Role, Section]
_UNCHANGED: Final = MappingProxyType[str, Customizer]({})


@frozen
class PromptTemplate:
    """The system sections of both layout modes, and the app's changes to the others."""

    grid: tuple[Section, ...]
    tiling: tuple[Section, ...]
    customizers: Mapping[str, Customizer] = field(default=_UNCHANGED, hash=False)

    def system(self, mode: LayoutMode) -> tuple[Section, ...]:
        """The system sections of a layout mode."""
        return self.grid if mode == "grid" else self.tiling


def prepare_template(
    customizers: Mapping[str, Customizer] = _UNCHANGED,
) -> Result[PromptTemplate, ValidationError]:
    """Build the system sections, once for all prompts.

    Args:
        customizers: What to change, by the section's name.

    Returns:
        The template; ValidationError naming an unknown section, or one whose customizer
        is none, or failed.

    >>> template = prepare_template().unwrap()
    >>> [section.name for section in template.grid]
    ['role', 'rules', 'output']
    """
    for name, customizer in customizers.items():
        problem = _problem(name, customizer)
        if problem is not None:
            return Failure(ValidationError(str(name), problem))
    grid = _system("grid", customizers)
    if not is_successful(grid):
        return Failure(grid.failure())
    tiling = _system("tiling", customizers)
    if not is_successful(tiling):
        return Failure(tiling.failure())
    kept = MappingProxyType(dict(customizers))
    return Success(PromptTemplate(grid.unwrap(), tiling.unwrap(), kept))


def _problem(name: str, customizer: Customizer) -> str | None:
    if name not in _SECTIONS:
        return f"no such section: there are {', '.join(_SECTIONS)}"
    if not isinstance(customizer, get_args(Customizer)):
        return "use replace, prepend, append, transform or remove"
    if not isinstance(getattr(customizer, "text", ""), str):
        return "its text is no text"
    if not callable(getattr(customizer, "function", str)):
        return "its function is none"
    return None


def _system(
    mode: LayoutMode, customizers: Mapping[str, Customizer]
) -> Result[tuple[Section, ...], ValidationError]:
    texts = (ROLE, RULES[mode], OUTPUT[mode])
    sections: list[Section] = []
    for name, text in zip(SYSTEM_SECTIONS, texts, strict=True):
        made = _customized(customizers, name, text)
        if not is_successful(made):
            return Failure(made.failure())
        changed = made.unwrap()
        if changed is not None:
            sections.append(Section(name, changed))
    return Success(tuple(sections))


def build_prompt(
    plan_input: PlanInput, template: PromptTemplate
) -> Result[Prompt, ValidationError | RequestValidationError]:
    """The prompt of one attempt.

    Returns:
        The prompt; ValidationError naming a section whose customizer failed;
        RequestValidationError (too_large, at the vessels) where the prompt has more
        characters than `Limits.prompt_characters`.
    """
    parts: list[_Part] = []
    for role, name, text in _texts(plan_input, template.customizers):
        if role == "assistant":
            parts.append((role, Section(name, text)))
            continue
        made = _customized(template.customizers, name, text, plan_input)
        if not is_successful(made):
            return Failure(made.failure())
        changed = made.unwrap()
        if changed is not None:
            parts.append((role, Section(name, changed)))
    messages = tuple(
        Message(role, tuple(section for _, section in group))
        for role, group in groupby(parts, key=itemgetter(0))
    )
    system = template.system(plan_input.request.context.layout_mode)
    prompt = Prompt(system, messages)
    limit = plan_input.limits.prompt_characters
    if _characters(prompt) > limit:
        words = f"the prompt would have more than {limit} characters"
        issue = Issue(("payload", "vessels"), "too_large", words)
        return Failure(RequestValidationError((issue,)))
    return Success(prompt)


def _texts(
    plan_input: PlanInput, customizers: Mapping[str, Customizer]
) -> Iterator[tuple[Role, str, str]]:
    """Role, name and text of each section, in order, before it is customized."""
    yield "user", "vessels", vessels(plan_input)
    if not isinstance(customizers.get("history"), Remove):
        for turn in plan_input.history:
            yield "user", "history", past_turn(turn)
            yield "assistant", "history", past_answer(turn)
    for name, section in LAST_SECTIONS:
        text = section(plan_input)
        if text is not None:
            yield "user", name, text


def _customized(
    customizers: Mapping[str, Customizer], name: str, text: str, *arguments: object
) -> Result[str | None, ValidationError]:
    customizer = customizers.get(name)
    if customizer is None:
        return Success(text)
    return customize(name, customizer, text, *arguments)


def _characters(prompt: Prompt) -> int:
    messages = sum(len(message.text) for message in prompt.messages)
    return len(prompt.system_text) + messages
