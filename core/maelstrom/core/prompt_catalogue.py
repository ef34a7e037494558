"""The catalogue as the prompt shows it: every vessel, variant, action and parameter.

Theory of operation: it is the largest part of a prompt, and the one that providers'
prefix caches pay for, so the same catalogue always gives the same bytes: vessels in
request order, keys in the order of the records, those of parameter schemas sorted.
What is the default (a minimum of one cell, no actions, not idempotent) is left out.

The text is kept for the vessels themselves, as they come back from one message to the
next (`catalogue_memory`), and for their equals, whose comparison takes longer. Python
holds 1, 1.0 and True equal, so two catalogues are one only if their schemas are written
alike as well.

In step with: `maelstrom.core.prompt_rules`, which explains the keys.
"""

import json
import operator
from typing import Final

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
    return _TEXTS.text_of(vessels)


class _Texts:
    """The texts of the catalogues that were used last, the newest first.

    All of it is one tuple that is replaced as a whole, so threads need no lock.
    """

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: tuple[tuple[tuple[Vessel, ...], str], ...] = ()

    def text_of(self, vessels: tuple[Vessel, ...]) -> str:
        kept = self._kept
        if kept and kept[0][0] is vessels:
            return kept[0][1]
        for same in (operator.is_, _are_alike):
            for place, (known, text) in enumerate(kept):
                if same(known, vessels):
                    others = kept[:place] + kept[place + 1 :]
                    self._kept = ((vessels, text), *others)
                    return text
        text = block("vessels", data_lines(_vessel(vessel) for vessel in vessels))
        self._kept = ((vessels, text), *kept[: _MOST_TEXTS - 1])
        return text


def _are_alike(some: tuple[Vessel, ...], others: tuple[Vessel, ...]) -> bool:
    return some == others and _schemas(some) == _schemas(others)


def _schemas(vessels: tuple[Vessel, ...]) -> list[str]:
    return [
        repr(action.params)
        for vessel in vessels
        for variant in vessel.variants
        for action in variant.actions
        if action.params is not None
    ]


_MOST_TEXTS: Final = 16
"""An app has one catalogue and a server a few; a catalogue's text may be 400 kB."""

_TEXTS: Final = _Texts()


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
