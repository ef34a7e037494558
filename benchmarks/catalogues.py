"""The forms a catalogue could have in a prompt: that of the library, and those not taken.

All say the same of the example app's vessels; `benchmarks/prompt.py` counts them, and
`tests/golden/catalogues` shows them.
"""

import attrs

from maelstrom.adapters.demo import VESSELS
from maelstrom.core.prompt_blocks import block, data, data_lines
from maelstrom.core.prompt_catalogue import catalogue_text
from maelstrom.core.vessel import Size


def vessels(count):
    """So many vessels like those of the example app."""
    numbered = ((VESSELS[i % len(VESSELS)], i) for i in range(count))
    return tuple(attrs.evolve(one, id=f"{one.id}-{i}") for one, i in numbered)


def plain_json(catalogue):
    """The records as they are: each action again in every variant that has it."""

    def variant(one):
        form = {"id": one.id, "description": one.description}
        if one.min_size != Size(1, 1):
            form["minSize"] = attrs.asdict(one.min_size)
        return form | {"actions": [_action(action) for action in one.actions]}

    return block("vessels", data_lines(_vessel(one, variant) for one in catalogue))


def shared_json(catalogue):
    """Each action once a vessel, sizes as pairs."""

    def variant(one):
        form = {"id": one.id, "description": one.description}
        if one.min_size != Size(1, 1):
            form["minSize"] = list(attrs.astuple(one.min_size))
        return form | {"actions": [action.id for action in one.actions]}

    def vessel(one):
        actions = [_action(action) for action in _once(one)]
        return _vessel(one, variant) | {"actions": actions}

    return block("vessels", data_lines(vessel(one) for one in catalogue))


def table(catalogue):
    """A row for each thing, what its columns mean in the first rows."""
    rows = [
        ("vessel", "id", "description", "initialVariant"),
        ("variant", "id", "description", "minSize", "actions"),
        ("action", "id", "description", "to", "idempotent", "params"),
    ]
    for vessel in catalogue:
        initial = data(vessel.initial_variant or "")
        rows.append(("vessel", data(vessel.id), data(vessel.description), initial))
        for one in vessel.variants:
            size = f"{one.min_size.width}x{one.min_size.height}"
            actions = data([action.id for action in one.actions])
            row = (data(one.id), data(one.description), size, actions)
            rows.append(("variant", *row))
        for one in _once(vessel):
            params = "" if one.params is None else data(one.params)
            flag = "yes" if one.idempotent else ""
            row = (data(one.id), data(one.description), data(one.to or ""))
            rows.append(("action", *row, flag, params))
    return block("vessels", "\n".join("|".join(row) for row in rows))


FORMS = {
    "plain JSON": plain_json,
    "JSON, actions once": shared_json,
    "table": table,
    "outline": catalogue_text,
}
"""By name; the last is the library's."""


def _vessel(vessel, variant):
    form = {"id": vessel.id, "description": vessel.description}
    if vessel.initial_variant is not None:
        form["initialVariant"] = vessel.initial_variant
    return form | {"variants": [variant(one) for one in vessel.variants]}


def _action(action):
    form = {"id": action.id, "description": action.description}
    if action.to is not None:
        form["to"] = action.to
    if action.params is not None:
        form["params"] = action.params
    return form | ({"idempotent": True} if action.idempotent else {})


def _once(vessel):
    """The actions of a vessel, none of which means two things under one id."""
    actions = (action for one in vessel.variants for action in one.actions)
    return {action.id: action for action in actions}.values()
