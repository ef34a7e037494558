"""The vectors that both clients must pass, made by the Python one.

``python -m tests.core.client_vectors`` writes tests/golden/client.json anew; the test
beside it checks that the file is what this makes, and node's runner reads the same file.
Whatever is drawn comes from `random.Random.random` alone, which is the same in every
release of Python.
"""

import json
from pathlib import Path
from random import Random

from attrs import evolve

from maelstrom.adapters.demo import VESSELS
from maelstrom.core.chart_sizer import ChartSizer
from maelstrom.core.chart_state import ChartState, make_request, state_from
from maelstrom.core.client import apply
from maelstrom.core.history import After, Turn
from maelstrom.core.layout import (
    Cell,
    GridLayout,
    Leaf,
    Position,
    Split,
    TilingLayout,
)
from maelstrom.core.outbox import Outbox
from maelstrom.core.request import (
    ChartResize,
    Dimensions,
    Instance,
    UserIntent,
    VesselMutation,
)
from maelstrom.core.response import ActionExecution, MaelstromResponse
from maelstrom.core.vessel import Action, Size, Variant, Vessel
from maelstrom.core.wire import encode_request, encode_response, encode_turn

FILE = Path(__file__).parents[1] / "golden" / "client.json"
HOSTILE = Vessel(
    "__proto__",
    "Named like what every object has",
    (
        Variant(
            "constructor", "One", actions=(Action("valueOf", "Go", to="toString"),)
        ),
        Variant("toString", "Other", actions=(Action("valueOf", "Stay"),)),
    ),
)
CATALOGUE = (*VESSELS, HOSTILE)
IDS = ("a", "b", "c", "__proto__", "constructor", "<b>")
ACTIONS = (
    "showMonth",
    "showWeek",
    "collapse",
    "expand",
    "showForecast",
    "openEditor",
    "closeEditor",
    "valueOf",
    "addTask",
    "nothing",
)


class Draw:
    """Choices from one seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def below(self, bound: int) -> int:
        """A number from 0, below the bound."""
        return int(self._random.random() * bound)

    def one(self, options):
        """One of the options."""
        return options[self.below(len(options))]

    def some(self, options):
        """Each option or not, in a drawn order."""
        kept = [one for one in options if self.below(3)]
        return sorted(kept, key=lambda _: self._random.random())

    def instance(self, instance_id: str) -> Instance:
        """An instance of any vessel, in any of its variants."""
        vessel = self.one(CATALOGUE)
        return Instance(instance_id, vessel.id, self.one(vessel.variants).id)

    def layout(self, mode: str, ids, declared=()):
        """A layout of these instances; what is declared says who it is."""
        who = {one.instance_id: one for one in declared}

        def says(instance_id: str) -> dict:
            one = who.get(instance_id)
            return {"vessel_id": one.vessel_id, "variant": one.variant} if one else {}

        if mode == "grid":
            cells = (Cell(self.below(5), self.below(9)) for _ in ids)
            pairs = zip(ids, cells, strict=True)
            return GridLayout(
                tuple(
                    Position(one, cell, Size(3, 2), **says(one)) for one, cell in pairs
                )
            )
        return self._tree([Leaf(f"leaf {one}", one, **says(one)) for one in ids])

    def _tree(self, leaves) -> TilingLayout:
        weights = (None, 1, 2.5, 0.25)
        nodes = [evolve(leaf, weight=self.one(weights)) for leaf in leaves]
        tops = [node.id for node in nodes]
        while len(tops) > 1:
            count = 2 + self.below(min(2, len(tops) - 1))
            children, tops = tuple(tops[:count]), tops[count:]
            split = Split(
                f"split {len(nodes)}",
                self.one(("row", "column")),
                children,
                weight=self.one(weights),
            )
            nodes.append(split)
            tops.append(split.id)
        return TilingLayout(tops[0] if tops else None, tuple(reversed(nodes)))


def _shown(state: ChartState) -> dict:
    """A state in the form of the wire, its vessels left out: they are the catalogue."""
    request = encode_request(make_request(state, [ChartResize()]))
    return {
        "dimensions": request["context"]["chartDimensions"],
        "mode": state.mode,
        "instances": request["instances"],
        "layout": request["layout"],
    }


def _request(request) -> dict:
    shown = encode_request(request)
    del shown["vessels"]
    return shown


def _drifted(draw: Draw, state: ChartState) -> ChartState:
    """The state, moved on by what apps and users do meanwhile."""
    for one in state.instances:
        match draw.below(6):
            case 0:
                state = state.without(one.instance_id)
            case 1:
                other = draw.instance(one.instance_id)
                kept = tuple(other if each == one else each for each in state.instances)
                state = evolve(state, instances=kept)
    here = {one.instance_id for one in state.instances}
    if draw.below(3) == 0 and "c" not in here:
        state = evolve(state, instances=(*state.instances, draw.instance("c")))
    if draw.below(12) == 0:
        state = state.in_mode("tiling" if state.mode == "grid" else "grid")
    return state


def _apply_case(seed: int) -> dict:
    draw = Draw(seed)
    mode = draw.one(("grid", "tiling"))
    instances = tuple(draw.instance(one) for one in draw.some(IDS))
    ids = [one.instance_id for one in instances]
    state = ChartState(
        dimensions=Dimensions(12, 8),
        mode=mode,
        vessels=CATALOGUE,
        instances=instances,
        layout=draw.layout(mode, draw.some(ids)),
    )
    reason = draw.one((UserIntent("go"), UserIntent("go"), ChartResize()))
    request = make_request(state, [reason])
    fresh = tuple(draw.instance(one) for one in IDS if one not in ids)
    shown = draw.some([*ids, *(one.instance_id for one in fresh)])
    plan = tuple(
        ActionExecution(draw.one(shown), draw.one(ACTIONS), draw.one((None, {"n": 1})))
        for _ in range(draw.below(6) if shown else 0)
    )
    layout = draw.layout(mode, shown, fresh)
    response = MaelstromResponse("m-1", "Done.", "", plan, layout)
    if seed % 2:
        state = _drifted(draw, state)
    applied = apply(state, request, response)
    return {
        "state": _shown(state),
        "request": _request(request),
        "response": encode_response(response),
        "expect": {
            "state": _shown(applied.state),
            "effects": [_effect(one) for one in applied.effects],
            "skips": [
                {
                    "reason": one.reason,
                    "index": one.index,
                    "instanceId": one.instance_id,
                    "action": one.action,
                }
                for one in applied.skips
            ],
        },
    }


def _effect(effect) -> dict:
    made = {
        "instanceId": effect.instance_id,
        "action": effect.action,
        "vesselId": effect.vessel_id,
        "variant": effect.variant,
    }
    return made if effect.params is None else {**made, "params": effect.params}


REASONS = (
    UserIntent("go"),
    ChartResize(),
    ChartResize(Dimensions(12, 8)),
    ChartResize(Dimensions(6, 4)),
    VesselMutation("a"),
    VesselMutation("b", "typed"),
    VesselMutation("__proto__"),
    VesselMutation("gone"),
)


def _reasons(reasons) -> list:
    if not reasons:
        return []
    request = make_request(ChartState(dimensions=Dimensions(1, 1)), reasons)
    return encode_request(request)["context"]["updateReasons"]


def _outbox_case(seed: int) -> dict:
    draw = Draw(seed)
    here = tuple(draw.instance(one) for one in ("a", "b", "__proto__"))
    state = ChartState(dimensions=Dimensions(12, 8), vessels=CATALOGUE, instances=here)
    outbox, steps = Outbox(), []
    for number in range(12 if seed else 150):
        match draw.below(8 if seed else 4):
            case 0 | 1 | 2 | 3:
                reason = draw.one(REASONS) if seed else UserIntent(str(number))
                if not seed and number % 3 == 0:
                    reason = VesselMutation(f"gone {number}")
                outbox, request = outbox.add(reason), None
                step = {"do": "add", "reason": _reasons([reason])[0]}
            case 4 | 5:
                outbox, request = outbox.send(f"m-{number}", state, "Europe/Oslo", "nb")
                step = {"do": "send", "id": f"m-{number}"}
            case 6:
                known = outbox.in_flight.request_id if outbox.in_flight else "m-0"
                asked = draw.one((known, known, "another"))
                outbox, request = outbox.receive(asked)
                step = {"do": "receive", "id": asked}
            case _:
                known = outbox.in_flight.request_id if outbox.in_flight else "m-0"
                outbox, request = outbox.fail(known), None
                step = {"do": "fail", "id": known}
        expect = {
            "waiting": _reasons(outbox.waiting),
            "inFlight": outbox.in_flight and outbox.in_flight.request_id,
            "request": request and _request(request),
        }
        # The long case is one of bounds: its end is what counts.
        steps.append({**step, "expect": expect} if seed or number == 149 else step)
    return {"state": _shown(state), "steps": steps}


def _sizer_case(seed: int) -> dict:
    draw = Draw(seed)
    cells = (draw.one((80, 56, 0.1, 33.3)), draw.one((60, 56, 7)))
    known = draw.one((None, Dimensions(12, 8)))
    sizer = ChartSizer(*cells, quiet=draw.one((150, 0)), dimensions=known)
    first = {"cells": list(cells), "quiet": sizer.quiet, "dimensions": _cells(known)}
    at, measures = 0, []
    for _ in range(10):
        at += draw.one((10, 60, 150, 200))
        width = draw.one((959.5, 960, 961, 1, 0, 700.25, 10**9))
        height = draw.one((480, 479, 480.5, 300))
        sizer, resize = sizer.measure(width, height, at)
        measures.append(
            {
                "width": width,
                "height": height,
                "at": at,
                "expect": {
                    "dimensions": _cells(sizer.dimensions),
                    "pending": _cells(sizer.pending),
                    "due": sizer.due,
                    "resize": resize and _reasons([resize])[0],
                },
            }
        )
    return {**first, "measures": measures}


def _cells(one: Dimensions | None) -> dict | None:
    return one and {"columns": one.columns, "rows": one.rows}


def _restore_case(seed: int) -> dict:
    draw = Draw(seed)
    mode = draw.one(("grid", "tiling"))
    instances = tuple(draw.instance(one) for one in draw.some(IDS))
    odd = (
        *instances,
        Instance("old", "no longer registered", "x"),
        Instance("moved", "calendar", "no longer a variant"),
    )
    fresh = instances[:1]
    ids = draw.some([one.instance_id for one in odd])
    turn = Turn(
        seq=1,
        request_id="m-1",
        digest="0" * 64,
        timestamp=1,
        reasons=(UserIntent("go"),),
        user_message="Done.",
        rationale="",
        execution_plan=(),
        layout=draw.layout(mode, ids, fresh),
        after=After(odd, Dimensions(9, 7), mode),
        severity="none",
        attempts=1,
    )
    return {"turn": encode_turn(turn), "expect": _shown(state_from(turn, CATALOGUE))}


def vectors() -> dict:
    """All vectors, as JSON."""
    catalogue = ChartState(dimensions=Dimensions(1, 1), vessels=CATALOGUE)
    return {
        "vessels": encode_request(make_request(catalogue, [ChartResize()]))["vessels"],
        "apply": [_apply_case(seed) for seed in range(80)],
        "outbox": [_outbox_case(seed) for seed in range(8)],
        "sizer": [_sizer_case(seed) for seed in range(10)],
        "stateFrom": [_restore_case(seed) for seed in range(8)],
    }


def text() -> str:
    """The file's text: one vector a line, so that a change shows which one it is."""
    made = vectors()
    groups = []
    for name, cases in made.items():
        lines = ",\n".join(
            json.dumps(case, ensure_ascii=False, separators=(",", ":"))
            for case in cases
        )
        groups.append(f'"{name}": [\n{lines}\n]')
    return "{\n" + ",\n".join(groups) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
