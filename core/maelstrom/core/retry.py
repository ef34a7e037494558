"""Which attempt serves, and whether there is to be another.

Theory of operation: a model's answer is healed, and healing says how bad it was and
whether another attempt is advised. `decide` looks at the attempts so far, and nothing
else. While the last one advises a retry and the budget lasts, plan again. Otherwise the
best answer serves: the one with the lowest severity, among equals the later. A retry
that ends in an error (the turn's deadline is one) ends the asking, and the best earlier
answer serves; where there is none, the error of the first attempt is the result.

A best answer that is unrecoverable is served as it is only where that is wanted;
otherwise the chart is reflowed, so that it is not blanked.

Retries of a provider (`with_retry`) happen inside one attempt, and are not counted.
"""

from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from attrs import field, frozen
from returns.result import Failure, Result, Success

from maelstrom.core.diagnostics import Attempt
from maelstrom.core.whole_number import whole

__all__ = ["OnUnrecoverable", "PlanAgain", "RetryPolicy", "Served", "decide"]

OnUnrecoverable: TypeAlias = Literal["reflow", "empty"]
"""What serves where nothing of an answer is left: the chart as it was, or nothing."""

_RANK: Final = MappingProxyType({"none": 0, "low": 1, "medium": 2, "unrecoverable": 3})
"""Severities from the best on."""


@frozen
class RetryPolicy:
    """How many further attempts healing may ask for.

    >>> RetryPolicy().max
    1
    """

    max: int = field(default=1, validator=whole(0))


@frozen
class Served:
    """What the turn ends in, and the number of the attempt that it rests on.

    ``attempt``: that one's healed answer. ``reflow``: the chart made to fit, since not
    even the best answer was recoverable. ``error``: that attempt's error.
    """

    result: Literal["attempt", "reflow", "error"]
    attempt: int


@frozen
class PlanAgain:
    """The user would see a no-op, and the budget lasts: the number of the next one."""

    attempt: int


def decide(
    attempts: tuple[Attempt, ...],
    budget: RetryPolicy,
    on_unrecoverable: OnUnrecoverable = "reflow",
) -> Result[Served, PlanAgain]:
    """Choose among the attempts, or ask for one more.

    Args:
        attempts: One or more, in order; each holds a healed answer or an error.
        budget: How many attempts may follow the first.
        on_unrecoverable: What serves when the best answer is unrecoverable.

    >>> from maelstrom.core.errors import ProviderError
    >>> failed = Attempt(1, error=ProviderError("timeout", "demo", "no answer"))
    >>> decide((failed,), RetryPolicy(max=1)).unwrap()
    Served(result='error', attempt=1)
    """
    last = attempts[-1]
    if last.healed is not None and last.healed.retry and len(attempts) <= budget.max:
        return Failure(PlanAgain(last.number + 1))
    answers = [
        (_RANK[attempt.healed.severity], -attempt.number)
        for attempt in attempts
        if attempt.healed is not None
    ]
    if not answers:
        return Success(Served("error", last.number))
    rank, number = min(answers)
    blank = rank == _RANK["unrecoverable"] and on_unrecoverable == "reflow"
    return Success(Served("reflow" if blank else "attempt", -number))
