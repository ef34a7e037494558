"""An intent cut into clauses, each of which says one thing about what it names.

Theory: a clause ends at punctuation and at an "and". Quoted text is data: no word in it
is matched. A clause that says neither show nor hide means what the one before it meant
("hide the weather and the notes").
"""

# ruff: noqa: RUF001  the punctuation of other scripts is meant

import re
from collections.abc import Iterable
from typing import Final

from attrs import frozen

from maelstrom.effects.keyword_verbs import (
    AGAIN,
    AND,
    EVERYTHING,
    EXCEPT,
    HIDE,
    NOT,
    ONLY,
    SHOW,
    WITHOUT,
    speaks_of,
)
from maelstrom.effects.keyword_words import Words, spans

__all__ = ["Clause", "clauses"]

_QUOTED: Final = re.compile(
    '"([^"]+)"|“([^”“]+)”|„([^“”„]+)[“”]|«([^»]+)»|「([^」]+)」|『([^』]+)』'
    r"|(?<!\w)'([^']+)'(?!\w)|‘([^’]+)’(?!\w)"
)
_BREAKS: Final = re.compile(r"[、。，；：！？\n]|[,;:.!?]+(?=\s|$)")

_HAN_AND: Final = re.compile("(?<=[\u4e00-\u9fff])[和与及](?=[\u4e00-\u9fff])")
"""An "and" within a run of Chinese, which puts no spaces around it."""


@frozen
class Clause:
    """What one clause says.

    ``verb`` is what is to be done with what it names; ``everything`` where that is all
    there is, ``excepted`` the words after an "except". ``words`` are with their ranges
    in ``text``, ``quoted`` the quoted texts, ``rest`` what follows a colon.
    """

    text: str
    words: tuple[tuple[str, int, int], ...]
    verb: str
    quoted: tuple[str, ...] = ()
    rest: str = ""
    everything: bool = False
    excepted: Words = ()
    another: bool = False

    @property
    def spoken(self) -> Words:
        """The words alone."""
        return tuple(word for word, _, _ in self.words)


def clauses(intent: str) -> tuple[Clause, ...]:
    """The clauses of an intent, in order.

    >>> [(c.verb, c.spoken) for c in clauses("Hide the weather and notes, show tasks")]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('hide', ('hide', 'the', 'weather')), ('hide', ('notes',)),
     ('show', ('show', 'tasks'))]
    """
    found: list[Clause] = []
    verb = "show"
    for start, end in _ranges(_without_quotes(intent)):
        clause = _clause(intent, start, end, verb)
        if clause.words or clause.quoted:
            found.append(clause)
            verb = clause.verb
    return tuple(found)


def _without_quotes(text: str) -> str:
    """The text with each quotation blanked, so that all stays where it was."""
    return _QUOTED.sub(lambda match: " " * len(match.group()), text)


def _ranges(text: str) -> Iterable[tuple[int, int]]:
    start = 0
    breaks = (*_BREAKS.finditer(text), *_HAN_AND.finditer(text))
    cuts = [match.span() for match in breaks]
    cuts += [(at, end) for word, at, end in spans(text) if word in AND]
    cuts += [(at, at) for word, at, _ in spans(text) if word in WITHOUT]
    for at, end in sorted(cuts):
        yield start, at
        start = max(start, end)
    yield start, len(text)


def _clause(intent: str, start: int, end: int, before: str) -> Clause:
    text = intent[start:end]
    found = spans(_without_quotes(intent)[start:end])
    spoken = tuple(word for word, _, _ in found)
    after = _exception(spoken)
    quotes = (
        next(group for group in match.groups() if group)
        for match in _QUOTED.finditer(intent)
        if start <= match.start() < end
    )
    colon = intent[end : end + 1] in {":", "："}
    return Clause(
        text,
        found[:after],
        _verb(spoken, before),
        quoted=tuple(quotes),
        rest=intent[end + 1 :].strip() if colon else "",
        everything=speaks_of(EVERYTHING, spoken[:after]),
        excepted=spoken[after + 1 :],
        another=speaks_of(AGAIN, spoken),
    )


def _exception(spoken: Words) -> int:
    """Where an exception from everything begins; the clause's length without one."""
    found = (i for i, word in enumerate(spoken) if word in EXCEPT)
    at = next(found, len(spoken))
    return at if speaks_of(EVERYTHING, spoken[:at]) else len(spoken)


def _verb(spoken: Words, before: str) -> str:
    """Show, hide or only; a "not" turns the first two around."""
    if speaks_of(ONLY, spoken):
        return "only"
    hides = speaks_of((*HIDE, *WITHOUT), spoken)
    if speaks_of(NOT, spoken):
        return "show" if hides else "hide"
    if hides:
        return "hide"
    if speaks_of(SHOW, spoken):
        return "show"
    return before
