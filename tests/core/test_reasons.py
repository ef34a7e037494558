"""The tables of reasons are what healing gives."""

from maelstrom.core import reasons


def test_a_reason_stands_once_in_its_table():
    """Names are unique, and every reason has its meaning in words."""
    for table in (reasons.DROPS, reasons.SKIPS, reasons.REPAIRS, reasons.WARNINGS):
        names = [row.name for row in table]
        assert len(set(names)) == len(names)
        assert all(row.meaning for row in table)


def test_fixable_skips_are_those_of_the_protocol():
    """A model told of one of these could avoid it."""
    assert {name for name, fixable in reasons.FIXABLE.items() if fixable} == {
        "malformed_action",
        "unknown_vessel",
        "unknown_variant",
        "unknown_instance",
        "action_not_valid",
        "params_parse_failed",
        "instance_not_placed",
    }
