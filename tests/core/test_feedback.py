"""What the next attempt is told."""

from hypothesis import given
from hypothesis import strategies as st

from maelstrom.core.feedback import build_feedback, escape
from maelstrom.core.healed import Drop, Skip


def test_at_most_twenty_distinct_faults():
    """The same fault of the same instance is told once."""
    drops = [Drop("position_overlap", (), f"i{index // 2}") for index in range(20)]
    skips = [Skip("action_not_valid", index, "i0", f"a{index}") for index in range(30)]

    told = build_feedback(drops, skips)

    assert [item.instance_id for item in told[:10]] == [
        f"i{index}" for index in range(10)
    ]
    assert [item.action for item in told[10:]] == [f"a{index}" for index in range(10)]
    assert len(build_feedback([Drop("x", (), str(n)) for n in range(30)], skips)) == 20


def test_ids_are_escaped_before_they_are_cut():
    """No escape is cut in two."""
    assert escape("a" * 60 + "<b>") == "a" * 60
    assert escape("<\u202e\U000e0001") == "\\u003c\\u202e\\U000e0001"
    assert escape(None) is None


@given(st.text())
def test_escaped_texts_are_short_and_plain(text):
    """At most 64 printable characters, none of which can close a block."""
    escaped = escape(text)

    assert len(escaped) <= 64
    assert escaped.isprintable()
    assert not set(escaped) & set("<>&")
