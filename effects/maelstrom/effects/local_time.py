"""A message's time where its sender is: "next week" needs a date."""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from maelstrom.core.messages import EngineMessage

__all__ = ["local_time"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAYS: Final = (
    # in English whatever the process's locale is: the words are for the model
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
)


def local_time(message: EngineMessage) -> str | None:
    """The message's timestamp in its zone, in words; UTC where it names none we know.

    None where the timestamp is no date in the years 1 to 9999.

    "Thursday, 2026-01-01 09:00 (Europe/Oslo)", for example.
    """
    name, zone = _zone(message.payload.context.time_zone)
    try:
        moment = (_EPOCH + timedelta(milliseconds=message.timestamp)).astimezone(zone)
    except OverflowError:
        return None
    date = moment.replace(tzinfo=None).isoformat(" ", "minutes")
    return f"{_DAYS[moment.weekday()]}, {date} ({name})"


def _zone(name: str | None) -> tuple[str, tzinfo]:
    """A zone by its IANA name. The name comes from outside: a bad one is no zone."""
    if name is None:
        return "UTC", UTC
    from zoneinfo import ZoneInfo  # most messages name no zone

    try:
        return name, ZoneInfo(name)
    except (ValueError, LookupError, OSError):
        # no such zone, a path out of the database, a folder of it, an overlong name
        return "UTC", UTC
