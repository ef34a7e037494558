"""Packages of an extra that a command needs: missing, they are named in one line."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from maelstrom.adapters.cli.exits import USAGE, AtFaultError

__all__ = ["needs_cli"]

_PACKAGES: Final = frozenset({"rich", "platformdirs"})
"""What the extra ``cli`` brings."""


@contextmanager
def needs_cli(what: str) -> Iterator[None]:
    """A block that imports what the extra ``cli`` brings.

    Args:
        what: Who or what needs it, at the head of a sentence.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _PACKAGES:
            raise
        raise AtFaultError(
            f"{what} needs {package}: pip install 'maelstrom-engine[cli]'", USAGE
        ) from None
