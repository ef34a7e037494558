"""The planners that a command can be told to use, by name.

A builder takes the model that was named, None for its own choice, and imports what it
needs when it is called.
"""

from collections.abc import Callable
from types import MappingProxyType
from typing import Final, TypeAlias

from maelstrom.effects.keyword import keyword_planner
from maelstrom.effects.ports import Planner

__all__ = ["PLANNERS", "Builder"]

Builder: TypeAlias = Callable[[str | None], Planner]


def _keyword(_model: str | None) -> Planner:
    return keyword_planner()


PLANNERS: Final = MappingProxyType[str, Builder](
    {
        # name: what builds it
        "keyword": _keyword,
    }
)
