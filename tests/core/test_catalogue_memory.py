"""What is known of catalogues is bounded, and the one longest unused goes first."""

from maelstrom.core.catalogue_memory import (
    MOST_CATALOGUES,
    MOST_CHARACTERS,
    CatalogueMemory,
    KnownCatalogue,
)
from maelstrom.core.limits import Limits

_LIMITS = Limits()


def _known(text, limits=_LIMITS):
    return KnownCatalogue(text, limits, (), frozenset())


def test_a_catalogue_is_found_where_it_stands():
    """By its text at a place, and by its limits."""
    memory = CatalogueMemory()
    kept = _known("[1]")
    memory.keep(kept)

    assert memory.find("a[1]b", 1, Limits()) is kept
    assert memory.find("a[1]b", 0, Limits()) is None
    assert memory.find("a[1", 1, Limits()) is None
    assert memory.find("[1]", 0, Limits(vessels=1)) is None


def test_the_number_is_bounded():
    """The newest and those used since are kept."""
    memory = CatalogueMemory()
    for each in range(MOST_CATALOGUES):
        memory.keep(_known(f"[{each}]"))
    assert memory.find("[0]", 0, _LIMITS) is not None
    memory.keep(_known("[99]"))

    assert memory.find("[0]", 0, _LIMITS) is not None
    assert memory.find("[1]", 0, _LIMITS) is None


def test_the_length_is_bounded():
    """Long texts push out others; one that is too long is not kept."""
    memory = CatalogueMemory()
    half = MOST_CHARACTERS // 2
    for each in "abc":
        memory.keep(_known(each * half))
    memory.keep(_known("d" * (MOST_CHARACTERS + 1)))

    assert memory.find("a" * half, 0, _LIMITS) is None
    assert memory.find("d" * (MOST_CHARACTERS + 1), 0, _LIMITS) is None
    assert memory.find("c" * half, 0, _LIMITS) is not None
