"""The catalogue as the prompt shows it: every vessel, variant, action and parameter.

Theory of operation: it is the largest part of a prompt, so it is an outline, a line for
each thing, which says everything once in words a model can read as they stand:

    vessel ID: DESCRIPTION
    variant ID min WIDTH x HEIGHT initial: DESCRIPTION [ACTION, ...]
    action ID in [VARIANT, ...] to VARIANT idempotent: DESCRIPTION PARAMETERS

Ids and descriptions are JSON strings. An action that several variants of a vessel have
stands there once, after all of them; `in` says whose it is where one id means several
actions. Parameters are `takes PROPERTIES optional [NAME, ...]`, the JSON Schema of each
by name, where that and no other name is all that the schema says; else `params SCHEMA`.
What is the default (a minimum of one cell, no actions, not idempotent) is left out.
The tests read vessels back from it: nothing is lost but the order of names in a
schema, which means nothing.

Providers' prefix caches pay for it, so the same catalogue always gives the same bytes:
vessels in request order, keys of schemas sorted.

The text is kept for the vessels themselves, as they come back from one message to the
next (`catalogue_memory`), and for their equals, whose comparison takes longer. Python
holds 1, 1.0 and True equal, so two catalogues are one only if their schemas are written
alike as well.

In step with: `maelstrom.core.prompt_rules`, which explains these lines.
"""

import json
import operator
from collections import Counter
from collections.abc import Iterator
from typing import Final

from maelstrom.core.json_value import Json
from maelstrom.core.json_writer import canonical_text
from maelstrom.core.prompt_blocks import data, listing
from maelstrom.core.vessel import Action, Size, Variant, Vessel

__all__ = ["catalogue_text"]

_ONE_CELL: Final = Size(1, 1)


def catalogue_text(vessels: tuple[Vessel, ...]) -> str:
    """The block of the vessels.

    >>> shut = Action("shut", "Close it", to="line", idempotent=True)
    >>> whole = Variant("all", "All notes", min_size=Size(3, 2), actions=(shut,))
    >>> line = Variant("line", "The newest")
    >>> print(catalogue_text((Vessel("v", "Notes", (whole, line)),)))
    <vessels>
    vessel "v": "Notes"
    variant "all" min 3 x 2: "All notes" ["shut"]
    variant "line": "The newest"
    action "shut" to "line" idempotent: "Close it"
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
        text = listing("vessels", (line for one in vessels for line in _vessel(one)))
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


def _vessel(vessel: Vessel) -> Iterator[str]:
    yield f"vessel {data(vessel.id)}: {data(vessel.description)}"
    for variant in vessel.variants:
        yield _variant(variant, initial=variant.id == vessel.initial_variant)
    yield from _actions(vessel)


def _variant(variant: Variant, *, initial: bool) -> str:
    size = variant.min_size
    least = "" if size == _ONE_CELL else f" min {size.width} x {size.height}"
    mark = " initial" if initial else ""
    ids = [action.id for action in variant.actions]
    actions = f" {data(ids)}" if ids else ""
    return (
        f"variant {data(variant.id)}{least}{mark}: {data(variant.description)}{actions}"
    )


def _actions(vessel: Vessel) -> Iterator[str]:
    owners: dict[tuple[str, str], list[str]] = {}
    for variant in vessel.variants:
        for action in variant.actions:
            owners.setdefault((action.id, _action(action)), []).append(variant.id)
    meanings = Counter(name for name, _ in owners)
    for (name, rest), variants in owners.items():
        where = f" in {data(variants)}" if meanings[name] > 1 else ""
        yield f"action {data(name)}{where}{rest}"


def _action(action: Action) -> str:
    """An action's line from its id on."""
    target = "" if action.to is None else f" to {data(action.to)}"
    mark = " idempotent" if action.idempotent else ""
    params = "" if action.params is None else f" {_params(action.params)}"
    return f"{target}{mark}: {data(action.description)}{params}"


def _params(schema: Json) -> str:
    schema = json.loads(canonical_text(schema))
    if not _names_all(schema):
        return f"params {data(schema)}"
    properties = schema["properties"]
    optional = [name for name in properties if name not in schema["required"]]
    marked = f" optional {data(optional)}" if optional else ""
    return f"takes {data(properties)}{marked}"


def _names_all(schema: Json) -> bool:
    """Whether a schema says which parameters there are, and no more."""
    return (
        schema.keys() == {"type", "properties", "required", "additionalProperties"}
        and schema["additionalProperties"] is False
        and schema["type"] == "object"
        and set(schema["required"]) <= schema["properties"].keys()
    )
