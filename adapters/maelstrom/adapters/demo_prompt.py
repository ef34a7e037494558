"""The example app's prompt for a very small model.

Theory: a model of 135 million parameters follows no rules, but it continues a pattern.
So its prompt is a few worked answers and then the reason of the turn, in the same words.
All before the reason is constant for a layout mode, so a server that keeps the prefix
reads it once. Answers are written by `encode_answer`: they have the form of the
response schema, whatever it becomes.

Wart: what the model is not told (what is on the chart, its size, which actions are
valid) it gets wrong, and that is what healing is for. A model that can follow rules
should be given the whole prompt.

In step with: `maelstrom.adapters.demo`, of whose vessels the worked answers are made,
and `maelstrom.core.prompt_sections`, which words the reasons.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from attrs import frozen

from maelstrom.core.json_writer import compact_text
from maelstrom.core.layout import (
    Cell,
    GridLayout,
    Layout,
    LayoutMode,
    Leaf,
    Position,
    Split,
    TilingLayout,
)
from maelstrom.core.plan_input import PlanInput
from maelstrom.core.prompt_customize import Customizer, remove, replace, transform
from maelstrom.core.request import Instance
from maelstrom.core.response import ActionExecution
from maelstrom.core.schema import encode_answer
from maelstrom.core.vessel import Size

__all__ = ["small_prompt"]

_ROLE: Final = (
    "You put widgets on a screen. Answer in one line of JSON, as in the examples."
)

_WEATHER: Final = Instance("weather-1", "weather", "current")
_TASKS: Final = Instance("tasks-1", "tasks", "list")
_NOTES: Final = Instance("notes-1", "notes", "list")
_CALENDAR: Final = Instance("calendar-1", "calendar", "week")

_SIZE: Final = Size(5, 3)
"""Of every piece in the worked answers: two stand side by side, and all four fit in."""


@frozen
class _Example:
    """What was asked, and how it was answered."""

    intent: str
    shown: tuple[Instance, ...]
    message: str
    plan: tuple[ActionExecution, ...] = ()


_EXAMPLES: Final = (
    _Example("weather", (_WEATHER,), "Here is the weather."),
    _Example("my tasks and notes", (_TASKS, _NOTES), "Here are your tasks and notes."),
    _Example(
        "add a task: call Anna",
        (_TASKS,),
        "I added the task.",
        (ActionExecution("tasks-1", "addTask", {"title": "call Anna"}),),
    ),
    _Example("calendar", (_CALENDAR,), "Here is your calendar."),
)

_LEFT_OUT: Final = (
    "rules",
    "vessels",
    "history",
    "chart",
    "instances",
    "layout",
    "resize_rule",
    "mutation_rule",
    "now",
)


def small_prompt(mode: LayoutMode) -> Mapping[str, Customizer]:
    """The `prompt` of an `llm_planner` that plans in this layout mode.

    >>> small_prompt("grid")["output"].text[:24]
    'The user asks: "weather"'
    """
    examples = "\n".join(_worked(mode, example) for example in _EXAMPLES)
    return MappingProxyType(
        {
            "role": replace(_ROLE),
            "output": replace(examples),
            "reasons": transform(_bare),
            **{section: remove() for section in _LEFT_OUT},
        }
    )


def _bare(text: str, _given: PlanInput) -> str:
    """Without tags: they are a pattern of their own, which such a model continues."""
    return text.removeprefix("<reasons>\n").removesuffix("\n</reasons>")


def _worked(mode: LayoutMode, example: _Example) -> str:
    layout = _grid(example.shown) if mode == "grid" else _tiling(example.shown)
    answer = encode_answer("ok", example.plan, layout, example.message)
    return f'The user asks: "{example.intent}"\n{compact_text(answer)}'


def _grid(shown: tuple[Instance, ...]) -> Layout:
    return GridLayout(
        tuple(
            Position(
                one.instance_id,
                Cell(0, number * _SIZE.width),
                _SIZE,
                vessel_id=one.vessel_id,
                variant=one.variant,
            )
            for number, one in enumerate(shown)
        )
    )


def _tiling(shown: tuple[Instance, ...]) -> Layout:
    leaves = tuple(
        Leaf(
            f"n{number}",
            one.instance_id,
            vessel_id=one.vessel_id,
            variant=one.variant,
        )
        for number, one in enumerate(shown, start=1)
    )
    if len(leaves) == 1:
        return TilingLayout("n1", leaves)
    split = Split("n0", "row", tuple(leaf.id for leaf in leaves))
    return TilingLayout("n0", (split, *leaves))
