"""Trying a store again, where the turn can do without it.

A store that is away for a moment costs a turn under a second: three tries, with two
short pauses of random length between them, so that many turns do not come back at once.
What is corrupt, newer or in conflict is not tried again: it would be so again.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from returns.pipeline import is_successful
from returns.result import Result
from tenacity import AsyncRetrying, RetryCallState, retry_if_result, stop_after_attempt
from tenacity.wait import wait_random

from maelstrom.core.errors import HistoryError
from maelstrom.effects.ports import Clock

__all__ = ["patiently"]

_T = TypeVar("_T")

_TRIES: Final = 3
_SHORTEST: Final = 0.05
_LONGEST: Final = 0.45
"""Seconds of one pause: two of them stay under a second."""


async def patiently(
    clock: Clock, work: Callable[[], Awaitable[Result[_T, HistoryError]]]
) -> Result[_T, HistoryError]:
    """The first success, or the last failure."""
    first = await work()
    if not _is_away(first):
        return first  # nearly always: retrying is set up where there is need alone
    known = [first]
    retrying = AsyncRetrying(
        sleep=clock.sleep,
        stop=stop_after_attempt(_TRIES),
        wait=wait_random(_SHORTEST, _LONGEST),
        retry=retry_if_result(_is_away),
        retry_error_callback=_last,
    )

    async def once() -> Result[_T, HistoryError]:
        return known.pop() if known else await work()

    return await retrying(once)


def _is_away(outcome: Result[Any, HistoryError]) -> bool:
    return not is_successful(outcome) and outcome.failure().kind == "unavailable"


def _last(state: RetryCallState) -> Any:
    assert state.outcome is not None
    return state.outcome.result()
