"""The system's time, as asyncio and the standard library have it."""

import asyncio
import time
from contextlib import AbstractAsyncContextManager

__all__ = ["SystemClock"]


class SystemClock:
    """The `Clock` that an engine has unless it is given another."""

    def now(self) -> int:
        """Milliseconds since the Unix epoch."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds from an arbitrary start; never goes back."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait that long."""
        await asyncio.sleep(seconds)

    def timeout(self, seconds: float | None) -> AbstractAsyncContextManager[object]:
        """Raise TimeoutError out of the block once that long has passed."""
        return asyncio.timeout(seconds)
