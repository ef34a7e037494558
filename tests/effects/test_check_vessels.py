"""What is said about an app's vessels before a model has to live with them."""

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.adapters.demo import VESSELS
from maelstrom.adapters.testing import vessels
from maelstrom.core.request import Dimensions
from maelstrom.core.vessel import Action, Size, Variant, Vessel
from maelstrom.effects.check_vessels import ADVICE, check_vessels

TAKES = {"type": "object", "properties": {"a": {}}, "required": ["a"]}


def _vessel(*variants, vessel_id="it", description="It", initial=None):
    return Vessel(vessel_id, description, variants, initial_variant=initial)


def _acting(*actions):
    return _vessel(Variant("one", "The one", actions=actions))


FATAL = (
    (_acting(Action("go", "Go", to="two")), "actions.0.to", "unknown_reference"),
    (_acting(Action("go", " ")), "actions.0.description", "empty"),
    (
        _acting(
            Action(
                "go",
                "Go",
                params={"type": "object", "properties": {"a": {"pattern": "(?=a)"}}},
            )
        ),
        "actions.0.params",
        "invalid_schema",
    ),
    (_acting(Action("go", "Go"), Action("go", "Went")), "actions.1.id", "duplicate_id"),
)

ADVISED = (
    (
        _vessel(Variant("one", "The one"), Variant("two", "The other")),
        "it.two",
        "unreachable_variant",
    ),
    (
        _acting(Action("go", "Go", params=TAKES, idempotent=True)),
        "it.one.go",
        "idempotent_needs_params",
    ),
    (
        _vessel(Variant("one", "The one", min_size=Size(1, 9))),
        "it.one",
        "min_size_over_chart",
    ),
    (
        _acting(Action("go", "Go there"), Action("walk", " go  There")),
        "it.one.walk",
        "same_description",
    ),
)


@pytest.mark.parametrize(("vessel", "where", "code"), FATAL)
def test_what_the_protocol_refuses_is_fatal(vessel, where, code):
    """The path leads to the field within the vessels."""
    (finding,) = check_vessels([vessel])

    assert finding.fatal
    assert finding.code == code
    assert finding.where == f"vessels.0.variants.0.{where}"


ODD = st.one_of(
    st.none(), st.integers(), st.text(), st.lists(st.integers()), st.builds(object)
)


@given(st.data())
def test_what_is_of_another_class_is_fatal(data):
    """Whatever stands in the place of a definition, and wherever: nothing is raised."""
    action = Action("open", "Open it")
    variant = Variant("list", "A list", actions=(action,))
    vessel = Vessel("notes", "Notes", (variant,))
    odd = data.draw(ODD)
    catalogue = data.draw(
        st.sampled_from(
            [
                [odd],
                [vessel, evolve(vessel, id="other", variants=odd)],
                [evolve(vessel, variants=(variant, odd))],
                [evolve(vessel, variants=(evolve(variant, min_size=odd),))],
                [evolve(vessel, variants=(evolve(variant, actions=odd),))],
                [evolve(vessel, variants=(evolve(variant, actions=(odd,)),))],
                [
                    evolve(
                        vessel,
                        variants=(
                            evolve(variant, actions=(evolve(action, params=odd),)),
                        ),
                    )
                ],
            ]
        )
    )
    found = check_vessels(catalogue)
    innocent = odd is None or odd == []
    assert innocent or (found and all(each.fatal for each in found))


@pytest.mark.parametrize(
    ("vessel", "where", "words"),
    [
        (Variant("a", "b"), "vessels.0", "must be a Vessel, not Variant("),
        (
            Vessel("a", "b", Variant("c", "d")),
            "vessels.0.variants",
            "must be a tuple of Variant, as (Variant(...),), not Variant(",
        ),
        (
            Vessel("a", "b", (Variant("c", "d", min_size=(3, 2)),)),
            "vessels.0.variants.0.minSize",
            "must be a Size, as Size(3, 2), not (3, 2)",
        ),
        (
            Vessel(
                "a",
                "b",
                (Variant("c", "d", actions=(Action("e", "f", params=Size),)),),
            ),
            "vessels.0.variants.0.actions.0.params",
            "must be a JSON Schema, as params_of(YourClass) makes one, or None, not",
        ),
    ],
)
def test_a_wrong_class_is_told_in_python(vessel, where, words):
    """The place on the wire, and the class that Python's reader has to put there."""
    (finding,) = check_vessels([vessel])

    assert (finding.where, finding.code) == (where, "wrong_type")
    assert finding.message.startswith(words)


@pytest.mark.parametrize(("vessel", "where", "code"), ADVISED)
def test_advice_names_what_it_is_about(vessel, where, code):
    """Ids, dotted, and the words of the table."""
    (finding,) = check_vessels([vessel], Dimensions(8, 8))

    assert not finding.fatal
    assert (finding.where, finding.code) == (where, code)
    assert finding.message == ADVICE[code]


def test_the_table_of_advice_is_all_shown_here():
    """Each code of the table has its example above."""
    assert {code for _, _, code in ADVISED} == set(ADVICE)


def test_vessels_of_the_same_description_are_told_apart():
    """The later of two is named."""
    twins = [_vessel(Variant("v", "V"), vessel_id=name) for name in ("a", "b", "c")]

    assert [finding.where for finding in check_vessels(twins)] == ["b", "c"]


@given(vessels())
def test_what_the_protocol_takes_is_never_fatal(drawn):
    """Whatever is legal gets advice at most, each of it under an id of the app."""
    ids = {vessel.id for vessel in drawn}

    for finding in check_vessels(drawn, Dimensions(2, 2)):
        assert not finding.fatal
        assert finding.where.split(".")[0] in ids


def test_the_example_app_has_no_faults_but_parameters():
    """Its idempotent actions with required parameters are for turns with an intent."""
    codes = {finding.code for finding in check_vessels(VESSELS, Dimensions(12, 8))}

    assert codes <= {"idempotent_needs_params"}
