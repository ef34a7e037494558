"""Strategies of the wire's tests: right messages, and ways to break them."""

import copy
import json
from pathlib import Path

from hypothesis import strategies as st
from returns.pipeline import is_successful

from maelstrom.core.history import After, Turn
from maelstrom.core.layout import (
    Cell,
    GridLayout,
    Leaf,
    Position,
    Split,
    TilingLayout,
)
from maelstrom.core.limits import MAX_INTEGER, Limits
from maelstrom.core.messages import EngineMessage, EngineOutput
from maelstrom.core.request import (
    ChartRequest,
    ChartResize,
    Context,
    Dimensions,
    Instance,
    UserIntent,
    VesselMutation,
)
from maelstrom.core.response import ActionExecution, MaelstromResponse
from maelstrom.core.vessel import Action, Size, Variant, Vessel
from maelstrom.core.wire import decode_message

_GOLDEN = Path(__file__).parent.parent / "golden" / "validate.json"
_CASES = {
    case["name"]: case for case in json.loads(_GOLDEN.read_text(encoding="utf-8"))
}
GRID = _CASES["grid"]["message"]
TILING = _CASES["tiling"]["message"]


def changed(message, path, value):
    """The message with another value at a path; `...` takes the key out."""
    made = json.loads(json.dumps(message))
    holder = made
    for key in path[:-1]:
        holder = holder[key]
    if value is ...:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return made


LIMITS = Limits()


def issues(message, limits=LIMITS):
    """Paths and codes, empty where the message is right."""
    decoded = decode_message(message, limits)
    if is_successful(decoded):
        return []
    return [(issue.path, issue.code) for issue in decoded.failure().issues]


ids = st.one_of(
    st.text("abcxyz-é ", min_size=1, max_size=8).filter(str.strip),
    st.sampled_from(
        ["a" * 128, "日本", "a\u00a0b", "\u200bx", "🙂", "$ref", "__class__"]
    ),
)
texts = st.one_of(
    st.text("abc \n\t\x00日é", min_size=1, max_size=12).filter(str.strip),
    st.just("x" * 8_000),
    st.just("\u2003é"),
)
sizes = st.builds(Size, st.integers(1, 9), st.integers(1, 9))
timestamps = st.integers(-MAX_INTEGER, MAX_INTEGER)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_INTEGER, MAX_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text("ab\\\"'\n[{é", max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)
guests = st.dictionaries(st.text('ab[{"é', max_size=3), json_values, max_size=3)
weights = st.none() | st.integers(1, MAX_INTEGER) | st.floats(1e-300, 1e300)
schemas = st.sampled_from(
    [
        {"type": "object"},
        {"type": "object", "properties": {"days": {"type": "integer", "maximum": 3}}},
        {
            "type": "object",
            "properties": {"$ref": {"const": {"$ref": "file:///a"}}},
            "$defs": {"A": {"type": "string", "pattern": "^a+$"}},
            "additionalProperties": {"$ref": "#/$defs/A"},
        },
    ]
)


@st.composite
def vessels(draw):
    """A few vessels, each id and each reference right."""

    def action(action_id, variants):
        return Action(
            action_id,
            draw(texts),
            to=draw(st.none() | st.sampled_from(variants)),
            params=draw(st.none() | schemas),
            idempotent=draw(st.booleans()),
        )

    made = []
    for vessel_id in draw(st.lists(ids, max_size=3, unique=True)):
        variants = draw(st.lists(ids, min_size=1, max_size=3, unique=True))
        made.append(
            Vessel(
                vessel_id,
                draw(texts),
                tuple(
                    Variant(
                        variant,
                        draw(texts),
                        min_size=draw(st.just(Size(1, 1)) | sizes),
                        actions=tuple(
                            action(each, variants)
                            for each in draw(st.lists(ids, max_size=2, unique=True))
                        ),
                    )
                    for variant in variants
                ),
                initial_variant=draw(st.none() | st.sampled_from(variants)),
            )
        )
    return tuple(made)


@st.composite
def grids(draw, placed, fresh=False):
    """A grid that shows these instances, perhaps over each other."""
    cells = st.builds(Cell, st.integers(0, 99), st.integers(0, MAX_INTEGER))
    return GridLayout(
        tuple(
            Position(
                each,
                draw(cells),
                draw(sizes),
                vessel_id=draw(ids) if fresh else None,
                variant=draw(ids) if fresh else None,
            )
            for each in placed
        )
    )


@st.composite
def trees(draw, placed, fresh=False):
    """A tree that shows these instances: splits of two or more."""
    names = iter(f"n{n}" for n in range(1_000))
    standing = [
        Leaf(
            next(names),
            each,
            weight=draw(weights),
            vessel_id=draw(ids) if fresh else None,
            variant=draw(ids) if fresh else None,
        )
        for each in placed
    ]
    nodes = list(standing)
    while len(standing) > 1:
        take = draw(st.integers(2, len(standing)))
        split = Split(
            next(names),
            draw(st.sampled_from(["row", "column"])),
            tuple(each.id for each in standing[:take]),
            weight=draw(weights),
        )
        nodes.append(split)
        standing = [split, *standing[take:]]
    order = draw(st.permutations(nodes))
    return TilingLayout(standing[0].id if standing else None, tuple(order))


def reasons(known):
    """A reason to ask, mutations only of these instances."""
    texts_or_none = st.none() | st.text("ab ", max_size=5)
    chart = st.builds(Dimensions, st.integers(1, 1_000), st.integers(1, 1_000))
    kinds = [st.builds(UserIntent, texts), st.builds(ChartResize, st.none() | chart)]
    if known:
        kinds.append(st.builds(VesselMutation, st.sampled_from(known), texts_or_none))
    return st.one_of(kinds)


@st.composite
def requests(draw):
    """A right request of either mode."""
    registered = draw(vessels())
    names = draw(st.lists(ids, max_size=5, unique=True)) if registered else []
    instances = []
    for name in names:
        vessel = draw(st.sampled_from(registered))
        variant = draw(st.sampled_from(vessel.variants))
        instances.append(Instance(name, vessel.id, variant.id))
    placed = names[: draw(st.integers(0, len(names)))]
    mode = draw(st.sampled_from(["grid", "tiling"]))
    chart = Dimensions(draw(st.integers(1, 1_000)), draw(st.integers(1, 1_000)))
    context = Context(
        tuple(draw(st.lists(reasons(names), min_size=1, max_size=3))),
        chart,
        mode,
        time_zone=draw(st.sampled_from([None, "Europe/Oslo", " "])),
        locale=draw(st.sampled_from([None, "nb-NO"])),
    )
    layout = draw(grids(placed) if mode == "grid" else trees(placed))
    return ChartRequest(context, tuple(instances), registered, layout)


@st.composite
def messages(draw):
    """A right message."""
    meta = draw(st.none() | guests)
    return EngineMessage(
        draw(ids), draw(ids), draw(timestamps), draw(requests()), meta=meta
    )


@st.composite
def responses(draw):
    """A response of the right shape."""
    placed = draw(st.lists(ids, max_size=4, unique=True))
    fresh = draw(st.booleans())
    plan = st.builds(ActionExecution, ids, ids, st.none() | guests)
    return MaelstromResponse(
        draw(ids),
        draw(st.text(max_size=5)),
        draw(st.text(max_size=5)),
        tuple(draw(st.lists(plan, max_size=3))),
        draw(grids(placed, fresh) | trees(placed, fresh)),
    )


outputs = st.builds(EngineOutput, ids, ids, timestamps, responses())


@st.composite
def turns(draw):
    """A turn as it is recorded."""
    request = draw(requests())
    answer = draw(responses())
    return Turn(
        seq=draw(st.integers(1, 99)),
        request_id=answer.request_id,
        digest="0" * 64,
        timestamp=draw(timestamps),
        reasons=request.context.update_reasons,
        user_message=answer.user_message,
        rationale=answer.rationale,
        execution_plan=answer.execution_plan,
        layout=answer.layout,
        after=After(
            request.instances,
            request.context.chart_dimensions,
            request.context.layout_mode,
        ),
        severity=draw(st.sampled_from(["none", "low", "medium", "unrecoverable"])),
        attempts=draw(st.integers(0, 3)),
    )


wrong_values = st.sampled_from(
    [
        None, True, False, 0, -1, 3, 3.0, 0.5, 1e999, float("nan"), 2**53, 10**400, "",
        " ", "3", "a", "a\x00", "\ud800", "x" * 129, "x" * 16_001, [], {}, [[]], [1],
        ["a", "a"], {"a": 1}, {"type": "grid"}, {"type": []}, {"kind": "leaf"},
        {"type": "object", "maximum": 1e999}, {"type": "object", "$id": "a"}, (1, 2),
        b"a", {1: 2}, {"\ud800": 1}, object(), {"a": {1, 2}},
    ]
)  # fmt: skip


def places(value):
    """Every (holder, key) in a value, outer ones first."""
    found, work = [], [value]
    while work:
        each = work.pop()
        keys = list(each) if isinstance(each, dict) else range(len(each))
        for key in keys:
            found.append((each, key))
            if isinstance(each[key], dict | list):
                work.append(each[key])
    return found


@st.composite
def broken(draw, value):
    """The value with one to three places replaced, taken out, added or doubled."""
    made = copy.deepcopy(value)
    for _ in range(draw(st.integers(1, 3))):
        holder, key = draw(st.sampled_from(places(made)))
        how = draw(st.sampled_from(["replace", "delete", "add", "double", "swap"]))
        if how == "replace":
            holder[key] = copy.deepcopy(draw(wrong_values))
        elif how == "delete":
            del holder[key]
        elif how == "add" and isinstance(holder, dict):
            name = draw(st.sampled_from(["zeta", "alpha", "vesselId", "weight", 5]))
            holder[name] = draw(wrong_values)
        elif how == "double" and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[key]))
        else:
            other, name = draw(st.sampled_from(places(made)))
            holder[key] = copy.deepcopy(other[name])
        if not made:
            break
    return made
