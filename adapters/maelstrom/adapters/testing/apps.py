"""Strategies of what an app registers and what a turn is asked with.

Small things meet more often: charts are a few cells wide, vessels have few variants
and actions, ids come from short lists.
"""

from collections.abc import Sequence

from hypothesis import strategies as st

from maelstrom.core.layout import (
    Cell,
    Direction,
    GridLayout,
    Layout,
    LayoutMode,
    Leaf,
    Position,
    Split,
    TilingLayout,
    TilingNode,
)
from maelstrom.core.request import (
    ChartRequest,
    ChartResize,
    Context,
    Dimensions,
    Instance,
    UpdateReason,
    UserIntent,
    VesselMutation,
)
from maelstrom.core.vessel import Action, Size, Variant, Vessel
from maelstrom.effects.config_error import misfit

__all__ = ["SCHEMAS", "requests", "vessels"]

SCHEMAS = (
    None,
    {"type": "object"},
    {
        "type": "object",
        "properties": {"days": {"type": "integer", "minimum": 1, "maximum": 14}},
        "required": ["days"],
        "additionalProperties": False,
    },
)
"""Parameters: none, any, and ``days`` from 1 to 14, which must be given."""

_VESSELS = ("calendar", "weather", "notes")
_VARIANTS = ("compact", "normal", "full")
_ACTIONS = ("show", "expand", "collapse", "refresh")
_INSTANCES = ("calendar-1", "weather-1", "notes-1", "notes-2")
_side = st.integers(1, 3)


@st.composite
def _vessel(draw: st.DrawFn, vessel_id: str) -> Vessel:
    names = draw(st.lists(st.sampled_from(_VARIANTS), min_size=1, unique=True))
    targets = st.none() | st.sampled_from(names)
    variants = tuple(
        Variant(
            name,
            f"The {name} form",
            min_size=draw(st.builds(Size, _side, _side)),
            actions=tuple(
                Action(
                    action,
                    f"Does {action}",
                    to=draw(targets),
                    params=draw(st.sampled_from(SCHEMAS)),
                    idempotent=draw(st.booleans()),
                )
                for action in draw(st.lists(st.sampled_from(_ACTIONS), unique=True))
            ),
        )
        for name in names
    )
    initial = draw(targets)
    return Vessel(vessel_id, f"A {vessel_id}", variants, initial_variant=initial)


@st.composite
def vessels(draw: st.DrawFn) -> tuple[Vessel, ...]:
    """What an app registers: one to three vessels of one to three variants."""
    names = draw(st.lists(st.sampled_from(_VESSELS), min_size=1, unique=True))
    return tuple(draw(_vessel(name)) for name in names)


@st.composite
def requests(
    draw: st.DrawFn,
    mode: LayoutMode | None = None,
    resize_only: bool | None = None,
    registered: Sequence[Vessel] | None = None,
) -> ChartRequest:
    """A valid request, of either mode and of any reasons unless they are given.

    ``registered`` are the vessels of an app of your own; None draws those as well.

    Its grid may overlap and reach beyond the chart, as it does after a resize; some of
    its instances may be parked.

    Raises:
        ConfigError: ``registered`` is no list of vessels, a `Registry` say.
    """
    if registered is not None and not isinstance(registered, Sequence):
        raise misfit("registered", "a list of Vessel, as registry.vessels", registered)
    app = draw(vessels()) if registered is None else tuple(registered)
    instances = tuple(
        draw(_instance(name, app))
        for name in draw(st.lists(st.sampled_from(_INSTANCES), unique=True))
    )
    modes: tuple[LayoutMode, ...] = ("grid", "tiling") if mode is None else (mode,)
    chosen = draw(st.sampled_from(modes))
    chart = Dimensions(draw(st.integers(2, 8)), draw(st.integers(2, 8)))
    placed = (
        draw(st.lists(st.sampled_from(instances), unique=True)) if instances else []
    )
    ids = [instance.instance_id for instance in placed]
    layout: Layout
    layout = draw(_grid(ids)) if chosen == "grid" else draw(_tree(ids))
    reasons = draw(_reasons(instances, resize_only))
    return ChartRequest(Context(reasons, chart, chosen), instances, app, layout)


@st.composite
def _instance(
    draw: st.DrawFn, instance_id: str, registered: tuple[Vessel, ...]
) -> Instance:
    vessel = draw(st.sampled_from(registered))
    variant = draw(st.sampled_from(vessel.variants))
    return Instance(instance_id, vessel.id, variant.id)


@st.composite
def _reasons(
    draw: st.DrawFn, instances: tuple[Instance, ...], resize_only: bool | None
) -> tuple[UpdateReason, ...]:
    resize_only = draw(st.booleans()) if resize_only is None else resize_only
    resize = st.builds(
        ChartResize,
        st.none() | st.builds(Dimensions, st.integers(1, 9), st.integers(1, 9)),
    )
    resizes = draw(st.lists(resize, min_size=1 if resize_only else 0, max_size=2))
    if resize_only:
        return tuple(resizes)
    other: st.SearchStrategy[UpdateReason] = st.just(UserIntent("tidy up"))
    if instances:
        names = st.sampled_from([one.instance_id for one in instances])
        other |= st.builds(VesselMutation, names)
    return (*resizes, draw(other))


@st.composite
def _grid(draw: st.DrawFn, ids: list[str]) -> GridLayout:
    place = st.builds(Cell, st.integers(0, 9), st.integers(0, 9))
    size = st.builds(Size, st.integers(1, 5), st.integers(1, 5))
    return GridLayout(tuple(Position(one, draw(place), draw(size)) for one in ids))


@st.composite
def _tree(draw: st.DrawFn, ids: list[str]) -> TilingLayout:
    """Leaves joined two and three at a time, until one node is left."""
    directions: tuple[Direction, ...] = ("row", "column")
    nodes: list[TilingNode] = [Leaf(f"leaf-{one}", one) for one in ids]
    tops = [node.id for node in nodes]
    while len(tops) > 1:
        count = draw(st.integers(2, min(3, len(tops))))
        name = f"split-{len(nodes)}"
        direction = draw(st.sampled_from(directions))
        weight = draw(st.sampled_from((None, 1, 2.5)))
        nodes.append(Split(name, direction, tuple(tops[:count]), weight=weight))
        tops = [*tops[count:], name]
    return TilingLayout(tops[0] if tops else None, tuple(nodes))
