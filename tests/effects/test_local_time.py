"""A message's time in words, where its sender is."""

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.effects.local_time import local_time
from tests.core.turn_samples import message


def said(timestamp, zone=None):
    """The local time of a message with this timestamp and zone."""
    asked = message()
    context = evolve(asked.payload.context, time_zone=zone)
    payload = evolve(asked.payload, context=context)
    return local_time(evolve(asked, timestamp=timestamp, payload=payload))


@pytest.mark.parametrize(
    ("timestamp", "zone", "words"),
    [
        (1_767_225_600_000, None, "Thursday, 2026-01-01 00:00 (UTC)"),
        (1_767_225_600_000, "Europe/Oslo", "Thursday, 2026-01-01 01:00 (Europe/Oslo)"),
        (
            1_767_225_599_999,
            "America/New_York",
            "Wednesday, 2025-12-31 18:59 (America/New_York)",
        ),
        (1_767_225_600_000, "Middle/Earth", "Thursday, 2026-01-01 00:00 (UTC)"),
        (-62_135_596_800_000, None, "Monday, 0001-01-01 00:00 (UTC)"),
        (-1, None, "Wednesday, 1969-12-31 23:59 (UTC)"),
    ],
)
def test_the_time_in_words(timestamp, zone, words):
    """The day, the date and the zone; UTC where the zone is absent or unknown."""
    assert said(timestamp, zone) == words


@pytest.mark.parametrize(
    ("timestamp", "zone"),
    [
        (2**53 - 1, None),
        (-(2**53) + 1, None),
        (-62_135_596_800_001, None),
        (-62_135_596_800_000, "America/New_York"),
        (253_402_300_799_000, "Asia/Tokyo"),
    ],
)
def test_no_date(timestamp, zone):
    """Outside the years 1 to 9999 there is nothing to say."""
    assert said(timestamp, zone) is None


@pytest.mark.parametrize(
    "zone",
    [
        "../../etc/passwd",
        "/etc/localtime",
        "Europe",
        "a\x00b",
        "x" * 5_000,
        ".",
        "\ud800",
    ],
)
def test_a_zone_comes_from_outside(zone):
    """A path, a folder, an overlong name: no zone, and no exception."""
    assert said(0, zone) == "Thursday, 1970-01-01 00:00 (UTC)"


@given(st.integers(-(2**53) + 1, 2**53 - 1), st.text(min_size=1, max_size=128))
def test_nothing_is_raised(timestamp, zone):
    """Any timestamp and zone that a message may have."""
    assert said(timestamp, zone) is None or said(timestamp, zone).endswith(")")
