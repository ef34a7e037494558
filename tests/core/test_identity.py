"""Who an id is: ids, claims, and the verdicts on them."""

import pytest

from maelstrom.core.catalogue import Catalogue
from maelstrom.core.identity import Claim, identify, read_id, read_stated
from maelstrom.core.limits import Limits
from tests.core.heal_app import VESSELS, request


def verdicts(*claims):
    """Each claim's verdict: the reason, or the variant it is identified with."""
    made = [Claim((), *claim) for claim in claims]
    who = identify(request().instances, made, Catalogue(VESSELS))
    return [
        each if isinstance(each, str) else (each.vessel.id, each.variant)
        for each in who.verdicts
    ]


@pytest.mark.parametrize("value", ["a", " a ", "\u65e5", "a" * 128, "a\u200bb"])
def test_ids(value):
    """Any text with a character to see, up to 128."""
    assert read_id(value, Limits()) == value


@pytest.mark.parametrize(
    "value",
    [
        "",
        " ",
        "\u2003",
        "a" * 129,
        "a\n",
        "a\x85",
        "\x7fa",
        "\ud800",
        5,
        None,
        [],
        True,
    ],
)
def test_what_is_no_id(value):
    """Blank, too long, control characters, lone surrogates, no text."""
    assert read_id(value, Limits()) is None


@pytest.mark.parametrize("value", [None, ""])
def test_empty_and_null_are_not_stated(value):
    """Nothing else is: a blank text or a number states something."""
    assert read_stated(value) is None
    assert read_stated(" ") == " "
    assert read_stated([]) == read_stated(0) == read_stated(False) != ""


def test_a_known_instance_may_be_restated_and_not_changed():
    """Another vessel drops the piece; another variant does not."""
    assert verdicts(
        ("d", None, None),
        ("d", "door", "shut"),
        ("d", "door", "ajar"),
        ("d", "clock", None),
        ("d", "stocks", None),
    ) == [
        ("door", "shut"),
        ("door", "shut"),
        ("door", "shut"),
        "vessel_mismatch",
        "unknown_vessel",
    ]


def test_the_first_resolvable_declaration_fixes_an_identity():
    """Those before fail for their own reason; those after are judged by it."""
    assert verdicts(
        ("x", None, "open"),
        ("x", "stocks", None),
        ("x", "door", "ajar"),
        ("x", "door", "open"),
        ("x", None, None),
        ("x", "door", None),
        ("x", None, "open"),
        ("x", None, "shut"),
        ("x", "clock", None),
        ("x", "clock", "open"),
        ("x", None, "ajar"),
        ("x", "stocks", "open"),
    ) == [
        "unknown_instance",
        "unknown_vessel",
        "unknown_variant",
        ("door", "open"),
        ("door", "open"),
        ("door", "open"),
        ("door", "open"),
        "duplicate_instance_id",
        "duplicate_instance_id",
        "unknown_variant",
        "unknown_variant",
        "unknown_vessel",
    ]
