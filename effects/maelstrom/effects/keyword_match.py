"""What an intent's words name, and what shall be done with it. Pure.

Theory: a clause names vessels by the first of three tiers that gives any: the ids of
vessels and instances (all that are named), the ids of variants and actions (the best
one), descriptions (the best one). What it shows it may also move: an action valid in
the current variant is picked if the clause names it by its id, by the variant that it
leads to, or by a word of its description that the vessel's own name does not explain.
One with parameters must be named by its id or by a value, and its required parameters
must be found in the clause. Hiding runs an action only if its whole id is spoken
("close the editor"); else the instance leaves the chart.

Wart: words are all there is. "Not the calendar, the weather" is understood; irony is not.
"""

from collections.abc import Iterable
from typing import Final

from attrs import evolve, frozen

from maelstrom.core.chart_state import variant_of
from maelstrom.core.request import ChartRequest, Instance, UserIntent
from maelstrom.core.vessel import Action, Vessel
from maelstrom.effects.keyword_clauses import Clause, clauses
from maelstrom.effects.keyword_draft import Draft
from maelstrom.effects.keyword_params import Filled, fill, names_value
from maelstrom.effects.keyword_verbs import is_filler
from maelstrom.effects.keyword_words import Heard, words

__all__ = ["follow"]

_MOST_CLAUSES: Final = 64
"""Clauses that are heard of one intent: past it nobody types wishes any more."""


def follow(request: ChartRequest) -> Draft:
    """The chart as the intents of a request want it."""
    draft = Draft.of(request)
    for reason in request.context.update_reasons:
        if isinstance(reason, UserIntent):
            draft = _follow_intent(draft, clauses(reason.intent)[:_MOST_CLAUSES])
    return draft


def _follow_intent(draft: Draft, said: tuple[Clause, ...]) -> Draft:
    before = draft.wanted
    draft = evolve(draft, wanted=())
    rest_taken = False
    for clause in said:
        if not rest_taken:
            draft, rest_taken = _follow_clause(draft, clause)
    if draft.wanted and any(clause.verb == "only" for clause in said):
        draft = draft.keep(draft.wanted)
    return evolve(draft, wanted=(*before, *draft.wanted))


def _follow_clause(draft: Draft, clause: Clause) -> tuple[Draft, bool]:
    """The draft after a clause, and whether it took what follows its colon."""
    heard = Heard.of(_telling(clause.spoken))
    named = _named(draft, heard)
    if clause.everything and not named.by_id:
        return _everything(draft, clause), False
    if clause.verb == "hide":
        return _hide(draft, clause, heard, named), False
    end = len(clause.text)
    rest_taken = False
    for vessel in named.vessels:
        if _first_mention(clause, vessel) > end:
            continue
        draft, filled, used = _show(draft, clause, heard, vessel)
        rest_taken = rest_taken or filled.source == "rest"
        end = used if filled.source == "left" else end
    return draft, rest_taken


def _telling(spoken: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in spoken if not is_filler(word))


@frozen
class _Named:
    """The vessels that a clause names, in the order that it names them."""

    vessels: tuple[Vessel, ...] = ()
    by_id: bool = False
    by_variant: bool = False


def _named(draft: Draft, heard: Heard) -> _Named:
    vessels = draft.request.vessels
    by_id = tuple(one for one in vessels if _hits(_id_words(draft, one), heard))
    if by_id:
        return _Named(by_id, by_id=True)
    best = _best(draft, {one.id: _hits(_part_words(one), heard) for one in vessels})
    if best:
        return _Named((best,), by_variant=True)
    best = _best(draft, {one.id: _hits(_described(one), heard) for one in vessels})
    return _Named((best,)) if best else _Named()


def _best(draft: Draft, hits: dict[str, int]) -> Vessel | None:
    """The vessel with the most hits; among equals one on the chart, then the first."""
    vessels = (one for one in draft.request.vessels if hits[one.id])
    shown = frozenset(
        one.vessel_id for one in draft.instances if one.instance_id in draft.shown
    )
    return max(vessels, key=lambda one: (hits[one.id], one.id in shown), default=None)


def _hits(vocabulary: Iterable[str], heard: Heard) -> int:
    """How many spoken words the vocabulary explains."""
    return len({found for word in vocabulary if (found := heard.find(word))})


def _id_words(draft: Draft, vessel: Vessel) -> tuple[str, ...]:
    ids = (vessel.id, *(one.instance_id for one in draft.of_vessel(vessel.id)))
    return tuple(word for one in ids for word in words(one) if not word.isdecimal())


def _part_words(vessel: Vessel) -> tuple[str, ...]:
    """Words of the ids of a vessel's variants and actions."""
    ids = (
        part
        for variant in vessel.variants
        for part in (variant.id, *(action.id for action in variant.actions))
    )
    return tuple(word for one in ids for word in words(one))


def _described(vessel: Vessel) -> tuple[str, ...]:
    texts = (
        text
        for variant in vessel.variants
        for text in (
            variant.description,
            *(action.description for action in variant.actions),
        )
    )
    return tuple(word for one in (vessel.description, *texts) for word in words(one))


def _first_mention(clause: Clause, vessel: Vessel) -> int:
    """Where in the clause the vessel's id is first spoken; at the start if nowhere."""
    known = words(vessel.id)
    places = (at for word, at, _ in clause.words if _hits(known, Heard.of((word,))))
    return next(places, 0)


def _everything(draft: Draft, clause: Clause) -> Draft:
    excepted = _named(draft, Heard.of(_telling(clause.excepted))).vessels
    spared = frozenset(vessel.id for vessel in excepted)
    if clause.verb == "hide":
        vessel_of = {one.instance_id: one.vessel_id for one in draft.instances}
        return draft.keep(one for one in draft.shown if vessel_of.get(one) in spared)
    for vessel in draft.request.vessels:
        here = draft.of_vessel(vessel.id)
        if vessel.id in spared:
            draft = draft.hide(one.instance_id for one in here)
        elif here:
            for one in here:
                draft = draft.show(one.instance_id)
        else:
            draft = draft.summon(vessel, vessel.initial)[0]
    return draft


def _hide(draft: Draft, clause: Clause, heard: Heard, named: _Named) -> Draft:
    for vessel in named.vessels:
        here = _targets(draft, vessel, clause)
        action = next(
            (
                (one, action)
                for one in here
                for action in _actions(vessel, one)
                if not action.params and _whole(action, Heard.of(clause.spoken))
            ),
            None,
        )
        if action:
            draft = draft.show(action[0].instance_id).act(*action, None)
        elif not named.by_variant:
            draft = draft.hide(one.instance_id for one in here)
        else:
            draft = draft.hide(
                one.instance_id for one in here if _hits(words(one.variant), heard)
            )
    return draft


def _show(
    draft: Draft, clause: Clause, heard: Heard, vessel: Vessel
) -> tuple[Draft, Filled, int]:
    """Show a vessel, in the variant asked for; what its action's parameters took."""
    here = _targets(draft, vessel, clause)
    if here and not clause.another:
        instance = here[0]
        draft = draft.show(instance.instance_id)
    else:
        draft, instance = draft.summon(vessel, _variant_for(vessel, heard))
    for action in _ranked(vessel, instance, clause, heard):
        used = _used(clause, vessel, action)
        filled = fill(action, clause, used)
        if filled.missing is None:
            return draft.act(instance, action, filled.params), filled, used
        unsaid = (instance.instance_id, action.id, filled.missing)
        draft = evolve(draft, unsaid=(*draft.unsaid, unsaid))
    return draft, Filled(), len(clause.text)


def _targets(draft: Draft, vessel: Vessel, clause: Clause) -> tuple[Instance, ...]:
    """The instances meant: those named in full ("notes 2"), else all of the vessel."""
    here = draft.of_vessel(vessel.id)
    heard = Heard.of(clause.spoken)
    named = tuple(
        one for one in here if all(word in heard for word in words(one.instance_id))
    )
    return named or here


def _variant_for(vessel: Vessel, heard: Heard) -> str:
    """The variant of a new instance: the first that is named, else the initial one."""
    own = Heard.of(words(vessel.id))
    named = (
        variant.id
        for variant in vessel.variants
        if _hits((word for word in words(variant.id) if word not in own), heard)
    )
    return next(named, vessel.initial)


def _actions(vessel: Vessel, instance: Instance) -> tuple[Action, ...]:
    variant = variant_of(vessel, instance.variant)
    return variant.actions if variant else ()


def _ranked(
    vessel: Vessel, instance: Instance, clause: Clause, heard: Heard
) -> list[Action]:
    """The actions that a clause names, the best first."""
    variant = variant_of(vessel, instance.variant)
    if variant is None:
        return []
    own = Heard.of(words(vessel.id))
    there = bool(_hits((w for w in words(variant.id) if w not in own), heard))
    scores = {
        action.id: _score(action, clause, heard, own, there=there)
        for action in variant.actions
        if action.to != variant.id or action.params
    }
    named = (one for one in variant.actions if scores.get(one.id))
    return sorted(named, key=lambda one: -scores[one.id])


def _score(
    action: Action, clause: Clause, heard: Heard, own: Heard, *, there: bool
) -> int:
    """How surely a clause names an action; 0 for not at all.

    A word of an id says more than any number of words of a description; where the
    clause names the variant that is shown already, descriptions say nothing.
    """
    spoken = Heard.of(clause.spoken)
    ids = (*words(action.id), *words(action.to or ""))
    by_id = _hits(
        (word for word in ids if word not in own and not is_filler(word)), heard
    )
    whole = _whole(action, spoken)
    value = names_value(action, heard)
    described = (
        0
        if there
        else _hits(
            (w for w in words(action.description) if w not in own and not is_filler(w)),
            heard,
        )
    )
    if action.params and not value and not _hits(words(action.id), spoken):
        return 0
    return 100 * (by_id + 2 * whole + 2 * value) + min(described, 99)


def _whole(action: Action, spoken: Heard) -> bool:
    return all(word in spoken for word in words(action.id))


def _used(clause: Clause, vessel: Vessel, action: Action) -> int:
    """Where the words end that named the vessel and the action, each heard once."""
    known = (*words(action.id), *words(vessel.id))
    ends: list[int] = []
    for one in known:
        heard = Heard.of((one,))
        ends += [end for word, _, end in clause.words if heard.find(word)][:1]
    return max(ends, default=0)
