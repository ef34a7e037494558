"""Packages of an extra, imported when they are first needed."""

import importlib
from types import ModuleType

__all__ = ["require"]


def require(module: str, extra: str) -> ModuleType:
    """Import a module; where it is missing, ImportError names the pip command.

    Of a module of ours, the message names the package that it needs.

    >>> require("json", "all").dumps([])
    '[]'
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        missing = error.name if module.startswith("maelstrom.") else module
        message = f"{missing} is missing: pip install 'maelstrom-engine[{extra}]'"
        raise ImportError(message, name=module) from error
