"""The catalogue as the prompt shows it: every vessel, variant, action and parameter.

Theory of operation: it is the largest part of a prompt, and the one that providers'
prefix caches pay for, so the same catalogue always gives the same bytes: vessels in
request order, keys in the order of the records, those of parameter schemas sorted.
What is the default (a minimum of one cell, no actions, not idempotent) is left out.

Warts: the text is cached by equality, and Python holds 1, 1.0 and True equal; so two
catalogues are one only if their schemas are written alike as well.

In step with: `maelstrom.core.prompt_rules`, which explains the keys.
"""

import json
from functools import lru_cache
from typing import Final

from attrs import frozen

from maelstrom.core.json_text import canonical_text
from maelstrom.core.json_value import Json
from maelstrom.core.prompt_blocks import block, data_lines
from maelstrom.core.vessel import Action, Size, Variant, Vessel

__all__ = ["catalogue_text"]

_ONE_CELL: Final = Size(1, 1)


def catalogue_text(vessels: tuple[Vessel, ...]) -> str:
    """The block of the vessels.

    >>> print(catalogue_text((Vessel("v", "Notes", (Variant("a", "All"),)),)))
    <vessels>
    [
    {"id":"v","description":"Notes","variants":[{"id":"a","description":"All"}]}
    ]
    </vessels>
    """
    return _cached_text(_Catalogue(vessels))


@frozen(eq=False)
class _Catalogue:
    """Vessels as a cache key: equal where their texts are equal."""

    vessels: tuple[Vessel, ...]

    def __hash__(self) -> int:
        # By the ids alone: all of a large catalogue would take longer than its text.
        return tuple(vessel.id for vessel in self.vessels).__hash__()

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, _Catalogue), "the cache holds nothing else"
        if self.vessels is other.vessels:
            return True
        return self.vessels == other.vessels and _schemas(self) == _schemas(other)


def _schemas(catalogue: _Catalogue) -> list[str]:
    return [
        repr(action.params)
        for vessel in catalogue.vessels
        for variant in vessel.variants
        for action in variant.actions
        if action.params is not None
    ]


# An app has one catalogue and a server a few; a catalogue's text may be 400 kB.
@lru_cache(maxsize=16)
def _cached_text(catalogue: _Catalogue) -> str:
    return block("vessels", data_lines(_vessel(vessel) for vessel in catalogue.vessels))


def _vessel(vessel: Vessel) -> Json:
    form: Json = {"id": vessel.id, "description": vessel.description}
    if vessel.initial_variant is not None:
        form["initialVariant"] = vessel.initial_variant
    form["variants"] = [_variant(variant) for variant in vessel.variants]
    return form


def _variant(variant: Variant) -> Json:
    form: Json = {"id": variant.id, "description": variant.description}
    if variant.min_size != _ONE_CELL:
        size = variant.min_size
        form["minSize"] = {"width": size.width, "height": size.height}
    if variant.actions:
        form["actions"] = [_action(action) for action in variant.actions]
    return form


def _action(action: Action) -> Json:
    form: Json = {"id": action.id, "description": action.description}
    if action.to is not None:
        form["to"] = action.to
    if action.params is not None:
        form["params"] = json.loads(canonical_text(action.params))
    if action.idempotent:
        form["idempotent"] = True
    return form
