"""The standard library's logger `maelstrom`: what an engine tells where nobody chose.

Where an app set up no logging, Python prints the message of a warning, and nothing of
its attributes. So a message that has an ``error.type`` names it: whoever reads
"maelstrom.turn.finished: provider_error.overloaded" knows what to look for. All other
messages are the event's name alone, and attributes are always in ``extra``.
"""

import logging
from collections.abc import Mapping
from typing import Final

from maelstrom.effects.ports import Logger

__all__ = ["default_logger"]


class _StandardLogger:
    """The app's handlers and levels apply, as they do to any library's."""

    def __init__(self) -> None:
        self._logger = logging.getLogger("maelstrom")

    def debug(self, message: str, /, *, extra: Mapping[str, object]) -> None:
        self._logger.debug(_worded(message, extra), extra=extra)

    def info(self, message: str, /, *, extra: Mapping[str, object]) -> None:
        self._logger.info(_worded(message, extra), extra=extra)

    def warning(self, message: str, /, *, extra: Mapping[str, object]) -> None:
        self._logger.warning(_worded(message, extra), extra=extra)

    def error(self, message: str, /, *, extra: Mapping[str, object]) -> None:
        self._logger.error(_worded(message, extra), extra=extra)


def _worded(message: str, extra: Mapping[str, object]) -> str:
    told = extra.get("error.type")
    return f"{message}: {told}" if told and str(told) not in message else message


default_logger: Final[Logger] = _StandardLogger()
"""The standard library's logger `maelstrom`: the app's handlers and levels apply."""
