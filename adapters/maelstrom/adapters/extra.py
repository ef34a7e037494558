"""Packages of an extra, imported when they are first needed."""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

__all__ = ["needing", "require"]


@contextmanager
def needing(extra: str, package: str | None = None) -> Iterator[None]:
    """Imports of an extra; where one is missing, ImportError names the pip command.

    ``package`` is what the message calls missing, by default the one not found.
    """
    try:
        yield
    except ImportError as error:
        missing = package or (error.name or "").partition(".")[0]
        message = f"{missing} is missing: pip install 'maelstrom-engine[{extra}]'"
        raise ImportError(message, name=package or error.name) from error


def require(module: str, extra: str) -> ModuleType:
    """Import a module of an extra's packages.

    >>> require("json", "all").dumps([])
    '[]'
    """
    with needing(extra, module):
        return importlib.import_module(module)
