"""Answers as text, for the tests of reading them."""

import json

from hypothesis import strategies as st

from maelstrom.core.answer import decode_candidate

ANSWER = {
    "rationale": "Asked for.",
    "executionPlan": [{"instanceId": "a", "action": "go", "paramsJson": ""}],
    "layout": {"type": "grid", "positions": []},
    "userMessage": "Done.",
}
TEXT = json.dumps(ANSWER)

texts = st.text(max_size=20)
pieces = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3)
    ),
    max_leaves=8,
)
"""Any JSON, NaN and infinities too: what a model may put in a list of pieces."""


@st.composite
def answers(draw, mode="grid"):
    """Answers of the right shape, whose pieces are anything."""
    items = "positions" if mode == "grid" else "nodes"
    return {
        "rationale": draw(texts),
        "executionPlan": draw(st.lists(pieces, max_size=3)),
        "layout": {
            "type": mode,
            "root": "a",
            items: draw(st.lists(pieces, max_size=3)),
        },
        "userMessage": draw(texts.filter(str.strip)),
    }


def repairs_of(text, **options):
    """The names of the repairs that reading a text takes, in order."""
    read = decode_candidate(text, "grid", **options).unwrap()
    return [repair.reason for repair in read.repairs]


def kind_of(text, mode="grid", **options):
    """The kind of the error that reading a text ends in."""
    return decode_candidate(text, mode, **options).failure().kind
