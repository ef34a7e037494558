"""How long a provider asks us to wait, in all the forms that they use.

Read in this order, the first that can be read counts:

1. header ``retry-after-ms``: milliseconds (OpenAI, Azure)
2. header ``retry-after``: seconds, also with a fraction, or an HTTP date
3. in the error's body, Google's ``RetryInfo``: ``retryDelay`` as ``"13.5s"`` or as
   ``{"seconds": 13, "nanos": 500000000}``

A date is taken relative to the answer's own ``date`` header, so that a clock of ours
that runs ahead does no harm. What is negative, infinite or no number is no hint.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from maelstrom.adapters.provider_answer import dig
from maelstrom.core.json_value import Json

__all__ = ["LONGEST_MS", "retry_after_ms"]

LONGEST_MS: Final = 24 * 60 * 60 * 1_000
"""A hint past a day says no more than a day, and an absurd one stays a number."""

_NUMBER = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18})?")
_RETRY_INFO = "google.rpc.RetryInfo"


def retry_after_ms(
    headers: Mapping[str, str], fault: Json = None, now: float = 0.0
) -> int | None:
    """Milliseconds to wait, None where nobody says.

    Args:
        headers: of the answer, by lower-case name.
        fault: the error in the answer's body.
        now: seconds since the epoch, for a date where the answer bears none.

    >>> retry_after_ms({"retry-after": "1.5"})
    1500
    >>> retry_after_ms({"retry-after": "Thu, 01 Jan 1970 00:00:10 GMT"}, now=4.0)
    6000
    """
    hints = (
        _milliseconds(headers.get("retry-after-ms"), 1),
        _milliseconds(headers.get("retry-after"), 1_000),
        _until(headers.get("retry-after"), headers.get("date"), now),
        _retry_info(fault),
    )
    return next((min(hint, LONGEST_MS) for hint in hints if hint is not None), None)


def _milliseconds(text: Json, unit: int) -> int | None:
    if not isinstance(text, str) or not _NUMBER.fullmatch(text.strip()):
        return None
    return round(float(text) * unit)


def _until(text: str | None, date: str | None, now: float) -> int | None:
    end = _epoch(text)
    if end is None:
        return None
    start = _epoch(date)
    return max(0, round((end - (now if start is None else start)) * 1_000))


def _epoch(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        moment: datetime = parsedate_to_datetime(text)
        return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp()
    except (ValueError, OverflowError):
        return None


def _retry_info(fault: Json) -> int | None:
    details = dig(fault, "details")
    for detail in details if isinstance(details, list) else ():
        kind = dig(detail, "@type")
        if not isinstance(kind, str) or not kind.endswith(_RETRY_INFO):
            continue
        delay = dig(detail, "retryDelay")
        if isinstance(delay, str) and delay.endswith("s"):
            return _milliseconds(delay.removesuffix("s"), 1_000)
        seconds, nanos = dig(delay, "seconds"), dig(delay, "nanos")
        if seconds is not None or nanos is not None:
            whole = _milliseconds(str(seconds or 0), 1_000)
            part = _milliseconds(str(nanos or 0), 1)
            if whole is not None and part is not None:
                return whole + part // 1_000_000
    return None
