"""How large is a prompt, how much of it is cached, how long does it take to build?

Prints, for the example app and for 10 and 50 vessels: characters of each section, an
estimate of tokens (4 characters each), the share of the second turn's bytes that equal
the first turn's from the start (what a prefix cache can serve), and the time to build.

    PYTHONPATH=core:effects:adapters python benchmarks/prompt.py
"""

from collections import Counter
from itertools import takewhile
from time import process_time
from timeit import repeat

import attrs

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

TEMPLATE = prepare_template().unwrap()
RUNS = 100


def vessels(count):
    """So many vessels like those of the example app."""
    return tuple(
        attrs.evolve(
            VESSELS[i % len(VESSELS)], id=f"{VESSELS[i % len(VESSELS)].id}-{i}"
        )
        for i in range(count)
    )


def first_turn(catalogue):
    """The input of a session's first turn, with three instances on the chart."""
    shown = [
        Instance(f"{one.id}-1", one.id, one.variants[0].id) for one in catalogue[:3]
    ]
    positions = [
        Position(one.instance_id, Cell(0, 4 * i), Size(4, 4))
        for i, one in enumerate(shown)
    ]
    context = Context((UserIntent("Show me next week"),), Dimensions(12, 8), "grid")
    request = ChartRequest(
        context, tuple(shown), catalogue, GridLayout(tuple(positions))
    )
    return PlanInput(EngineMessage("s", "1", 0, request), "Thursday, 2026-01-01 09:00")


def second_turn(first):
    """The next turn: the first one is in the history, and the user asks again."""
    request = first.request
    after = After(request.instances, request.context.chart_dimensions, "grid")
    turn = Turn(
        seq=1,
        request_id="1",
        digest="",
        timestamp=0,
        reasons=request.context.update_reasons,
        user_message="Here is your week.",
        rationale="A week was asked for.",
        execution_plan=(),
        layout=request.layout,
        after=after,
        severity="none",
        attempts=1,
    )
    context = attrs.evolve(request.context, update_reasons=(UserIntent("And today?"),))
    asked = EngineMessage("s", "2", 1, attrs.evolve(request, context=context))
    return attrs.evolve(
        first, message=asked, history=(turn,), local_time="Thursday, 2026-01-01 09:01"
    )


def text_of(prompt):
    """All of a prompt, in the order that a provider reads it."""
    messages = (f"[{message.role}]{message.text}" for message in prompt.messages)
    return prompt.system_text + "".join(messages)


def equal_share(before, after):
    """The share of a text that begins like the one before."""
    pairs = zip(before, after, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs)) / len(
        after
    )


def built(given):
    """The prompt of an input."""
    return build_prompt(given, TEMPLATE).unwrap()


def microseconds(given):
    """CPU time to build, warm: the best of many runs."""
    runs = repeat(lambda: built(given), timer=process_time, number=RUNS, repeat=20)
    return min(runs) / RUNS * 1e6


def report(name, catalogue):
    """Print what there is to know of one catalogue."""
    first = first_turn(catalogue)
    again = second_turn(first_turn(vessels(len(catalogue))))
    prompt = built(first)
    parts = [*prompt.system, *(part for one in prompt.messages for part in one.parts)]
    sizes = Counter({part.name: len(part.text) for part in parts})
    whole = text_of(prompt)
    share = equal_share(whole, text_of(built(second_turn(first))))
    print(f"{name}: {len(whole)} characters, about {len(whole) // 4} tokens")
    print("  ", ", ".join(f"{part} {size}" for part, size in sizes.most_common()))
    print(f"   second turn: {share:.1%} of its bytes begin like the first's")
    print(f"   built in {microseconds(first):.0f} us (the same vessels)")
    if len(catalogue) > len(VESSELS):
        print(f"            {microseconds(again):.0f} us (equal vessels, read anew)")


if __name__ == "__main__":
    report("example app", VESSELS)
    report("10 vessels", vessels(10))
    report("50 vessels", vessels(50))
