"""What fields of options that count have to hold."""

from collections.abc import Callable
from typing import Any

__all__ = ["whole"]


def whole(least: int) -> Callable[[Any, Any, Any], None]:
    """An attrs validator: a whole number, of ``least`` or more; ``True`` is none.

    It raises ValueError, which names the field.
    """

    def check(_record: Any, option: Any, value: Any) -> None:
        if value.__class__ is not int or value < least:
            words = f"{value!r} is not a whole number, {least} or more"
            raise ValueError(f"{option.name}: {words}")

    return check
