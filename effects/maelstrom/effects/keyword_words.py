"""Words of a text, in any language's letters, and when two of them are the same.

Theory: a text is folded (compatibility forms, case, accents: "Météo" is "meteo"), then
cut wherever a letter, digit or mark is not followed by another, at a lower-to-upper
step ("showWeek" is two words), and where the script changes within a run, which is how
Japanese shows its words. Two words are the same if they are equal, differ by a plural
ending, or share a long beginning and differ by a short one: languages inflect at the
end. In scripts that put no spaces between words, one that stands within the other
counts.

A text of the app can be megabytes long, one of the user is short: so `Heard` indexes
the user's words, and a word of the app costs a look-up or two.

Wart: no stemming, no dictionary. "mice" is not "mouse".
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from attrs import frozen

__all__ = ["Heard", "Words", "contains", "same_word", "spans", "words"]

Words = tuple[str, ...]

_UNSPACED: Final = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
"""Scripts without spaces between words, by how the names of their letters begin."""

_GLUED: Final = (*_UNSPACED, "HANGUL")
"""And Korean, whose particles are written onto the word before them."""

_ASCII_BREAK: Final = re.compile("[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])")

_SHARED: Final = 5
"""Letters that two inflected forms must share: fewer, and "list" would be "listen"."""

_LONGEST: Final = 8
"""Letters of the longest word looked for within a run of an unspaced script."""

_ENDING: Final = 2
"""Letters in which they may differ after that."""


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    """The first word of a letter's name: LATIN, HAN as CJK, and so on."""
    return unicodedata.name(letter, "").partition(" ")[0]


def _fold(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    letters = (c for c in decomposed if unicodedata.category(c) != "Mn")
    return unicodedata.normalize("NFC", "".join(letters).casefold())


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Where the words stand: half-open ranges of indexes."""
    start: int | None = None
    for index, letter in enumerate(text):
        inside = unicodedata.category(letter)[0] in "LNM"
        if start is not None and (not inside or _steps(text[index - 1], letter)):
            yield start, index
            start = None
        if inside and start is None:
            start = index
    if start is not None:
        yield start, len(text)


def _steps(before: str, letter: str) -> bool:
    """Whether a new word starts between two letters of a run."""
    if unicodedata.category(letter)[0] == "M":
        return False
    if letter.isupper() and before.islower():
        return True
    scripts = _script(before), _script(letter)
    return scripts[0] != scripts[1] and any(one in _UNSPACED for one in scripts)


def spans(text: str) -> tuple[tuple[str, int, int], ...]:
    """Each folded word of a text, with the range that it takes up there.

    >>> spans("Show Météo!")
    (('show', 0, 4), ('meteo', 5, 10))
    """
    found = ((_fold(text[start:end]), start, end) for start, end in _runs(text))
    return tuple(one for one in found if one[0])


@lru_cache(maxsize=4096)
def words(text: str) -> Words:
    """The folded words of a text, in order.

    >>> words("showWeek of calendar-1"), words("天気を見せて")
    (('show', 'week', 'of', 'calendar', '1'), ('天気', 'を', '見', 'せて'))
    """
    if text.isascii():  # the common case, at the speed of a regular expression
        return tuple(word.lower() for word in _ASCII_BREAK.split(text) if word)
    return tuple(word for word, _, _ in spans(text))


def same_word(known: str, spoken: str) -> bool:
    """Whether a spoken word is a form of a known one, both folded.

    >>> same_word("note", "notes"), same_word("погода", "погоду")
    (True, True)
    >>> same_word("list", "listen"), same_word("天气", "显示天气")
    (False, True)
    """
    return known in Heard.of((spoken,))


def contains(vocabulary: Iterable[str], spoken: str) -> bool:
    """Whether a spoken word is a form of one in the vocabulary."""
    heard = Heard.of((spoken,))
    return any(known in heard for known in vocabulary)


@frozen
class Heard:
    """What a text says, indexed so that asking for one known word is cheap.

    >>> heard = Heard.of(words("hide my tasks"))
    >>> "task" in heard, heard.find("task"), "weather" in heard
    (True, 'tasks', False)
    """

    forms: Mapping[str, str]
    """Spoken words with their plural and singular forms: form to word."""
    beginnings: Mapping[str, Words]
    """Spoken words by their first letters."""

    @classmethod
    def of(cls, spoken: Iterable[str]) -> "Heard":
        """Index the folded words of a text."""
        forms: dict[str, str] = {}
        beginnings: dict[str, Words] = {}
        for word in spoken:
            for form in _forms(word):
                forms.setdefault(form, word)
            if len(word) >= _SHARED:
                start = word[:_SHARED]
                beginnings[start] = (*beginnings.get(start, ()), word)
        return cls(MappingProxyType(forms), MappingProxyType(beginnings))

    def __contains__(self, known: str) -> bool:
        return self.find(known) is not None

    def find(self, known: str) -> str | None:
        """The spoken word that is a form of a known one."""
        if known in self.forms:
            return self.forms[known]
        alike = self.beginnings.get(known[:_SHARED], ())
        return next((word for word in alike if _inflects(known, word)), None)


def _forms(word: str) -> Iterator[str]:
    yield word
    if _script(word[0]) in _GLUED:
        for start in range(len(word)):
            for end in range(start + 2, min(start + _LONGEST, len(word)) + 1):
                yield word[start:end]
        return
    if len(word) > 1:
        yield from (word + "s", word + "es")
    for plural in ("s", "es"):
        if word.endswith(plural) and len(word) > len(plural) + 1:
            yield word.removesuffix(plural)


def _inflects(one: str, other: str) -> bool:
    """Whether two words that begin alike differ by a short ending alone."""
    pairs = enumerate(zip(one, other, strict=False))
    shortest = min(len(one), len(other))
    shared = next((i for i, (a, b) in pairs if a != b), shortest)
    return max(len(one), len(other)) - shared <= _ENDING
