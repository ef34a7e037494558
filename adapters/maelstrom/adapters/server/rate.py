"""How often a subject may ask: a bucket of tokens each, forgotten when full again."""

from collections.abc import Callable
from typing import Final

__all__ = ["RateLimit"]

MOST_SUBJECTS: Final = 100_000
"""Buckets kept at once, about 20 MB: past it the ones longest unused are forgotten."""


class RateLimit:
    """Tokens by subject: `per_minute` of them flow in, `burst` may pile up.

    >>> limit = RateLimit(60, 2, lambda: 0.0)
    >>> [limit.wait("s") for _ in range(3)]
    [0.0, 0.0, 1.0]
    """

    def __init__(
        self, per_minute: float, burst: float, monotonic: Callable[[], float]
    ) -> None:
        self._per_second = per_minute / 60
        self._burst = burst
        self._monotonic = monotonic
        self._buckets: dict[str, tuple[float, float]] = {}

    def wait(self, subject: str) -> float:
        """Take a token: 0.0, or the seconds until there is one."""
        now = self._monotonic()
        tokens, since = self._buckets.pop(subject, (self._burst, now))
        tokens = min(self._burst, tokens + (now - since) * self._per_second)
        granted = tokens >= 1
        self._buckets[subject] = (tokens - granted, now)
        self._forget(now)
        return 0.0 if granted else (1 - tokens) / self._per_second

    def _forget(self, now: float) -> None:
        """Drop the oldest buckets that are full again, or too many."""
        refill = self._burst / self._per_second
        while self._buckets:
            oldest = next(iter(self._buckets))
            full = now - self._buckets[oldest][1] >= refill
            if not full and len(self._buckets) <= MOST_SUBJECTS:
                return
            del self._buckets[oldest]
