"""The app's own vessels, under whatever a model may answer. Run it with pytest."""

from hypothesis import given, settings
from hypothesis import strategies as st

from examples.music_app import VESSELS, registry
from maelstrom.adapters.testing import assert_heal_laws, faulty_candidates, requests


@settings(deadline=None)  # the laws mend each answer many times over
@given(st.data())
def test_any_answer_heals(data: st.DataObject) -> None:
    """Whatever is wrong with an answer, what is left of it is coherent."""
    request = data.draw(requests(registered=VESSELS))
    assert_heal_laws(request, data.draw(faulty_candidates(request)).candidate)


def test_the_vessels_say_what_they_mean() -> None:
    """No advice, and no action that does nothing."""
    assert registry.findings == ()
    assert registry.unhandled() == ()
