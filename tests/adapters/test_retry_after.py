"""Every form of "come back later" that a provider uses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.adapters.retry_after import LONGEST_MS, retry_after_ms

INFO = "type.googleapis.com/google.rpc.RetryInfo"


def info(delay):
    """An error body of Google's with this delay."""
    return {"details": [{"@type": "other"}, {"@type": INFO, "retryDelay": delay}]}


@pytest.mark.parametrize(
    ("headers", "fault", "expected"),
    [
        ({"retry-after": "0"}, None, 0),
        ({"retry-after": " 2 "}, None, 2_000),
        ({"retry-after": "0.3"}, None, 300),
        ({"retry-after-ms": "1500.4"}, None, 1_500),
        ({"retry-after-ms": "soon", "retry-after": "1"}, None, 1_000),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:00 GMT"}, None, 20_000),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:01 GMT"}, None, 0),
        (
            {
                "retry-after": "Wed, 02 Dec 2026 10:00:05 GMT",
                "date": "Wed, 02 Dec 2026 10:00:00 GMT",
            },
            None,
            5_000,
        ),
        ({}, info("13.5s"), 13_500),
        ({}, info({"seconds": 2, "nanos": 500_000_000}), 2_500),
        ({}, info({"seconds": "2"}), 2_000),
        ({"retry-after": "1"}, info("13s"), 1_000),
        ({"retry-after": "99999999999"}, None, LONGEST_MS),
        ({"retry-after": "-5"}, None, None),
        ({"retry-after": "inf"}, None, None),
        ({"retry-after": "nan"}, None, None),
        ({"retry-after": "1_0"}, None, None),
        ({"retry-after": "later"}, None, None),
        ({}, info("13"), None),
        ({}, info(13), None),
        ({}, {"details": "none"}, None),
        ({}, None, None),
    ],
)
def test_forms(headers, fault, expected):
    """Seconds, fractions, milliseconds, dates and bodies; what is none is no hint."""
    assert retry_after_ms(headers, fault, now=40.0) == expected


@given(
    st.dictionaries(
        st.sampled_from(["retry-after", "retry-after-ms", "date"]), st.text()
    ),
    st.recursive(
        st.none() | st.text() | st.integers() | st.just(INFO),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["details", "@type", "retryDelay", "seconds"]), inner
            )
        ),
    ),
)
def test_whatever_comes_makes_a_hint_or_none(headers, fault):
    """No header and no body raises; a hint is a bounded count of milliseconds."""
    hint = retry_after_ms(headers, fault)

    assert hint is None or (type(hint) is int and 0 <= hint <= LONGEST_MS)
