r"""What the next attempt is told of the one before: reasons and ids, no model text.

Bounded, so that the prompt does not grow with the reply: at most 20 distinct faults,
their texts at most 64 characters. Ids are the model's own words, so what could pass
for markup or move the eye (``<``, ``>``, ``&``, unprintable characters) is written as
an escape, and no escape is cut in two.
"""

from collections.abc import Iterable
from typing import Final

from maelstrom.core.healed import Drop, FeedbackItem, Skip

__all__ = ["build_feedback", "escape"]

_MAX_ITEMS: Final = 20
_MAX_CHARACTERS: Final = 64


def build_feedback(
    drops: Iterable[Drop], skips: Iterable[Skip]
) -> tuple[FeedbackItem, ...]:
    """The distinct faults, drops first, each kind in its order."""
    items: dict[FeedbackItem, None] = {}
    for drop in drops:
        items[FeedbackItem(drop.reason, escape(drop.instance_id))] = None
        if len(items) == _MAX_ITEMS:
            return tuple(items)
    for skip in skips:
        item = FeedbackItem(
            skip.reason,
            escape(skip.instance_id),
            escape(skip.action),
            escape(skip.detail),
        )
        items[item] = None
        if len(items) == _MAX_ITEMS:
            break
    return tuple(items)


def escape(text: str | None) -> str | None:
    r"""The text with escapes, cut to 64 characters.

    >>> escape("<b>")
    '\\u003cb\\u003e'
    """
    if text is None:
        return None
    written = ""
    for character in text:
        plain = character.isprintable() and character not in "<>&"
        part = character if plain else _escaped(character)
        if len(written) + len(part) > _MAX_CHARACTERS:
            break
        written += part
    return written


def _escaped(character: str) -> str:
    point = ord(character)
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"  # noqa: PLR2004  the last of four hex digits
