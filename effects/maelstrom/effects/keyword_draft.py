"""A turn under construction: what a keyword plan has settled so far."""

from collections.abc import Iterable
from typing import Final

from attrs import evolve, frozen

from maelstrom.core.prune import placed
from maelstrom.core.request import ChartRequest, Instance
from maelstrom.core.response import ActionExecution
from maelstrom.core.vessel import Action, Vessel

__all__ = ["Draft"]

_STEM: Final = 100
"""Letters of a vessel's id that a fresh id keeps: well under the wire's 128."""


@frozen(kw_only=True)
class Draft:
    """The chart as it shall be.

    ``instances`` are in their variant after ``plan``, ``declared`` the fresh ones as
    they appear, ``shown`` the ids on the chart, ``wanted`` those that the user named.
    ``unsaid`` are (instance, action, parameter) that the intent did not give.
    """

    request: ChartRequest
    instances: tuple[Instance, ...]
    shown: tuple[str, ...]
    declared: tuple[Instance, ...] = ()
    wanted: tuple[str, ...] = ()
    plan: tuple[ActionExecution, ...] = ()
    unsaid: tuple[tuple[str, str, str], ...] = ()
    matched: bool = False

    @classmethod
    def of(cls, request: ChartRequest) -> "Draft":
        """The chart as it is."""
        return cls(
            request=request,
            instances=request.instances,
            shown=placed(request.layout),
        )

    def of_vessel(self, vessel_id: str) -> tuple[Instance, ...]:
        """A vessel's instances, those on the chart first."""
        found = (one for one in self.instances if one.vessel_id == vessel_id)
        return tuple(sorted(found, key=lambda one: one.instance_id not in self.shown))

    def summon(self, vessel: Vessel, variant: str) -> tuple["Draft", Instance]:
        """A new instance of a vessel, on the chart."""
        taken = frozenset(one.instance_id for one in self.instances)
        numbers = range(1, len(taken) + 2)
        ids = (f"{vessel.id[:_STEM]}-{number}" for number in numbers)
        fresh = next(one for one in ids if one not in taken)
        instance = Instance(fresh, vessel.id, variant)
        draft = evolve(
            self,
            instances=(*self.instances, instance),
            declared=(*self.declared, instance),
        )
        return draft.show(fresh), instance

    def show(self, instance_id: str) -> "Draft":
        """An instance the user named, on the chart."""
        shown = self.shown
        wanted = self.wanted
        return evolve(
            self,
            shown=shown if instance_id in shown else (*shown, instance_id),
            wanted=wanted if instance_id in wanted else (*wanted, instance_id),
            matched=True,
        )

    def keep(self, instance_ids: Iterable[str]) -> "Draft":
        """The chart with these alone."""
        keep = frozenset(instance_ids)
        shown = tuple(one for one in self.shown if one in keep)
        wanted = tuple(one for one in self.wanted if one in keep)
        return evolve(self, shown=shown, wanted=wanted, matched=True)

    def hide(self, instance_ids: Iterable[str]) -> "Draft":
        """The chart without these."""
        gone = frozenset(instance_ids)
        return self.keep(one for one in self.shown if one not in gone)

    def act(self, instance: Instance, action: Action, params: object) -> "Draft":
        """An action added to the plan; its instance moves on."""
        moved = evolve(instance, variant=action.to or instance.variant)
        instances = (
            moved if one.instance_id == instance.instance_id else one
            for one in self.instances
        )
        entry = ActionExecution(instance.instance_id, action.id, params)
        return evolve(self, instances=tuple(instances), plan=(*self.plan, entry))
