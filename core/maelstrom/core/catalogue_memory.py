"""Catalogues that were found right, known again by their exact text.

Theory: an app sends the same catalogue with every message, and it is the largest part
of one. A JSON array ends where its own brackets say, so a text that goes on with the
whole text of a known array holds that very array, whatever follows: comparing the two
is exact, and takes a thousandth of the time of reading. What is known is what a text
and the `Limits` decide alone: the records, and the variants on offer. Only catalogues
of accepted messages are kept, so the same message is accepted or refused alike, known
or not; and the same records come back, which later look-ups by identity like.

At first sight only the text is noted, and at the second the records are kept. Records
that live on cost more than the time that they could save: memory that is not at hand,
and work for the garbage collector. Whoever sends a new catalogue each time pays nothing.

What is kept is bounded in number and in length, and the one longest unused goes first.
It is tuples that are replaced as a whole, so threads need no lock: at worst one of them
forgets what another has just learnt. No client sees what others have sent, but for the
time it takes.

Warts: parameter schemas inside the records are JSON of others, which nothing mutates;
who did so all the same would change what the next message says.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from attrs import frozen

from maelstrom.core.coherence import Offer
from maelstrom.core.limits import Limits
from maelstrom.core.vessel import Vessel

__all__ = ["MOST_CATALOGUES", "MOST_CHARACTERS", "CatalogueMemory", "KnownCatalogue"]

MOST_CATALOGUES: Final = 16
"""A process serves one app, or a few; a look at each costs a comparison of its start."""

MOST_CHARACTERS: Final = 4_000_000
"""Of all texts together, at most four bytes each; their records take ten times that."""


@frozen(eq=False)
class KnownCatalogue:
    """The text of an array of vessels, and what it says under these limits."""

    text: str
    limits: Limits
    vessels: tuple[Vessel, ...]
    offer: Offer


class CatalogueMemory:
    """The catalogues that were used last, the newest first."""

    __slots__ = ("_known", "_seen")

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._known: tuple[KnownCatalogue, ...] = ()
        self._seen: tuple[str, ...] = ()

    def find(self, text: str, start: int, limits: Limits) -> KnownCatalogue | None:
        """The catalogue whose text stands at ``start``."""
        known = self._known
        for place, each in enumerate(known):
            if text.startswith(each.text, start) and each.limits == limits:
                if place:
                    self._known = (each, *known[:place], *known[place + 1 :])
                return each
        return None

    def keep(self, new: KnownCatalogue) -> None:
        """Note a catalogue, or know it from now on; what has no room is forgotten."""
        if len(new.text) > MOST_CHARACTERS:
            return
        if new.text not in self._seen:
            texts = (new.text, *self._seen)
            self._seen = texts[: _fitting(texts)]
            return
        self._seen = tuple(text for text in self._seen if text != new.text)
        known = (new, *self._known)
        self._known = known[: _fitting([each.text for each in known])]

    def forget(self) -> None:
        """Know nothing again."""
        self._known = ()
        self._seen = ()


def _fitting(texts: Sequence[str]) -> int:
    """How many of them there is room for."""
    ends = accumulate(map(len, texts))
    return min(MOST_CATALOGUES, sum(end <= MOST_CHARACTERS for end in ends))
