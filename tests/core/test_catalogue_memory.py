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


def _keep(memory, *texts):
    for text in texts:
        for _ in range(2):
            memory.keep(_known(text))


def test_a_catalogue_is_kept_at_its_second_sight():
    """One that comes once is noted by its text alone, and forgotten in time."""
    memory = CatalogueMemory()
    memory.keep(_known("[0]"))
    assert memory.find("[0]", 0, _LIMITS) is None
    for each in range(1, MOST_CATALOGUES + 1):
        memory.keep(_known(f"[{each}]"))
    memory.keep(_known("[0]"))
    assert memory.find("[0]", 0, _LIMITS) is None
    memory.keep(_known("[0]"))

    assert memory.find("[0]", 0, _LIMITS) is not None
    memory.forget()
    assert memory.find("[0]", 0, _LIMITS) is None


def test_a_catalogue_is_found_where_it_stands():
    """By its text at a place, and by its limits."""
    memory = CatalogueMemory()
    kept = _known("[1]")
    memory.keep(kept)
    memory.keep(kept)

    assert memory.find("a[1]b", 1, Limits()) is kept
    assert memory.find("a[1]b", 0, Limits()) is None
    assert memory.find("a[1", 1, Limits()) is None
    assert memory.find("[1]", 0, Limits(vessels=1)) is None


def test_the_number_is_bounded():
    """The newest and those used since are kept."""
    memory = CatalogueMemory()
    _keep(memory, *(f"[{each}]" for each in range(MOST_CATALOGUES)))
    assert memory.find("[0]", 0, _LIMITS) is not None
    _keep(memory, "[99]")

    assert memory.find("[0]", 0, _LIMITS) is not None
    assert memory.find("[1]", 0, _LIMITS) is None


def test_the_length_is_bounded():
    """Long texts push out others; one that is too long is not kept."""
    memory = CatalogueMemory()
    half = MOST_CHARACTERS // 2
    _keep(memory, *(each * half for each in "abc"), "d" * (MOST_CHARACTERS + 1))

    assert memory.find("a" * half, 0, _LIMITS) is None
    assert memory.find("d" * (MOST_CHARACTERS + 1), 0, _LIMITS) is None
    assert memory.find("c" * half, 0, _LIMITS) is not None
