"""Texts of records: those of their encoded values, whatever the records hold."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.core.json_writer import canonical_text, compact_text
from maelstrom.core.request import ChartResize, Dimensions
from maelstrom.core.vessel import Size
from maelstrom.core.wire_encode import encode
from maelstrom.core.wire_fields import MESSAGE, OUTPUT, TURN, VESSELS
from maelstrom.core.wire_kinds import Field, Integer, Shape
from maelstrom.core.wire_write import write_canonical, write_compact
from tests.core.wire_values import messages, outputs, turns, vessels, wrong_values

WAYS = [(write_compact, compact_text), (write_canonical, canonical_text)]
KINDS = [
    (MESSAGE, messages()),
    (OUTPUT, outputs),
    (TURN, turns()),
    (VESSELS, vessels()),
]


SIZE = Shape(
    Size,
    (
        Field("width", "width", Integer(1, 9)),
        Field("height", "height", Integer(1, 9)),
    ),
)


class Name(str):
    """A text that is not quite one."""

    __slots__ = ()


odd_values = (
    wrong_values
    | st.sampled_from([Name("a"), "é\ud800", "日", (Size(1, True),), [Size(1, 2)]])
    | st.sampled_from([Size(1, 2.0), Size(1, 1), ChartResize(Dimensions(1, True))])
)


def outcome(make, *given):
    """The text, or the kind of what is raised."""
    try:
        return make(*given)
    except (TypeError, ValueError) as error:
        return type(error)


@st.composite
def spoiled(draw, value):
    """The value with something else in one field of one record inside it."""
    if isinstance(value, tuple) and value:
        at = draw(st.integers(0, len(value) - 1))
        return (*value[:at], draw(spoiled(value[at])), *value[at + 1 :])
    if not attrs.has(type(value)):
        return draw(odd_values)
    names = [each.name for each in attrs.fields(type(value)) if each.init]
    name = draw(st.sampled_from(names))
    inner = draw(st.one_of(odd_values, spoiled(getattr(value, name))))
    return attrs.evolve(value, **{name: inner})


@given(st.data())
def test_a_text_is_the_encoded_values(data):
    """Of right records, in both forms."""
    for kind, right in KINDS:
        record = data.draw(right)
        for write, text in WAYS:
            assert write(kind, record) == text(encode(kind, record))


@given(st.data())
def test_so_is_an_odd_records(data):
    """Where one that was made by hand holds what it should not."""
    for kind, right in KINDS:
        record = data.draw(right.flatmap(spoiled))
        for write, text in WAYS:
            expected = outcome(lambda text=text: text(encode(kind, record)))  # noqa: B023
            assert outcome(write, kind, record) == expected


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (Size(2, 1), '{"width":2,"height":1}'),
        (Size(2, True), '{"width":2,"height":true}'),
        (Size(2, "\ud800"), '{"width":2,"height":"\\ud800"}'),
    ],
)
def test_examples(size, text):
    """An odd value stands in the text as it is, for a reader to find it there."""
    assert write_compact(SIZE, size) == text
