"""The few words that the keyword planner brings along: what to do with what is named.

Everything else that it understands comes from the app's own ids and descriptions. The
tables are short on purpose, one row a meaning, a handful of languages each; a word that
is missing costs a wish in that language, never a wrong turn. Words stand as
`keyword_words` folds them: lower case, without accents.
"""

# ruff: noqa: RUF001  the letters of other alphabets are meant

from collections.abc import Iterable
from typing import Final

from maelstrom.effects.keyword_words import Words, contains, words

__all__ = [
    "AGAIN",
    "AND",
    "EVERYTHING",
    "EXCEPT",
    "HIDE",
    "NOT",
    "ONLY",
    "SHOW",
    "WITHOUT",
    "is_filler",
    "speaks_of",
]

SHOW: Final = words(
    "show open display add bring see give want need put view "
    "zeig zeige offne montre affiche ouvre muestra mostrar abre "
    "покажи показать открой δειξε ανοιξε 显示 打开 見 表示 開 보여 열어"
)
HIDE: Final = words(
    "hide close remove drop dismiss clear away "
    "verstecke ausblenden schliesse entferne cache masque ferme enleve "
    "oculta ocultar cierra quita скрой скрыть спрячь закрой убери "
    "κρυψε κλεισε 隐藏 关闭 隠 閉 消 숨겨 닫아"
)
WITHOUT: Final = words("without ohne sans sin без χωρις")
ONLY: Final = words(
    "only just solely nur bloss seulement uniquement solo solamente только μονο "
    "只 仅 だけ 만"
)
EVERYTHING: Final = words(
    "everything all alles alle tout toutes todas entero все всё ολα 全部 所有 すべて 모두"
)
EXCEPT: Final = words("except but ausser sauf excepto menos кроме εκτος 除了 以外 제외")
NOT: Final = words("not no don dont never nicht kein keine pas не δεν μην 不 別 别 않")
AGAIN: Final = words("another second extra noch weitere autre otra otro еще ещё αλλο")
AND: Final = words("and then plus und dann et puis y luego и потом και 和 と")

_FILLERS: Final = frozenset(
    words(
        "the a an of in on at to for from with by or is are be been do does my your our "
        "his her me i you we it its this that these those there here what which how "
        "please can could would should will let go make get set change turn switch user "
        "next one as into up out off "
        "der die das den dem ein eine mein meine mir bitte ich und von mit fur im am "
        "le la les un une des du de mon ma mes moi je el los las mi mis por favor "
        "мне мой мою мои пожалуйста в на с για το τη την τα μου を に は が の て"
    )
)


def is_filler(word: str) -> bool:
    """Whether a word names nothing: a particle, or a verb that fits everything."""
    latin_letter = len(word) == 1 and word.isascii() and word.isalpha()
    return latin_letter or word in _FILLERS or word in SHOW


def speaks_of(meaning: Words, spoken: Iterable[str]) -> bool:
    """Whether one of the words spoken has that meaning.

    >>> speaks_of(HIDE, words("Closing? No: close it"))
    True
    """
    return any(_means(meaning, word) for word in spoken)


def _means(meaning: Words, word: str) -> bool:
    return word in meaning or (not word.isascii() and contains(meaning, word))
