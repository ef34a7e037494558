"""A bound on how long something may take."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from attrs import frozen
from returns.result import Failure, Result, Success

from maelstrom.effects.ports import Clock

__all__ = ["TimedOut", "within"]

_T = TypeVar("_T")


@frozen
class TimedOut:
    """The time was up first."""


async def within(
    clock: Clock, seconds: float | None, work: Callable[[], Awaitable[_T]]
) -> Result[_T, TimedOut]:
    """Await ``work`` for so many seconds at most, None for as long as it takes.

    What ``work`` raises is raised, and a TimeoutError of its own is not taken for ours.
    """
    own: Exception | None = None
    try:
        async with clock.timeout(seconds):
            try:
                return Success(await work())
            except Exception as error:  # noqa: BLE001  raised again below
                own = error
    except TimeoutError:
        return Failure(TimedOut())
    assert own is not None
    raise own
