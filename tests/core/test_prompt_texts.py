"""The catalogue's text is kept: the same for equals, found again for the same one."""

import attrs
from hypothesis import given

from maelstrom.core import prompt_catalogue
from maelstrom.core.prompt_catalogue import catalogue_text
from maelstrom.core.vessel import Action, Variant, Vessel
from tests.core.wire_values import vessels


def _catalogue(limit, name="v"):
    params = {"type": "object", "properties": {"a": {"const": limit}}}
    action = Action("a", "Does it", params=params)
    return (Vessel(name, "A vessel", (Variant("a", "All", actions=(action,)),)),)


def _anew(catalogue):
    return tuple(attrs.evolve(vessel) for vessel in catalogue)


@given(vessels(), vessels())
def test_text_is_that_of_the_vessels(some, others):
    """What was written before for others has no say in it."""
    written = [catalogue_text(each) for each in (some, others, some, _anew(others))]

    assert written[0] == written[2]
    assert written[1] == written[3]


def test_true_is_not_one():
    """Catalogues that Python holds equal are told apart by how their schemas read."""
    texts = {catalogue_text(_catalogue(each)) for each in (1, True, 1.0)}

    assert len(texts) == 3


def test_the_last_texts_are_kept():
    """The same vessels, or their equals, are written once, until many others were."""
    catalogue = _catalogue(1)
    text = catalogue_text(catalogue)
    for each in range(15):
        catalogue_text(_catalogue(1, f"v{each}"))
    assert catalogue_text(_anew(catalogue)) is text
    for each in range(16):
        catalogue_text(_catalogue(2, f"v{each}"))

    assert catalogue_text(catalogue) == text
    assert catalogue_text(catalogue) is not text
    assert len(prompt_catalogue._TEXTS._kept) == 16
