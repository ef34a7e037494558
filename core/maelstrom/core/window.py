"""The turns of a session that reach the prompt.

Theory of operation: providers cache a prompt by its prefix, so the oldest turn of the
window must stay the same from turn to turn. A window that slid by one each time would
change its first byte each time. So turns leave in whole blocks of five: the blocks are
counted by ``seq`` from the session's first turn (1 to 5, 6 to 10, ...), and the oldest
blocks go until both bounds hold. Between two trims the window only grows at its end.

To keep that steady, `reach` asks the store for a little more than the window holds:
with the newest ten alone, nothing would tell where a block begins.
"""

from typing import Final

from maelstrom.core.history import Turn
from maelstrom.core.prompt_sections import past_answer, past_turn

__all__ = ["reach", "window"]

_BLOCK: Final = 5
"""Turns that go at once: the prefix then stays the same for as many turns."""


def reach(most: int) -> int:
    """How many turns to load for a window of ``most`` turns.

    >>> reach(10), reach(3), reach(0)
    (14, 5, 1)
    """
    return max(1, most + _block(most) - 1)


def window(turns: tuple[Turn, ...], most: int, chars: int) -> tuple[Turn, ...]:
    """The newest of ``turns`` (oldest first), whole blocks only.

    Args:
        turns: What the store holds, oldest first.
        most: How many turns the window may hold.
        chars: How many characters they may take in the prompt, all together.
    """
    block = _block(most)
    sizes = tuple(_size(turn) for turn in turns)
    start, count, total = 0, len(turns), sum(sizes)
    while start < count and (count - start > most or total > chars):
        end = start + block - (turns[start].seq - 1) % block
        total -= sum(sizes[start:end])
        start = end
    return turns[start:]


def _block(most: int) -> int:
    return max(1, min(_BLOCK, most))


def _size(turn: Turn) -> int:
    """Characters of the turn in the prompt, as its two messages."""
    return len(past_turn(turn)) + len(past_answer(turn))
