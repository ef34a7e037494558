"""Which request goes out when: at most one in flight a session.

Theory: a request is a snapshot, and a response the whole result; two snapshots in a
queue would make the first one's new instances vanish. So reasons that arise while an
answer is awaited wait here, and are batched into the next request:

- resizes become one, with the `previous` of the earliest, and none at all where the
  chart is back at that size when the request is made
- mutations become one an instance, the latest
- what goes out at once is bounded by the protocol (64 reasons): the oldest mutations
  go, and intents past the bound wait for the request after

A mutation of an instance that has left the chart meanwhile has nothing to say and goes.
An error frees the slot, and its reasons are not sent again: the user has seen it.
"""

from typing import Final

from attrs import evolve, frozen

from maelstrom.core.chart_state import ChartState, make_request
from maelstrom.core.limits import Limits
from maelstrom.core.request import (
    ChartRequest,
    ChartResize,
    UpdateReason,
    VesselMutation,
)

__all__ = ["InFlight", "Outbox"]

_MOST: Final = Limits().update_reasons


@frozen
class InFlight:
    """The request whose answer is awaited, by the id of its message."""

    request_id: str
    request: ChartRequest


@frozen
class Outbox:
    """Reasons that wait, and the request in flight; each step gives a new outbox.

    >>> from maelstrom.core.request import Dimensions, UserIntent
    >>> chart = ChartState(dimensions=Dimensions(12, 8))
    >>> outbox, request = Outbox().add(UserIntent("hello")).send("m-1", chart)
    >>> request.context.update_reasons
    (UserIntent(intent='hello'),)
    >>> outbox.add(UserIntent("again")).send("m-2", chart)[1] is None
    True
    """

    waiting: tuple[UpdateReason, ...] = ()
    in_flight: InFlight | None = None

    def add(self, reason: UpdateReason) -> "Outbox":
        """Let a reason wait for the next request."""
        return evolve(self, waiting=_bounded(_batched(self.waiting, reason)))

    def send(
        self,
        request_id: str,
        state: ChartState,
        time_zone: str | None = None,
        locale: str | None = None,
    ) -> tuple["Outbox", ChartRequest | None]:
        """The next request, under a fresh id; None while one is in flight or none is due."""
        if self.in_flight is not None:
            return self, None
        due = _due(self.waiting, state)
        now, later = due[:_MOST], due[_MOST:]
        if not now:
            return Outbox(), None
        request = make_request(state, now, time_zone, locale)
        return Outbox(later, InFlight(request_id, request)), request

    def receive(self, request_id: str) -> tuple["Outbox", ChartRequest | None]:
        """The request that a response answers, its slot now free.

        None for a response that is not the awaited one: ignore it.
        """
        if self.in_flight is None or self.in_flight.request_id != request_id:
            return self, None
        return evolve(self, in_flight=None), self.in_flight.request

    def fail(self, request_id: str) -> "Outbox":
        """The awaited request ended in an error: free the slot, send nothing again."""
        return self.receive(request_id)[0]


def _batched(
    waiting: tuple[UpdateReason, ...], reason: UpdateReason
) -> tuple[UpdateReason, ...]:
    if isinstance(reason, ChartResize):
        if any(isinstance(one, ChartResize) for one in waiting):
            return waiting
        return (*waiting, reason)
    if isinstance(reason, VesselMutation):
        others = (one for one in waiting if not _same_instance(one, reason))
        return (*others, reason)
    return (*waiting, reason)


def _same_instance(one: UpdateReason, other: VesselMutation) -> bool:
    return isinstance(one, VesselMutation) and one.instance_id == other.instance_id


def _bounded(waiting: tuple[UpdateReason, ...]) -> tuple[UpdateReason, ...]:
    """As many of the oldest mutations go as the reasons are past the bound."""
    surplus = len(waiting) - _MOST
    kept: list[UpdateReason] = []
    for reason in waiting:
        if surplus > 0 and isinstance(reason, VesselMutation):
            surplus -= 1
            continue
        kept.append(reason)
    return tuple(kept)


def _due(
    waiting: tuple[UpdateReason, ...], state: ChartState
) -> tuple[UpdateReason, ...]:
    """The reasons that still say something about the chart as it is now."""
    here = frozenset(one.instance_id for one in state.instances)
    return tuple(
        reason
        for reason in waiting
        if not (isinstance(reason, VesselMutation) and reason.instance_id not in here)
        and not (
            isinstance(reason, ChartResize) and reason.previous == state.dimensions
        )
    )
