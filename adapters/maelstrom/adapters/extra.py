"""Packages of an extra, imported when they are first needed."""

import importlib
from types import ModuleType

__all__ = ["require"]


def require(module: str, extra: str) -> ModuleType:
    """Import a module; where it is missing, ImportError names the pip command.

    >>> require("json", "all").dumps([])
    '[]'
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        message = f"{module} is missing: pip install 'maelstrom-engine[{extra}]'"
        raise ImportError(message, name=module) from error
