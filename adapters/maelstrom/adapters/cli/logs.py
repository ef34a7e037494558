"""What a server's turns fail of, a line each on stderr.

The engine logs an event's name, and its attributes beside it, which the standard
library's own format leaves out. Here they stand in the line, ``key=value``; a value that
could be mistaken for more than one, or break the line, is written as JSON.
"""

import json
import logging
import re
from typing import Final

__all__ = ["log_to_stderr"]

_PLAIN: Final = re.compile(r"[\w.:/+@-]+")


class _Line(logging.Formatter):
    """Time, level, name of the event, attributes: those have a dot in their names."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, whatever the attributes hold."""
        named = [item for item in vars(record).items() if "." in item[0]]
        pairs = [f"{key}={_shown(value)}" for key, value in named]
        head = (self.formatTime(record), record.levelname, record.getMessage())
        return " ".join((*head, *pairs))


def log_to_stderr() -> None:
    """Write the engine's warnings and errors to stderr from now on."""
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    handler.setFormatter(_Line())
    logging.getLogger("maelstrom").addHandler(handler)


def _shown(value: object) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)
