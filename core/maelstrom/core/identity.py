"""Who each instance id of a candidate is: what the request says, or what a piece does.

Theory of operation. A piece of a layout *claims* an instance: it names an id and may
state the vessel and the variant. An id that the request knows is that instance, and
the claim is checked against it. Any other id is fresh: the first claim that resolves
declares what it is, once for the whole candidate; later ones are judged by what they
state, and inherit what they leave unstated. A claim that fails costs its own piece and
nothing else, so the answer is one verdict a claim, in the order of the claims.

The order of the claims is the order of declaring: document order in a grid, pre-order
in a tree. Pieces that are too broken to claim anything are not among them.

Warts. Only a missing value, null and ``""`` are "not stated". A value that is no text
(5, a list) is stated, and names nothing: it is read as `NOT_A_TEXT`, which equals no id.
Whether a stated variant of a known instance is worth a record depends on where the plan
leads it, so `identity_repair` is asked after the plan.

To keep in step: the id rules are those of the wire's decoder (part 1 of the protocol).
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from attrs import frozen

from maelstrom.core.catalogue import Catalogue
from maelstrom.core.healed import Repair
from maelstrom.core.json_value import Json, Path
from maelstrom.core.limits import Limits
from maelstrom.core.request import Instance
from maelstrom.core.vessel import Variant, Vessel

__all__ = [
    "NOT_A_TEXT",
    "Claim",
    "Identified",
    "Identities",
    "Verdict",
    "identify",
    "identify_plainly",
    "identity_repair",
    "plain_identities",
    "read_id",
    "read_stated",
]

NOT_A_TEXT: Final = "\0"
"""Stands for a stated value that is no text: a control character is in no id."""

# Control characters are Unicode's category Cc; a lone surrogate is no character.
_ID: Final = re.compile(
    r"(?=\s*\S)[^\x00-\x1f\x7f-\x9f\ud800-\udfff]+", re.UNICODE
).fullmatch


def read_id(value: Json, limits: Limits) -> str | None:
    r"""The value, if it is an id by the protocol's rules; else None.

    >>> read_id("clock", Limits()), read_id(" ", Limits()), read_id("a\n", Limits())
    ('clock', None, None)
    """
    if not isinstance(value, str) or len(value) > limits.id_characters:
        return None
    # What is printable has no control character, no surrogate, and no space but " ".
    if value.isprintable() and value and not value.isspace():
        return value
    return None if _ID(value) is None else value


def read_stated(value: Json) -> str | None:
    """What a piece states as its vessel or variant; None where it states nothing.

    >>> read_stated(""), read_stated("list"), read_stated(5) == NOT_A_TEXT
    (None, 'list', True)
    """
    if value is None or value == "":
        return None
    return value if isinstance(value, str) else NOT_A_TEXT


@frozen
class Claim:
    """What a piece says of who it is; None is "not stated"."""

    path: Path
    instance_id: str
    vessel_id: str | None = None
    variant: str | None = None


@frozen
class Identified:
    """A claim that holds.

    ``variant`` is the id of the variant before the plan: the request's, or the declared
    one of a ``fresh`` instance. ``other_variant`` is what the piece of a known instance
    states instead, None where it states nothing else. ``defaulted`` marks the declaring
    piece that left its variant to the vessel.
    """

    instance_id: str
    vessel: Vessel
    variant: str
    fresh: bool = False
    other_variant: str | None = None
    defaulted: bool = False


Verdict: TypeAlias = Identified | str
"""Who a claim is, or the reason that its piece drops for."""


@frozen
class Identities:
    """Who everyone is.

    ``verdicts`` stand by the position of their claim. ``fresh`` holds the declarations
    that count, in the order of declaring; ``failed`` the first reason of each fresh id,
    whether or not a later claim resolved.
    """

    verdicts: tuple[Verdict, ...]
    known: Mapping[str, Instance]
    fresh: Mapping[str, Identified]
    failed: Mapping[str, str]


def identify(
    instances: Iterable[Instance], claims: Iterable[Claim], catalogue: Catalogue
) -> Identities:
    """Judge each claim, in the order of declaring."""
    known = {instance.instance_id: instance for instance in instances}
    fresh: dict[str, Identified] = {}
    failed: dict[str, str] = {}
    verdicts: list[Verdict] = []
    for claim in claims:
        instance_id = claim.instance_id
        verdict: Verdict
        if (instance := known.get(instance_id)) is not None:
            verdict = _recognise(claim, instance, catalogue)
        elif (declared := fresh.get(instance_id)) is not None:
            verdict = _repeat(claim, declared, catalogue)
        else:
            verdict = _declare(claim, catalogue)
            if isinstance(verdict, str):
                failed.setdefault(instance_id, verdict)
            else:
                fresh[instance_id] = verdict
        verdicts.append(verdict)
    return Identities(tuple(verdicts), known, fresh, failed)


def identify_plainly(
    raw: Json,
    known: Mapping[str, Instance],
    catalogue: Catalogue,
    limits: Limits,
) -> Instance | None:
    """Who a raw piece is, where `identify` would have nothing to judge or to record.

    That is: an instance of the request of which nothing else is stated, or a fresh one
    of which all is stated. None for any other piece, and for some that are rare.
    """
    instance_id = raw.get("instanceId")
    vessel_id, variant = raw.get("vesselId"), raw.get("variant")
    if instance_id.__class__ is not str:
        return None
    instance = known.get(instance_id)
    if instance is not None:
        same_vessel = vessel_id is None or vessel_id == instance.vessel_id
        same_variant = variant is None or variant == instance.variant
        return instance if same_vessel and same_variant else None
    if not vessel_id.__class__ is variant.__class__ is str:
        return None
    vessel = catalogue.vessels.get(vessel_id)
    if vessel is None or catalogue.variant(vessel, variant) is None:
        return None
    if read_id(instance_id, limits) is None:
        return None
    return Instance(instance_id, vessel_id, variant)


def plain_identities(
    known: Mapping[str, Instance], shown: Iterable[Instance], catalogue: Catalogue
) -> Identities:
    """Everyone, where each claim was identified plainly; without the verdicts."""
    fresh = {
        one.instance_id: Identified(
            one.instance_id, catalogue.vessels[one.vessel_id], one.variant, True
        )
        for one in shown
        if one.instance_id not in known
    }
    return Identities((), known, fresh, {})


def _recognise(claim: Claim, instance: Instance, catalogue: Catalogue) -> Verdict:
    stated = claim.vessel_id
    if stated is not None and stated != instance.vessel_id:
        registered = stated in catalogue.vessels
        return "vessel_mismatch" if registered else "unknown_vessel"
    vessel = catalogue.vessels[instance.vessel_id]
    before = instance.variant
    if claim.variant is None or claim.variant == before:
        return Identified(claim.instance_id, vessel, before)
    return Identified(claim.instance_id, vessel, before, False, claim.variant)


def _declare(claim: Claim, catalogue: Catalogue) -> Verdict:
    if claim.vessel_id is None:
        return "unknown_instance"
    vessel = catalogue.vessels.get(claim.vessel_id)
    if vessel is None:
        return "unknown_vessel"
    if claim.variant is None:
        return Identified(
            claim.instance_id, vessel, vessel.initial, True, defaulted=True
        )
    if catalogue.variant(vessel, claim.variant) is None:
        return "unknown_variant"
    return Identified(claim.instance_id, vessel, claim.variant, True)


def _repeat(claim: Claim, declared: Identified, catalogue: Catalogue) -> Verdict:
    vessel: Vessel | None = declared.vessel
    if claim.vessel_id is not None:
        vessel = catalogue.vessels.get(claim.vessel_id)
    if vessel is None:
        return "unknown_vessel"
    if claim.variant is not None and catalogue.variant(vessel, claim.variant) is None:
        return "unknown_variant"
    same_vessel = vessel.id == declared.vessel.id
    if same_vessel and claim.variant in (None, declared.variant):
        return Identified(claim.instance_id, declared.vessel, declared.variant, True)
    return "duplicate_instance_id"


def identity_repair(path: Path, who: Identified, after: Variant) -> Repair | None:
    """What keeping the piece at ``path`` took, given its variant after the plan."""
    if who.defaulted:
        return Repair("variant_defaulted", path, who.instance_id)
    if who.other_variant is not None and who.other_variant != after.id:
        return Repair("variant_ignored", path, who.instance_id)
    return None
