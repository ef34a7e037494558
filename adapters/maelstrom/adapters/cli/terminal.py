"""What happens at a terminal, as one queue of events: lines typed, and resizes.

The event loop feeds it, so that a resize is noticed while nobody types. From a file or
a pipe the lines come one by one, and nothing is resized. Where the loop cannot watch
standard input (Windows), a thread reads it, and resizes go unnoticed until a line is
typed.
"""

import asyncio
import os
import signal
import sys
from enum import Enum
from types import TracebackType
from typing import Final, Self, TypeAlias

__all__ = ["RESIZED", "Event", "Terminal"]


class _Resized(Enum):
    RESIZED = "resized"


RESIZED: Final = _Resized.RESIZED
"""The terminal may have another size now."""

Event: TypeAlias = str | _Resized | None
"""A line typed, a resize, or None at the end of input."""

_CHUNK: Final = 65_536
"""Bytes of one read: a terminal hands over a line at a time, and none is longer."""


class Terminal:
    """A context in which the events of standard input can be awaited.

    Args:
        watched: Whether somebody types: else lines are read as they are needed.
    """

    def __init__(self, *, watched: bool) -> None:
        self._watched = watched
        self._events: asyncio.Queue[Event] = asyncio.Queue()

    def __enter__(self) -> Self:
        if self._watched:
            loop = asyncio.get_running_loop()
            try:
                loop.add_reader(sys.stdin.fileno(), self._take)
                loop.add_signal_handler(
                    signal.SIGWINCH, self._events.put_nowait, RESIZED
                )
            except (NotImplementedError, AttributeError):
                self._watched = False
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._watched:
            loop = asyncio.get_running_loop()
            loop.remove_reader(sys.stdin.fileno())
            loop.remove_signal_handler(signal.SIGWINCH)

    async def next(self) -> Event:
        """The next event."""
        if self._watched:
            return await self._events.get()
        return await asyncio.to_thread(sys.stdin.readline) or None

    def look_again(self, seconds: float) -> None:
        """Let a resize happen that long from now, for one that has yet to settle."""
        if self._watched:
            loop = asyncio.get_running_loop()
            loop.call_later(seconds, self._events.put_nowait, RESIZED)

    def _take(self) -> None:
        data = os.read(sys.stdin.fileno(), _CHUNK)
        for line in data.decode("utf-8", "replace").splitlines():
            self._events.put_nowait(line)
        if not data:
            self._events.put_nowait(None)
