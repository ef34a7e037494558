"""How large is a prompt, how much of it is cached, how long does it take to build?

    PYTHONPATH=core:effects:adapters python -m benchmarks.prompt

For 1, 10 and 50 vessels and the example app: each section, the catalogue in each form
that was considered, and what a turn costs. Sizes are characters and, where the extra
`local` and its model are installed, tokens of that model (SmolLM2: 49,000 words, all
English, so other languages count for more than elsewhere).

A turn's cost is what its prompt begins unlike the prompt of the turn before with: no
prefix cache can serve that. Sessions have three instances on the chart and a request a
turn, and the window's default of ten turns.
"""

import gc
import json
import urllib.request
from collections import defaultdict
from functools import partial
from itertools import pairwise, takewhile
from statistics import median
from time import process_time

import attrs

from benchmarks.catalogues import FORMS, vessels
from maelstrom.adapters.demo import VESSELS
from maelstrom.core.history import After, Turn
from maelstrom.core.layout import Cell, GridLayout, Position
from maelstrom.core.messages import EngineMessage
from maelstrom.core.plan_input import PlanInput
from maelstrom.core.prompt_template import build_prompt, prepare_template
from maelstrom.core.request import (
    ChartRequest,
    Context,
    Dimensions,
    Instance,
    UserIntent,
)
from maelstrom.core.vessel import Size
from maelstrom.core.window import window
from maelstrom.core.wire import decode_message, encode_message

TEMPLATE = prepare_template().unwrap()
APPS = {
    "1 vessel": vessels(1),
    "example app": VESSELS,
    "10 vessels": vessels(10),
    "50 vessels": vessels(50),
}
TURNS = 30
RUNS = 100


# ---------------------------------------------------------------- the prompts of turns


def request_of(catalogue, intent):
    """Three instances side by side, and what the user asks."""
    three = [catalogue[i % len(catalogue)] for i in range(3)]
    shown = [
        Instance(f"{one.id}-{i}", one.id, one.variants[0].id)
        for i, one in enumerate(three)
    ]
    positions = [
        Position(one.instance_id, Cell(0, 4 * i), Size(4, 4))
        for i, one in enumerate(shown)
    ]
    context = Context((UserIntent(intent),), Dimensions(12, 8), "grid")
    return ChartRequest(context, tuple(shown), catalogue, GridLayout(tuple(positions)))


def recorded(seq, request):
    """What the history keeps of a turn."""
    return Turn(
        seq=seq,
        request_id=str(seq),
        digest="",
        timestamp=0,
        reasons=request.context.update_reasons,
        user_message="Here is your week.",
        rationale="A week was asked for.",
        execution_plan=(),
        layout=request.layout,
        after=After(request.instances, request.context.chart_dimensions, "grid"),
        severity="none",
        attempts=1,
    )


def session(catalogue):
    """The inputs of a session's turns, each a minute after the one before."""
    turns = ()
    for number in range(TURNS):
        request = request_of(catalogue, f"Show me week {number % 10}")
        shown = window(turns, 10, 24_000)
        message = EngineMessage("s", str(number), number, request)
        yield PlanInput(message, f"Thursday, 2026-01-01 09:{number:02}", history=shown)
        turns = (*turns, recorded(number + 1, request))


def built(given):
    """The prompt of an input."""
    return build_prompt(given, TEMPLATE).unwrap()


def text_of(prompt):
    """All of a prompt, in the order that a provider reads it."""
    messages = (f"[{message.role}]{message.text}" for message in prompt.messages)
    return prompt.system_text + "".join(messages)


# ---------------------------------------------------------------- what is measured


def counter():
    """Tokens of a text by the small local model; None where it is not installed."""
    try:
        from maelstrom.adapters.local import serve

        server = serve(context=512)
    except ImportError:
        return None

    def tokens(text, server=server):
        body = json.dumps({"content": text}).encode()
        asked = urllib.request.Request(
            f"{server.listening_address}/tokenize",
            body,
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return len(json.load(answer)["tokens"])

    return tokens


def sized(text, tokens):
    """Characters, and tokens where they can be counted."""
    return f"{len(text):,}" + (f" ({tokens(text):,})" if tokens else "")


def sections(tokens):
    """Print what each section of a session's second prompt takes."""
    for name, catalogue in APPS.items():
        _, second, *_ = session(catalogue)
        prompt = built(second)
        parts = [*prompt.system, *(p for one in prompt.messages for p in one.parts)]
        texts = defaultdict(str)
        for part in parts:
            texts[part.name] += part.text
        print(f"  {name}: {sized(text_of(prompt), tokens)}")
        print("   ", ", ".join(f"{k} {sized(v, tokens)}" for k, v in texts.items()))


def forms(tokens):
    """Print the catalogue's size in each form."""
    for name, catalogue in APPS.items():
        texts = {form: write(catalogue) for form, write in FORMS.items()}
        print(
            f"  {name}:", ", ".join(f"{k} {sized(v, tokens)}" for k, v in texts.items())
        )


def turns(tokens):
    """Print how much of a turn's prompt is new, at once and over a session."""
    for name, catalogue in APPS.items():
        texts = [text_of(built(given)) for given in session(catalogue)]
        new, all_of_them = [], []
        for before, after in pairwise(texts):
            new.append(after[equal_start(before, after) :])
            all_of_them.append(after)
        share = 1 - len(new[0]) / len(all_of_them[0])
        over = 1 - sum(map(len, new)) / sum(map(len, all_of_them))
        print(
            f"  {name}: second turn {share:.1%} cached, {sized(new[0], tokens)} new;"
            f" {TURNS} turns {over:.1%}, {sized(new[len(new) // 2], tokens)} new"
        )


def equal_start(before, after):
    """How many characters a text begins like the one before with."""
    pairs = zip(before, after, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def building():
    """Print CPU time beside parsing the request: the median of paired rounds."""
    for name, catalogue in APPS.items():
        _, given, *_ = session(catalogue)
        sent = json.dumps(encode_message(given.message), ensure_ascii=False)
        inputs = [read_anew(given, sent) for _ in range(RUNS)]
        rounds = [
            (
                seconds([partial(json.loads, sent)] * RUNS),
                seconds([partial(built, one) for one in inputs]),
            )
            for _ in range(15)
        ]
        times = median(own / base for base, own in rounds)
        us = median(own for _, own in rounds) * 1e6
        print(f"  {name}: {times:.2f} x json.loads of the request ({us:.0f} us)")


def read_anew(given, sent):
    """The input of the same message, as it comes from a client."""
    return attrs.evolve(given, message=decode_message(sent).unwrap())


def seconds(runs):
    """CPU seconds of a run."""
    gc.collect()
    before = process_time()
    for run in runs:
        run()
    return (process_time() - before) / len(runs)


if __name__ == "__main__":
    count = counter()
    unit = "characters (tokens)" if count else "characters"
    print(f"sections of a second turn, {unit}")
    sections(count)
    print(f"the catalogue's forms, {unit}")
    forms(count)
    print(f"what is new in a turn's prompt, {unit}")
    turns(count)
    print("building, in CPU time")
    building()
