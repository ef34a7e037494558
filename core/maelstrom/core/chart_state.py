"""What a client holds of its chart, and the request that it makes of it.

A `ChartState` is a value: each change gives a new one. Its layout carries no
declarations (vessel and variant of a piece): who an instance is stands in
``instances`` alone. An instance that the layout does not place is parked.
"""

from collections.abc import Iterable

from attrs import Factory, evolve, field, frozen

from maelstrom.core.history import Turn
from maelstrom.core.layout import GridLayout, Layout, LayoutMode, TilingLayout
from maelstrom.core.prune import bare, prune
from maelstrom.core.request import (
    ChartRequest,
    Context,
    Dimensions,
    Instance,
    UpdateReason,
)
from maelstrom.core.vessel import Variant, Vessel

__all__ = ["ChartState", "make_request", "state_from", "variant_of"]


def _nothing(state: "ChartState") -> Layout:
    """The empty layout of a chart's mode."""
    return GridLayout() if state.mode == "grid" else TilingLayout()


@frozen(kw_only=True)
class ChartState:
    """A chart: its size in whole cells, its mode, and what is on it.

    >>> ChartState(dimensions=Dimensions(12, 8)).layout
    GridLayout(positions=())
    """

    dimensions: Dimensions
    mode: LayoutMode = "grid"
    vessels: tuple[Vessel, ...] = ()
    instances: tuple[Instance, ...] = ()
    layout: Layout = field(default=Factory(_nothing, takes_self=True))

    def in_mode(self, mode: LayoutMode) -> "ChartState":
        """The chart in a layout mode: a switch starts empty, with everything parked."""
        if mode == self.mode:
            return self
        moved = evolve(self, mode=mode)
        return evolve(moved, layout=_nothing(moved))

    def resized(self, dimensions: Dimensions) -> "ChartState":
        """The chart at another size; nothing on it moves before the engine says so."""
        return evolve(self, dimensions=dimensions)

    def without(self, instance_id: str) -> "ChartState":
        """The chart once the app has removed an instance."""
        left = tuple(one for one in self.instances if one.instance_id != instance_id)
        keep = frozenset(one.instance_id for one in left)
        return evolve(self, instances=left, layout=prune(self.layout, keep))


def make_request(
    state: ChartState,
    reasons: Iterable[UpdateReason],
    time_zone: str | None = None,
    locale: str | None = None,
) -> ChartRequest:
    """The snapshot of a chart, and why the engine is asked.

    Args:
        state: The chart as it is now.
        reasons: One or more; a mutation names an instance of the state.
        time_zone: An IANA name: "next week" needs a date.
        locale: A BCP 47 tag.
    """
    context = Context(
        tuple(reasons),
        state.dimensions,
        state.mode,
        time_zone=time_zone,
        locale=locale,
    )
    return ChartRequest(context, state.instances, state.vessels, state.layout)


def state_from(turn: Turn, vessels: Iterable[Vessel]) -> ChartState:
    """The chart as the newest recorded turn left it.

    The app may have changed since: an instance whose vessel is no longer registered is
    gone, and one whose variant is no longer the vessel's starts in the initial one.
    """
    catalogue = tuple(vessels)
    by_id = {vessel.id: vessel for vessel in catalogue}
    instances = tuple(
        _readmitted(one, by_id[one.vessel_id])
        for one in turn.after.instances
        if one.vessel_id in by_id
    )
    keep = frozenset(one.instance_id for one in instances)
    return ChartState(
        dimensions=turn.after.dimensions,
        mode=turn.after.layout_mode,
        vessels=catalogue,
        instances=instances,
        layout=prune(bare(turn.layout), keep),
    )


def variant_of(vessel: Vessel, variant: str) -> Variant | None:
    """A vessel's variant by its id."""
    return next((one for one in vessel.variants if one.id == variant), None)


def _readmitted(instance: Instance, vessel: Vessel) -> Instance:
    if variant_of(vessel, instance.variant):
        return instance
    return evolve(instance, variant=vessel.initial)
