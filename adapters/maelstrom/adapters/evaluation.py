"""How well a planner does on cases: scores of turns, and what they come to. Pure.

Theory: a turn is scored from its diagnostics alone, so recorded turns can be scored as
well. The answer is applied to the request's own chart, as a client would, and each of a
case's checks is asked of what comes out. Four figures say how the model does whatever
was expected: the share of its answers that could be read, of its pieces that survived,
of turns that needed another attempt, and the tokens that it took.

Shares are None where there was nothing to share.
"""

from collections.abc import Callable, Iterable, Sequence
from statistics import median
from types import MappingProxyType
from typing import Final

from attrs import frozen

from maelstrom.adapters.eval_case import Case, Check, CheckKind
from maelstrom.core.chart_state import ChartState
from maelstrom.core.client import Applied, apply
from maelstrom.core.diagnostics import Diagnostics
from maelstrom.core.errors import ProviderError
from maelstrom.core.json_value import Json
from maelstrom.core.prune import placed
from maelstrom.core.recording import tally
from maelstrom.core.response import MaelstromResponse
from maelstrom.core.wire_results import ERRORS

__all__ = ["Scored", "Summary", "score", "summarize"]


@frozen(kw_only=True)
class Scored:
    """One case's turn: what of the expected failed, in words, and what it took.

    ``read`` counts the attempts whose answer could be read, ``proposed`` and ``shown``
    the pieces of the attempt that was served; tokens are None where nobody says.
    """

    name: str
    failures: tuple[str, ...]
    provider_failed: bool
    attempts: int
    read: int
    proposed: int
    shown: int
    input_tokens: int | None
    output_tokens: int | None
    milliseconds: int

    @property
    def met(self) -> bool:
        """Whether all that was expected holds."""
        return not self.failures


@frozen(kw_only=True)
class Summary:
    """What an evaluation comes to; shares run from 0 to 1."""

    cases: int
    met: int
    met_share: float | None
    parse_rate: float | None
    surviving_pieces: float | None
    retry_rate: float | None
    input_tokens: int | None
    output_tokens: int | None
    median_milliseconds: float | None


def score(case: Case, turn: Diagnostics) -> Scored:
    """Score the turn that a case's request began."""
    served = None if turn.served is None else turn.attempts[turn.served - 1]
    counted = None if served is None else tally(served)
    return Scored(
        name=case.name,
        failures=tuple(_failures(case, turn)),
        provider_failed=isinstance(turn.error, ProviderError),
        attempts=len(turn.attempts),
        read=sum(one.candidate is not None for one in turn.attempts),
        proposed=0 if counted is None else counted.proposed,
        shown=0 if counted is None else counted.shown,
        input_tokens=_tokens(turn, "input_tokens"),
        output_tokens=_tokens(turn, "output_tokens"),
        milliseconds=turn.finished - turn.started,
    )


def summarize(scores: Sequence[Scored]) -> Summary:
    """What the scores come to.

    >>> summarize(()).met_share is None
    True
    """
    met = sum(one.met for one in scores)
    attempts = sum(one.attempts for one in scores)
    proposed = sum(one.proposed for one in scores)
    asked = sum(one.attempts > 0 for one in scores)
    return Summary(
        cases=len(scores),
        met=met,
        met_share=_share(met, len(scores)),
        parse_rate=_share(sum(one.read for one in scores), attempts),
        surviving_pieces=_share(sum(one.shown for one in scores), proposed),
        retry_rate=_share(sum(one.attempts > 1 for one in scores), asked),
        input_tokens=_sum(one.input_tokens for one in scores),
        output_tokens=_sum(one.output_tokens for one in scores),
        median_milliseconds=median(one.milliseconds for one in scores)
        if scores
        else None,
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _sum(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _tokens(turn: Diagnostics, name: str) -> int | None:
    return _sum(
        getattr(call.completion.usage, name)
        for attempt in turn.attempts
        for call in attempt.calls
        if call.completion is not None
    )


# ---------------------------------------------------------------- what was expected


@frozen
class _Outcome:
    """A turn's answer, and the chart once it is applied."""

    case: Case
    turn: Diagnostics
    response: MaelstromResponse
    applied: Applied

    @property
    def shown(self) -> tuple[str, ...]:
        """The instances that the chart shows now."""
        return placed(self.applied.state.layout)


def _failures(case: Case, turn: Diagnostics) -> Iterable[str]:
    if turn.output is None:
        kind = "no answer" if turn.error is None else ERRORS[turn.error.__class__][0]
        words = "" if turn.error is None else f": {turn.error.message}"
        yield f"{kind}{words}"
        return
    response = turn.output.payload
    context = case.request.context
    state = ChartState(
        dimensions=context.chart_dimensions,
        mode=context.layout_mode,
        vessels=case.request.vessels,
        instances=case.request.instances,
        layout=case.request.layout,
    )
    outcome = _Outcome(case, turn, response, apply(state, case.request, response))
    for check in case.checks:
        if _HOLDS[check.kind](check, outcome) is not check.wanted:
            yield f"{'must' if check.wanted else 'must not'}: {_words(check)}"


def _words(check: Check) -> str:
    """A check as one would say it.

    >>> _words(Check("action", "tasks", "addTask", {"title": "milk"}))
    "action addTask on tasks {'title': 'milk'}"
    """
    if check.kind == "action":
        params = f" {check.params}" if check.params else ""
        return f"action {check.value or 'any'} on {check.subject or 'any'}{params}"
    value = f" in {check.value}" if check.value else ""
    return f"{check.kind} {check.subject}{value}".strip()


def _shows_instance(check: Check, outcome: _Outcome) -> bool:
    return check.subject in outcome.shown


def _shows_vessel(check: Check, outcome: _Outcome) -> bool:
    return any(
        one.vessel_id == check.subject and one.instance_id in outcome.shown
        for one in outcome.applied.state.instances
    )


def _in_variant(check: Check, outcome: _Outcome) -> bool:
    return any(
        check.subject in {one.instance_id, one.vessel_id}
        and one.variant == check.value
        and one.instance_id in outcome.shown
        for one in outcome.applied.state.instances
    )


def _ran(check: Check, outcome: _Outcome) -> bool:
    return any(
        check.subject in {"", one.instance_id, one.vessel_id}
        and check.value in {"", one.action}
        and _among(check.params, one.params or {})
        for one in outcome.applied.effects
    )


def _among(wanted: Json, given: Json) -> bool:
    return all(
        name in given and _alike(value, given[name]) for name, value in wanted.items()
    )


def _alike(one: Json, other: Json) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return one.strip().casefold() == other.strip().casefold()
    return type(one) is type(other) and bool(one == other)


def _lost_nothing(_check: Check, outcome: _Outcome) -> bool:
    turn = outcome.turn
    healed = None if turn.served is None else turn.attempts[turn.served - 1].healed
    whole = healed is None or not (healed.drops or healed.skips)
    before = placed(outcome.case.request.layout)
    return whole and all(one in outcome.shown for one in before)


def _says_something(_check: Check, outcome: _Outcome) -> bool:
    return bool(outcome.response.user_message.strip())


def _is_answered(_check: Check, outcome: _Outcome) -> bool:
    return outcome.turn.decision == "served"


_HOLDS: Final = MappingProxyType[CheckKind, Callable[[Check, _Outcome], bool]](
    {
        "instance": _shows_instance,
        "vessel": _shows_vessel,
        "variant": _in_variant,
        "action": _ran,
        "nothingLost": _lost_nothing,
        "message": _says_something,
        "answered": _is_answered,
    }
)
"""Whether what a check says is so."""
