"""The weights of siblings: what counts as one, and what stands in for a bad one."""

import re
from math import isfinite
from typing import Final

from maelstrom.core.json_value import Json
from maelstrom.core.limits import MAX_INTEGER

__all__ = ["mean_weight", "read_weight"]

_TEXT: Final = re.compile(r"-?[0-9]{1,16}(\.[0-9]{1,16})?").fullmatch


def read_weight(value: Json) -> float | None:
    """The weight that a value says, None where it is no finite number above 0.

    >>> read_weight(2), read_weight("2"), read_weight("2.5"), read_weight("two")
    (2, 2, 2.5, None)
    >>> read_weight(True), read_weight(0), read_weight(2**53)
    (None, None, None)
    """
    number = value
    if isinstance(value, str):
        if _TEXT(value) is None:
            return None
        number = float(value) if "." in value else int(value)
    if isinstance(number, bool) or not isinstance(number, int | float):
        return None
    if isinstance(number, int):
        return number if 0 < number <= MAX_INTEGER else None
    return number if isfinite(number) and number > 0 else None


def mean_weight(weights: list[float]) -> float:
    """The mean of valid weights; 1 where there are none.

    >>> mean_weight([2, 4]), mean_weight([]), mean_weight([1e308, 1e308])
    (3.0, 1.0, 1e+308)
    """
    count = len(weights)
    if count == 0:
        return 1.0
    mean = sum(weights) / count
    if isfinite(mean):
        return mean
    # The sum is past the largest double; the mean is not, but for rounding.
    return min(sum(weight / count for weight in weights), max(weights))
