"""Small charts, and positions of every kind of fault, for the laws of the grid."""

from hypothesis import strategies as st

from maelstrom.core.layout import Cell, GridLayout, Position
from maelstrom.core.policy import HealPolicy
from maelstrom.core.request import (
    ChartRequest,
    ChartResize,
    Context,
    Dimensions,
    Instance,
    UserIntent,
)
from maelstrom.core.vessel import Size, Variant, Vessel

IDS = ("a", "b", "c", "d", "e", "new-1", "new-2")
HUGE = 2**53 - 1

policies = st.builds(
    HealPolicy,
    overlap=st.sampled_from(("relocate", "drop", "keep")),
    overflow=st.sampled_from(("drop", "relocate")),
    undersize=st.sampled_from(("drop", "grow")),
)
"""Every policy."""

_RESIZE = (ChartResize(),)
_side = st.integers(4, 7) | st.integers(1, 7)
_dimensions = st.builds(Dimensions, columns=_side, rows=_side)
_reasons = st.sampled_from(
    (
        (UserIntent("tidy up"),),
        _RESIZE,
        _RESIZE * 2,
        (UserIntent("tidy up"), ChartResize(Dimensions(5, 5))),
    )
) | st.builds(lambda before: (ChartResize(before),), _dimensions)
_minimum = st.builds(
    Size,
    st.integers(1, 3) | st.sampled_from((7, 8, HUGE)),
    st.integers(1, 3) | st.sampled_from((7, 8, HUGE)),
)
_small = st.builds(Size, st.integers(1, 2), st.integers(1, 2))


def _minima(number):
    """Mostly a small size, so that most pieces may stand."""
    return _minimum if number == 7 else _small


@st.composite
def requests(draw):
    """A grid request on a small chart: its layout may overlap and reach outside."""
    vessels = tuple(
        Vessel(
            name,
            "A vessel",
            tuple(
                Variant(
                    variant,
                    "A variant",
                    min_size=draw(st.integers(0, 7).flatmap(_minima)),
                )
                for variant in ("x", "y")
            ),
        )
        for name in ("v", "w")
    )
    known = draw(st.sampled_from((IDS[:5], IDS[:5], IDS[:4])))
    instances = tuple(
        Instance(name, draw(st.sampled_from("vw")), draw(st.sampled_from("xy")))
        for name in known
    )
    number = st.integers(0, 9) | st.just(HUGE)
    length = st.integers(1, 9) | st.just(HUGE)
    shown = draw(st.lists(st.sampled_from(known), unique=True)) if known else []
    positions = tuple(
        Position(
            name,
            Cell(draw(number), draw(number)),
            Size(draw(length), draw(length)),
        )
        for name in shown
    )
    context = Context(draw(_reasons), draw(_dimensions), "grid")
    return ChartRequest(context, instances, vessels, GridLayout(positions))


_clean = st.integers(0, 4) | st.integers(0, 8)
_odd = st.sampled_from(
    (-1, -0.0, 2.0, "3", "1.0", "-2", "1.5", 0.5, "", None, True, float("nan"))
) | st.sampled_from(
    (HUGE, HUGE + 1, -HUGE, 1e300, float("inf"), "\u00b2", " 1", "1\n", {})
)
_faulty = _clean | _clean | _odd
_length = st.integers(1, 3) | st.integers(1, 4) | st.integers(-1, 9)


@st.composite
def entries(draw):
    """One raw position, mostly sound."""
    faulty = draw(st.integers(1, 8)) == 8
    number, length = (
        (_faulty, _length | _length | _odd) if faulty else (_clean, _length)
    )
    cell = {"row": draw(number), "column": draw(number)}
    size = {"width": draw(length), "height": draw(length)}
    entry = {"instanceId": draw(st.sampled_from(IDS))}
    if faulty:
        entry["vesselId"] = draw(st.sampled_from(("v", "w", "u", "", None, 5)))
        entry["variant"] = draw(st.sampled_from(("x", "y", "z", "", None, 5)))
    elif entry["instanceId"].startswith("new"):
        entry["vesselId"] = draw(st.sampled_from("vw"))
        entry["variant"] = draw(st.sampled_from(("x", "y", "")))
    for part, value in (("position", cell), ("size", size)):
        if faulty and draw(st.booleans()):
            entry.update(value)
        else:
            entry[part] = value
    if faulty and draw(st.booleans()):
        entry.pop(draw(st.sampled_from(sorted(entry))))
    return entry


_junk = st.sampled_from((None, "a", 3, [], {}, {"instanceId": "a", "position": []}))
layouts = st.builds(
    lambda positions: {"type": "grid", "positions": positions},
    st.lists(
        st.integers(0, 15).flatmap(lambda n: _junk if n == 15 else entries()),
        max_size=9,
    ),
)
"""A raw grid layout."""


@st.composite
def variants_after(draw, request, identities):
    """The variant of each identified instance once some plan has run."""
    vessels = {vessel.id: vessel for vessel in request.vessels}
    after = {}
    for verdict in identities:
        if not isinstance(verdict, str) and verdict.instance_id not in after:
            variants = vessels[verdict.vessel.id].variants
            after[verdict.instance_id] = draw(st.sampled_from(variants))
    return after
