"""Definitions that are of other classes than they must be, in Python's own words.

The protocol refuses them too, but speaks of JSON: to it a tuple in the place of a `Size`
is "no JSON value". A path names fields as the wire does, like every other.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from maelstrom.core.vessel import Action, Size, Variant, Vessel
from maelstrom.effects.config_error import misfit

__all__ = ["class_faults"]


class _Field(NamedTuple):
    name: str
    on_the_wire: str
    wanted: tuple[type, ...]
    words: str


_FIELDS: Final = MappingProxyType(
    {
        # class of a definition: its fields that hold one value of a class
        Vessel: (),
        Variant: (_Field("min_size", "minSize", (Size,), "a Size, as Size(3, 2)"),),
        Action: (
            _Field(
                "params",
                "params",
                (Mapping, type(None)),
                "a JSON Schema, as params_of(YourClass) makes one, or None",
            ),
        ),
    }
)
_LISTS: Final = MappingProxyType(
    {
        # class of a definition: its field of definitions, and their class
        Vessel: ("variants", Variant),
        Variant: ("actions", Action),
    }
)


def class_faults(vessels: tuple[object, ...]) -> Iterator[tuple[str, str]]:
    """The path within ``vessels`` of each such value, and what it must be.

    >>> list(
    ...     class_faults(
    ...         (Vessel("map", "A map", (Variant("far", "Far", min_size=(3, 2)),)),)
    ...     )
    ... )
    [('vessels.0.variants.0.minSize', 'must be a Size, as Size(3, 2), not (3, 2)')]
    """
    yield from _listed("vessels", vessels, Vessel)


def _listed(at: str, values: object, kind: type) -> Iterator[tuple[str, str]]:
    if not isinstance(values, tuple | list):
        name = kind.__name__
        words = f"a tuple of {name}, as ({name}(...),)"
        yield at, misfit(at, words, values).message
        return
    for index, value in enumerate(values):
        here = f"{at}.{index}"
        if not isinstance(value, kind):
            yield here, misfit(here, f"a {kind.__name__}", value).message
            continue
        for field in _FIELDS[kind]:
            found = getattr(value, field.name)
            if not isinstance(found, field.wanted):
                where = f"{here}.{field.on_the_wire}"
                yield where, misfit(where, field.words, found).message
        if kind in _LISTS:
            name, inner = _LISTS[kind]
            yield from _listed(f"{here}.{name}", getattr(value, name), inner)
