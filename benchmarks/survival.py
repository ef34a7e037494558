"""How much of an answer survives one fault, of every kind that is known?

    python -m benchmarks.survival [--answers 40]
    python -m benchmarks.survival --peers PYTHON

An answer of 22 pieces, right but for one fault, many times a kind. The figure is the
share of the 22 that a user sees afterwards: healed here under both policies, and with
``--peers`` (a Python that has a2ui-agent-sdk and ag-ui-a2ui-toolkit installed) let
through by their validation, the equivalent fault in the equivalent payload: a column of
22 texts, the fault at each of the 22 in turn. Theirs is the other stance: all of an
answer or nothing of it, and ask the model again.

A kind that A2UI has no equivalent of (it has no coordinates, no plan) is marked -.
"""

import argparse
import json
from copy import deepcopy
from functools import partial
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from benchmarks.paired import Peer
from maelstrom.adapters.testing.faults import FAULTS, GRID_FAULTS, TILING_FAULTS
from maelstrom.core.answer import decode_candidate
from maelstrom.core.candidate import Candidate
from maelstrom.core.heal import mend
from maelstrom.core.layout import GridLayout, TilingLayout
from maelstrom.core.policy import HealPolicy
from maelstrom.core.prune import placed
from maelstrom.core.request import (
    ChartRequest,
    Context,
    Dimensions,
    Instance,
    UserIntent,
)
from maelstrom.core.vessel import Action, Size, Variant, Vessel

PIECES = 22
NEW = 4
"""Of the 22, introduced by the answer: what stands for itself, and what is declared."""
POLICIES = {"reference": HealPolicy.reference(), "gentle": HealPolicy.gentle()}
DAYS = {
    "type": "object",
    "properties": {"days": {"type": "integer", "minimum": 1}},
    "required": ["days"],
    "additionalProperties": False,
}
BOX = Vessel(
    "box",
    "A box",
    (
        Variant(
            "plain",
            "The plain form",
            min_size=Size(1, 1),
            actions=(
                Action("show", "Show it", params=DAYS),
                Action("refresh", "Ask again", idempotent=True),
            ),
        ),
    ),
)

# ---------------------------------------------------------------- our side


def names():
    old = [f"box-{n}" for n in range(PIECES - NEW)]
    return old + [f"new-{n}" for n in range(NEW)]


def request_for(mode):
    instances = [Instance(name, "box", "plain") for name in names()[: PIECES - NEW]]
    layout = GridLayout() if mode == "grid" else TilingLayout()
    context = Context((UserIntent("tidy up"),), Dimensions(16, 8), mode)
    return ChartRequest(context, tuple(instances), (BOX,), layout)


def identity(name):
    known = {"instanceId": name}
    if name.startswith("new-"):
        known |= {"vesselId": "box", "variant": "plain"}
    return known


def answer_for(mode):
    """22 pieces of 2 x 2 on 16 x 8, or 22 leaves under four splits and a root."""
    plan = [{"instanceId": "box-0", "action": "refresh"}]
    if mode == "grid":
        positions = [
            {
                **identity(name),
                "position": {"row": 2 * (n // 8), "column": 2 * (n % 8)},
                "size": {"width": 2, "height": 2},
            }
            for n, name in enumerate(names())
        ]
        return {
            "executionPlan": plan,
            "layout": {"type": "grid", "positions": positions},
        }
    leaves = [
        {"id": f"l{n}", "kind": "leaf", **identity(name)}
        for n, name in enumerate(names())
    ]
    splits = [
        {
            "id": f"s{k}",
            "kind": "split",
            "direction": "row",
            "children": [leaf["id"] for leaf in leaves[k::4]],
        }
        for k in range(4)
    ]
    root = {
        "id": "root",
        "kind": "split",
        "direction": "column",
        "children": [one["id"] for one in splits],
    }
    nodes = [root, *splits, *leaves]
    return {
        "executionPlan": plan,
        "layout": {"type": "tiling", "root": "root", "nodes": nodes},
    }


def share(mode, candidate, policy):
    healed = mend(request_for(mode), candidate, policy)
    return len(frozenset(placed(healed.layout)) & frozenset(names())) / PIECES


def broken(mode, fault, answers):
    """Answers with the fault, drawn by hypothesis, the same ones in every run."""
    found = []

    @settings(
        max_examples=answers,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def draw(data):
        raw = answer_for(mode)
        if fault(data.draw, raw):
            found.append(raw)

    draw()
    return found


def ours(mode, fault, answers):
    """Mean share by policy, and how many answers that is."""
    raws = broken(mode, fault, answers)
    means = {}
    for name, policy in POLICIES.items():
        shares = [
            share(
                mode,
                Candidate("", tuple(raw["executionPlan"]), raw["layout"], "x"),
                policy,
            )
            for raw in raws
        ]
        means[name] = sum(shares) / len(shares) if shares else None
    return means


# ---------------------------------------------------------------- faults of the text


def fenced(text):
    return f"```json\n{text}\n```"


def with_prose(text):
    return f"Here is the new layout.\n\n{text}\n\nIs there anything else?"


def trailing_comma(text):
    return text.replace("}]", "},]", 1)


def raw_control(text):
    return text.replace("hello 3", "hello\n3", 1)


def doubled(text):
    return json.dumps(text)


def cut_short(text):
    return text[: 3 * len(text) // 4]


TEXTS = {
    "fence_removed": fenced,
    "prose_removed": with_prose,
    "trailing_comma": trailing_comma,
    "control_character": raw_control,
    "double_encoded": doubled,
    "(cut short)": cut_short,
}


def ours_read(spoil):
    answer = {**answer_for("grid"), "rationale": "", "userMessage": "hello 3"}
    read = decode_candidate(spoil(json.dumps(answer)), "grid")
    candidate = read.value_or(None)
    return {
        name: 0.0 if candidate is None else share("grid", candidate, policy)
        for name, policy in POLICIES.items()
    }


# ---------------------------------------------------------------- their side


def surface():
    root = {"id": "root", "component": "Column", "children": names()}
    return [root] + [
        {"id": name, "component": "Text", "text": f"hello {n}"}
        for n, name in enumerate(names())
    ]


def set_on(key, value, components, n):
    components[n + 1][key] = value


def add(component, components, n):
    """One more component than the 22, as the fault here adds one more piece."""
    components.append({"id": "ghost", **component})
    components[0]["children"].insert(n, "ghost")


def put(component, components, n):
    components.insert(n + 1, component)


def add_child(child, components, n):
    components[0]["children"].insert(n, child(n) if callable(child) else child)


def copy_of(components, n):
    components.append(dict(components[n + 1]))


def rename_root(components, _n):
    components[0]["id"] = "base"


def cycle(components, n):
    components.append({"id": "loop", "component": "Row", "children": ["root"]})
    components[0]["children"].insert(n, "loop")


def inline(components, n):
    components[0]["children"][n] = components.pop(n + 1)


TAGGED = "<a2ui-json>\n{}\n</a2ui-json>"
ORPHAN = {"id": "apart", "component": "Text", "text": "hello"}
THEIRS = {
    # kind: the equivalent fault of a column of texts, at the n-th of them
    "unknown_instance": partial(add, {"text": "hello"}),
    "unknown_vessel": partial(add, {"component": "Stocks", "text": "hello"}),
    "duplicate_instance_id": copy_of,
    "variant_ignored": partial(set_on, "variant", "gigantic"),
    "variant_defaulted": partial(set_on, "variant", ""),
    "malformed_position": partial(put, None),
    "geometry_not_integer": partial(set_on, "weight", "six"),
    "number_coerced": partial(set_on, "weight", "2"),
    "tree_invalid_node": partial(put, 5),
    "duplicate_node_id": copy_of,
    "tree_missing_child": partial(add_child, "nowhere"),
    "tree_cycle": cycle,
    "tree_shared_child": partial(add_child, lambda n: f"box-{(n + 1) % 4}"),
    "tree_unreachable_node": partial(put, ORPHAN),
    "root_inferred": rename_root,
    "weight_out_of_range": partial(set_on, "weight", -1),
    "tree_flattened": inline,
}


class Peers:
    """The libraries in their own environment, asked a line at a time."""

    def __init__(self, python):
        script = Path(__file__).with_name("survival_peers.py")
        self.peer = Peer([python, str(script)])
        hello = self.peer.hello
        self.names, self.catalog = hello["names"], hello["catalogId"]

    def ask(self, components, text=None):
        asked = {"components": components, "wanted": names(), "text": text}
        return self.peer.ask(asked)

    def faulty(self, kind):
        """Mean share by library over the fault at each place; None where it has none."""
        spoil = THEIRS.get(kind)
        if spoil is None:
            return dict.fromkeys(self.names)
        answers = []
        for n in range(PIECES):
            components = deepcopy(surface())
            spoil(components, n)
            answers.append(self.ask(components))
        return self.means(answers)

    def read(self, kind, spoil):
        """Prose stands around their tags, where they expect it; the rest inside."""
        create = {"surfaceId": "main", "catalogId": self.catalog}
        update = {"surfaceId": "main", "components": surface()}
        messages = [
            {"version": "v0.9", "createSurface": create},
            {"version": "v0.9", "updateComponents": update},
        ]
        text = json.dumps(messages)
        if kind == "prose_removed":
            tagged = spoil(TAGGED.format(text))
        else:
            tagged = TAGGED.format(spoil(text))
        return self.means([self.ask([], tagged)])

    def means(self, answers):
        kept = {name: [one[name] for one in answers] for name in self.names}
        return {
            name: None if None in counts else sum(counts) / len(counts) / PIECES
            for name, counts in kept.items()
        }


# ---------------------------------------------------------------- the table


def rows(answers, peers):
    """Kind, mode, shares by contestant."""
    tables = [("grid", FAULTS + GRID_FAULTS), ("tiling", FAULTS + TILING_FAULTS)]
    for mode, table in tables:
        for kind, fault in table:
            found = ours(mode, fault, answers)
            found |= peers.faulty(kind) if peers else {}
            yield kind, mode, found
    for kind, spoil in TEXTS.items():
        found = ours_read(spoil)
        found |= peers.read(kind, spoil) if peers else {}
        yield kind, "text", found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", type=int, default=40, help="of a kind")
    parser.add_argument("--peers", metavar="PYTHON", help="one that has the libraries")
    options = parser.parse_args()
    peers = Peers(options.peers) if options.peers else None
    if peers:
        sound = peers.ask(surface())
        print("the sound payload:", sound)
    columns = [*POLICIES, *(peers.names if peers else ())]
    print("| fault | in | " + " | ".join(columns) + " |")
    print("|---|---|" + "---:|" * len(columns))
    every = []
    for kind, mode, found in rows(options.answers, peers):
        every.append(found)
        cells = [words(found.get(name)) for name in columns]
        print(f"| {kind} | {mode} | " + " | ".join(cells) + " |", flush=True)
    for title, picked in (
        ("**mean of all**", every),
        (
            "**mean where all have it**",
            [one for one in every if None not in one.values()],
        ),
    ):
        cells = [words(mean(one.get(name) for one in picked)) for name in columns]
        print(f"| {title} | | " + " | ".join(cells) + " |")
    if peers:
        peers.peer.close()


def mean(shares):
    known = [one for one in shares if one is not None]
    return sum(known) / len(known) if known else None


def words(value):
    return "-" if value is None else f"{value:.1%}"


if __name__ == "__main__":
    main()
