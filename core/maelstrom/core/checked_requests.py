"""Requests that were found right a moment ago, known again by identity.

Theory: a server decodes a message, gives its session another name, and hands the record
to the engine, which checks records made by hand. The request inside is the very one that
was decoded; it is frozen, so it is as right as it was, and only the envelope is new. So
the last few requests are remembered with the `Limits` under which they were right, by
weak references: nothing is kept alive. One that has been forgotten is checked again,
which costs time and nothing else.

All of it is one tuple that is replaced as a whole, so threads need no lock.
"""

from typing import Final
from weakref import ref

from maelstrom.core.limits import Limits
from maelstrom.core.request import ChartRequest

__all__ = ["MOST_REQUESTS", "CheckedRequests"]

MOST_REQUESTS: Final = 64
"""Between decoding and handling stands a call: what is decoded meanwhile is little."""


class CheckedRequests:
    """The requests that were found right last."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        """None so far."""
        self._last: tuple[tuple[ref[ChartRequest], Limits], ...] = ()

    def add(self, request: ChartRequest, limits: Limits) -> None:
        """Remember that a request is right under these limits."""
        self._last = ((ref(request), limits), *self._last[: MOST_REQUESTS - 1])

    def knows(self, request: object, limits: Limits) -> bool:
        """Whether this very request was found right under equal limits."""
        return isinstance(request, ChartRequest) and any(
            found() is request and under == limits for found, under in self._last
        )
