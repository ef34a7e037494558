"""JSON of others: the one mutable guest in the core.

Raw pieces of a model's answer, action parameters, ``meta`` and parameter schemas are
JSON that somebody else wrote. Records hold such a value as it was read, under the name
`Json`, and nothing ever mutates it.
"""

from typing import Any, TypeAlias

__all__ = ["Json", "Path"]

Json: TypeAlias = Any
"""A JSON value: dict, list, str, int, float, bool or None. Held, never mutated."""

Path: TypeAlias = tuple[str | int, ...]
"""Where a value stands: wire keys and indexes from the outside in."""
