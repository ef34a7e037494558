"""What the engine is asked: the state of the chart, and the reason for asking."""

from typing import TypeAlias

from attrs import field, frozen

from maelstrom.core.layout import Layout, LayoutMode
from maelstrom.core.vessel import Vessel

__all__ = [
    "ChartRequest",
    "ChartResize",
    "Context",
    "Dimensions",
    "Instance",
    "UpdateReason",
    "UserIntent",
    "VesselMutation",
]


@frozen
class Dimensions:
    """The chart's size in whole cells."""

    columns: int
    rows: int


@frozen
class UserIntent:
    """The user said what they want."""

    intent: str


@frozen
class ChartResize:
    """The chart changed its size; ``previous`` is the size it had before."""

    previous: Dimensions | None = None


@frozen
class VesselMutation:
    """The app or the user changed what an instance shows."""

    instance_id: str
    description: str | None = None


UpdateReason: TypeAlias = UserIntent | ChartResize | VesselMutation


@frozen
class Context:
    """Why this turn is happening, and on what chart.

    ``time_zone`` is an IANA name and ``locale`` a BCP 47 tag: "next week" needs a date
    and a language.
    """

    update_reasons: tuple[UpdateReason, ...]
    chart_dimensions: Dimensions
    layout_mode: LayoutMode
    time_zone: str | None = field(default=None, kw_only=True)
    locale: str | None = field(default=None, kw_only=True)


@frozen
class Instance:
    """A vessel on the chart, in its current variant.

    One that the layout does not place is parked: known, and not shown.
    """

    instance_id: str
    vessel_id: str
    variant: str


@frozen
class ChartRequest:
    """A flat snapshot of what is true right now, plus why we are asking.

    ``vessels`` are all that the app registered, visible or not.
    """

    context: Context
    instances: tuple[Instance, ...]
    vessels: tuple[Vessel, ...]
    layout: Layout
