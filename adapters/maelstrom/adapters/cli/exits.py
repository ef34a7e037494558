"""How a command ends."""

from typing import Final

__all__ = ["INPUT", "INTERRUPTED", "PROVIDER", "USAGE", "WELL", "AtFaultError"]

WELL: Final = 0
INPUT: Final = 1
"""The input was at fault."""
USAGE: Final = 2
"""The arguments were."""
PROVIDER: Final = 3
"""The provider or the store was."""
INTERRUPTED: Final = 130
"""What shells expect of a program that Ctrl-C ended."""


class AtFaultError(Exception):
    """A command cannot go on; the message is one line, ``code`` the exit code."""

    def __init__(self, message: str, code: int = INPUT) -> None:
        super().__init__(message)
        self.code = code
