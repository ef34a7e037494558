"""What is wrong with an app's vessels, found before a model has to live with it.

Theory: two kinds of findings. The fatal ones are the protocol's: every request with
these vessels would be refused, and the decoder itself says so. The others are advice:
legal, and most likely not what was meant. Each rule of advice is one generator, in the
table `RULES`; they look at vessels that the protocol takes.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from attrs import frozen
from returns.pipeline import is_successful

from maelstrom.core.chart_state import ChartState, make_request
from maelstrom.core.coherence import MAX_ISSUES
from maelstrom.core.errors import Issue, IssueCode
from maelstrom.core.request import Dimensions, UserIntent
from maelstrom.core.vessel import Vessel
from maelstrom.core.wire import decode_request, encode_request
from maelstrom.effects.vessel_classes import class_faults

__all__ = ["ADVICE", "AdviceCode", "Finding", "check_vessels"]

AdviceCode: TypeAlias = Literal[
    "unreachable_variant",
    "idempotent_needs_params",
    "min_size_over_chart",
    "same_description",
]

ADVICE: Final = MappingProxyType(
    {
        # code: what it means for the app
        "unreachable_variant": "no action leads here from the initial variant",
        "idempotent_needs_params": "idempotent, but it requires parameters: a turn "
        "that nobody asked for has none to give",
        "min_size_over_chart": "it does not fit the chart, so it will not be shown",
        "same_description": "the model cannot tell it from one of the same description",
    }
)


@frozen
class Finding:
    """Something about one vessel, variant or action.

    ``where`` names it: by ids, dotted, for advice; by the path within `vessels` where
    the protocol refuses it (ids may be what is wrong). ``fatal`` says that every
    request with these vessels would be refused.
    """

    where: str
    code: IssueCode | AdviceCode
    message: str
    fatal: bool = False


def check_vessels(
    vessels: Iterable[Vessel], dimensions: Dimensions | None = None
) -> tuple[Finding, ...]:
    """What the protocol refuses of the vessels, or else what is to be said of them.

    Fatal findings are at most 16, and stand alone: mend them and look again.

    Args:
        vessels: All that the app registers.
        dimensions: The chart's usual size in cells; None to leave sizes alone.

    >>> from maelstrom.core.vessel import Action, Variant
    >>> zoom = Action("zoom", "Look closer", to="near")
    >>> far = Variant("far", "Seen from afar", actions=(zoom,))
    >>> check_vessels([Vessel("map", "A map", (far,))])[0].where
    'vessels.0.variants.0.actions.0.to'
    """
    catalogue = tuple(vessels)
    refused = tuple(_misfits(catalogue)) or tuple(_refused(catalogue))
    return refused or tuple(
        finding for rule in RULES for finding in rule(catalogue, dimensions)
    )


def _misfits(vessels: tuple[Vessel, ...]) -> Iterator[Finding]:
    for where, words in islice(class_faults(vessels), MAX_ISSUES):
        yield Finding(where, "wrong_type", words, fatal=True)


def _refused(vessels: tuple[Vessel, ...]) -> Iterator[Finding]:
    chart = ChartState(dimensions=Dimensions(1, 1), vessels=vessels)
    request = make_request(chart, [UserIntent("hello")])
    decoded = decode_request(encode_request(request))
    if is_successful(decoded):
        return
    for issue in decoded.failure().issues:
        yield Finding(_where(issue), issue.code, issue.message, fatal=True)


def _where(issue: Issue) -> str:
    path = issue.path[issue.path.index("vessels") :] if "vessels" in issue.path else ()
    return ".".join(str(part) for part in path) or "vessels"


# ---------------------------------------------------------------- advice

Rule: TypeAlias = Callable[[tuple[Vessel, ...], Dimensions | None], Iterator[Finding]]


def _advice(where: str, code: AdviceCode) -> Finding:
    return Finding(where, code, ADVICE[code])


def _unreachable(
    vessels: tuple[Vessel, ...],
    dimensions: Dimensions | None,  # noqa: ARG001  the shape of a rule
) -> Iterator[Finding]:
    for vessel in vessels:
        leads = {
            variant.id: [action.to for action in variant.actions if action.to]
            for variant in vessel.variants
        }
        reached = {vessel.initial}
        work = [vessel.initial]
        while work:
            fresh = [to for to in leads[work.pop()] if to not in reached]
            reached.update(fresh)
            work.extend(fresh)
        for variant in vessel.variants:
            if variant.id not in reached:
                yield _advice(f"{vessel.id}.{variant.id}", "unreachable_variant")


def _needs_params(
    vessels: tuple[Vessel, ...],
    dimensions: Dimensions | None,  # noqa: ARG001  the shape of a rule
) -> Iterator[Finding]:
    for vessel in vessels:
        for variant in vessel.variants:
            for action in variant.actions:
                if action.idempotent and (action.params or {}).get("required"):
                    where = f"{vessel.id}.{variant.id}.{action.id}"
                    yield _advice(where, "idempotent_needs_params")


def _over_chart(
    vessels: tuple[Vessel, ...], dimensions: Dimensions | None
) -> Iterator[Finding]:
    if dimensions is None:
        return
    for vessel in vessels:
        for variant in vessel.variants:
            size = variant.min_size
            if size.width > dimensions.columns or size.height > dimensions.rows:
                yield _advice(f"{vessel.id}.{variant.id}", "min_size_over_chart")


def _same_description(
    vessels: tuple[Vessel, ...],
    dimensions: Dimensions | None,  # noqa: ARG001  the shape of a rule
) -> Iterator[Finding]:
    yield from _alike([(each.id, each.description) for each in vessels])
    for vessel in vessels:
        yield from _alike(
            [(f"{vessel.id}.{each.id}", each.description) for each in vessel.variants]
        )
        for variant in vessel.variants:
            where = f"{vessel.id}.{variant.id}"
            yield from _alike(
                [(f"{where}.{each.id}", each.description) for each in variant.actions]
            )


def _alike(described: list[tuple[str, str]]) -> Iterator[Finding]:
    """Each of these after the first of its description, however it is spelt."""
    keyed = sorted(
        (" ".join(text.casefold().split()), number, where)
        for number, (where, text) in enumerate(described)
    )
    later = sorted(
        (number, where)
        for _, same in groupby(keyed, key=lambda each: each[0])
        for _, number, where in list(same)[1:]
    )
    for _, where in later:
        yield _advice(where, "same_description")


RULES: Final[tuple[Rule, ...]] = (
    _unreachable,
    _needs_params,
    _over_chart,
    _same_description,
)
