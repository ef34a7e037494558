"""A planner without a model: it matches words, and says so where they match nothing.

It makes the first run possible without a key, and it is what a fallback falls back to
when the provider is down. A resize alone reflows the chart; a mutation leaves it as it
is; an intent's words are matched against what the app registered (`keyword_match`),
and what they ask for is laid out without overlap (`keyword_layout`). Its candidates
heal without drops or skips.
"""

from collections.abc import Iterable
from typing import Final

from returns.result import Result, Success

from maelstrom.core.candidate import Candidate
from maelstrom.core.errors import EngineError
from maelstrom.core.healed import Healed
from maelstrom.core.layout import Layout
from maelstrom.core.limits import Limits
from maelstrom.core.plan_input import PlanInput
from maelstrom.core.prune import placed
from maelstrom.core.reflow import reflow
from maelstrom.core.request import ChartRequest, ChartResize, UserIntent
from maelstrom.core.resize import is_resize_only
from maelstrom.core.response import ActionExecution, MaelstromResponse
from maelstrom.core.wire import candidate_from_json, encode_response
from maelstrom.effects.keyword_draft import Draft
from maelstrom.effects.keyword_layout import arrange
from maelstrom.effects.keyword_match import follow
from maelstrom.effects.ports import Planner, TurnContext

__all__ = ["keyword_candidate", "keyword_planner"]

_DEFAULTS: Final = Limits()
_RATIONALE: Final = "Words matched against ids and descriptions; no model was asked."
_NAMED: Final = 12
"""Vessels that a message lists: more would be no help."""


def keyword_planner() -> Planner:
    """A planner that needs no model and no network."""

    async def plan(
        given: PlanInput,
        context: TurnContext,  # noqa: ARG001  it needs nothing from outside
    ) -> Result[Candidate, EngineError]:
        return Success(keyword_candidate(given.request, given.limits))

    return plan


def keyword_candidate(request: ChartRequest, limits: Limits = _DEFAULTS) -> Candidate:
    """What the words of a request come to; pure.

    Args:
        request: A valid one.
        limits: What the engine's healing will hold the layout to.
    """
    reasons = request.context.update_reasons
    if is_resize_only(request):
        return _candidate(
            "I fitted the chart to its new size.", reflow(request, limits=limits), ()
        )
    if not any(isinstance(one, UserIntent) for one in reasons):
        return _after_mutation(request, limits)
    draft = follow(request)
    healed = arrange(draft, limits)
    return _candidate(_reply(draft, healed), healed.layout, healed.plan)


def _after_mutation(request: ChartRequest, limits: Limits) -> Candidate:
    """The chart as it is; made to fit where its size changed at the same time."""
    resized = any(
        isinstance(one, ChartResize) for one in request.context.update_reasons
    )
    layout = (
        reflow(request, limits=limits)
        if resized
        else arrange(Draft.of(request), limits).layout
    )
    return _candidate("I left the chart as it is.", layout, ())


def _candidate(
    message: str, layout: Layout, plan: tuple[ActionExecution, ...]
) -> Candidate:
    answer = MaelstromResponse("keyword", message, _RATIONALE, plan, layout)
    return candidate_from_json(encode_response(answer))


# ---------------------------------------------------------------- what is said of it


def _reply(draft: Draft, healed: Healed) -> str:
    """What was done and what was not, in words; honest where nothing matched."""
    if not draft.matched:
        known = _listed(vessel.id for vessel in draft.request.vessels[:_NAMED])
        names = f" What I know: {known}." if known else ""
        return (
            "I match words, I do not understand them, and none of these name anything "
            f"here, so I left the chart as it is.{names}"
        )
    were = placed(draft.request.layout)
    before = frozenset(were)
    now = frozenset(placed(healed.layout))
    ran = frozenset((one.instance_id, one.action) for one in healed.plan)
    acted = frozenset(one.instance_id for one in healed.plan)
    lines = (
        ("Now showing", (one for one in draft.shown if one in now - before)),
        ("Taken off the chart:", (one for one in were if one in before - now)),
        ("Ran", (f"{one.action} on {one.instance_id}" for one in healed.plan)),
        ("No room for", (one for one in draft.shown if one not in now)),
        (
            "Could not run",
            (
                f"{one.action} on {one.instance_id}"
                for one in draft.plan
                if (one.instance_id, one.action) not in ran
            ),
        ),
        (
            "Already there:",
            (one for one in draft.wanted if one in before & now - acted),
        ),
    )
    said = [f"{lead} {text}." for lead, items in lines if (text := _listed(items))]
    said += [
        f"To run {action} I need its {name}: put it in quotes."
        for instance_id, action, name in draft.unsaid[:1]
        if instance_id not in acted
    ]
    return " ".join(said) or "There was nothing to change."


def _listed(items: Iterable[str]) -> str:
    """Words in a row: "a", "a and b", "a, b and c"."""
    found = tuple(items)
    return " and ".join(filter(None, (", ".join(found[:-1]), *found[-1:])))
