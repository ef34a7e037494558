"""explain and replay: recorded turns and saved pairs, in words, drawn, run again."""

import json
import sys

import pytest
from attrs import evolve
from returns.result import Failure

from maelstrom.adapters.cli import main
from maelstrom.adapters.cli.planners import PLANNERS
from maelstrom.adapters.cli.telling import tell, tell_attempt
from maelstrom.adapters.recorder import record_to
from maelstrom.core.completion import Completion, ModelCall, Usage
from maelstrom.core.diagnostics import Attempt
from maelstrom.core.errors import ProviderError
from maelstrom.core.healed import Drop, Repair, Skip
from maelstrom.core.healed import Warning as HealWarning
from maelstrom.core.messages import EngineMessage
from maelstrom.core.prompt import Message, Prompt, Section
from maelstrom.core.reasons import DROPS, REPAIRS, SKIPS, WARNINGS
from maelstrom.core.recording import record, tally
from maelstrom.core.replay import answered
from maelstrom.core.request import ChartResize, Dimensions, UserIntent, VesselMutation
from maelstrom.core.wire import encode_message
from tests.adapters.missing import hide_packages
from tests.core.recorded_turns import refused
from tests.core.turn_samples import LOST, TIMEOUT, message, position, request

ANSWER = {
    "rationale": "Both were asked for.",
    "executionPlan": [{"instanceId": "notes-1", "action": "fly"}],
    "layout": {
        "type": "grid",
        "positions": [
            position("notes-1"),
            position("clock-1", 0, 1),
            position("ghost", 2, 2),
            {"instanceId": "far", "row": 10**9},
        ],
    },
    "userMessage": "Here \x1b[31mthey are.",
}
TURN = answered(message(), json.dumps(ANSWER))


@pytest.fixture
def run(capsys):
    """Runs a command line: exit code, stdout, stderr."""

    def run_it(*arguments: str):
        code = main(arguments)
        return code, *capsys.readouterr()

    return run_it


@pytest.fixture
def saved(tmp_path):
    """Saves a turn, and gives its file."""

    def save(turn=TURN, content=True):
        return str(record_to(tmp_path / "turns", content).save(turn))

    return save


@pytest.fixture
def pair(tmp_path):
    """Saves a request and an answer, and gives their files."""
    (tmp_path / "request.json").write_text(json.dumps(encode_message(message())))
    (tmp_path / "answer.txt").write_text(json.dumps(ANSWER))
    return str(tmp_path / "request.json"), str(tmp_path / "answer.txt")


def _lines(recording):
    return [line for passage in tell(recording) for line in passage.lines]


def test_explain_tells_and_draws(run, saved, pair):
    """What was asked, said, kept and dropped, why, and both charts beside each other."""
    for names in ((saved(),), pair):
        code, out, err = run("explain", *names)

        assert (code, err) == (0, "")
        for words in (
            'the user said: "Show my notes"',
            'it said: "Here \\x1b[31mthey are."',
            'its reasons: "Both were asked for."',
            "kept 2 of 4 pieces and 0 of 1 plan entries",
            "dropped ghost at layout.positions[2]: a new instance that names no vessel",
            "skipped fly on notes-1 at executionPlan[0]: the current variant has no",
            "repaired clock-1 at layout.positions[1]: moved to the nearest free place",
            "severity medium: of the plan nothing survived",
            "the chart shows: notes-1, clock-1",
        ):
            assert words in out
        titles = next(line for line in out.splitlines() if line.startswith("proposed"))
        assert titles.split() == ["proposed", "healed"]
        assert "\x1b" not in out


def test_explain_in_words_draws_nothing(run, saved):
    """With --words no chart, and no rich."""
    code, out, _ = run("explain", saved(), "--words")

    assert code == 0
    assert "proposed" not in out
    assert "severity medium" in out


def test_explain_fits_a_narrow_terminal(run, saved, monkeypatch):
    """Where two charts have no room beside each other, one stands under the other."""
    monkeypatch.setenv("COLUMNS", "40")

    _, out, _ = run("explain", saved())

    titles = [line.strip() for line in out.splitlines()]
    assert titles.index("proposed") < titles.index("healed")


def test_explain_says_what_is_missing_without_content(run, saved):
    """Reasons and counts are told; for the rest, how to record it."""
    code, out, _ = run("explain", saved(content=False))

    assert code == 0
    assert "because of: user_intent" in out
    assert "record_to(folder, content=True)" in out
    assert "kept 2 of 4 pieces" in out
    assert "dropped layout.positions[2]: a new instance that names no vessel" in out
    assert "Show my notes" not in out


def test_explain_tells_of_failures_too(run, saved):
    """A refused message, an unreadable answer, an answer that was reflowed."""
    _, out, _ = run("explain", saved(refused()))
    assert "the message could not be decoded" in out
    assert "failed: there is no answer" in out

    _, out, _ = run("explain", saved(answered(message(), "Sorry, no.")))
    assert "what it wrote could not be used: Sorry, no." in out
    assert "provider_error: " in out

    lost = {**ANSWER, "layout": LOST.layout}
    _, out, _ = run("explain", saved(answered(message(), json.dumps(lost))))
    assert "reflowed: nothing was recoverable" in out


def test_every_reason_is_told_in_words():
    """No reason of the tables is left without its meaning."""
    tables = (
        (DROPS, lambda name: {"drops": (Drop(name, ("layout",), "x"),)}),
        (SKIPS, lambda name: {"skips": (Skip(name, 0, "x", "y", "type"),)}),
        (REPAIRS, lambda name: {"repairs": (Repair(name, ()),)}),
        (WARNINGS, lambda name: {"warnings": (HealWarning(name, ("rationale",)),)}),
    )
    attempt = TURN.attempts[0]
    for table, records in tables:
        for reason in table:
            healed = evolve(attempt.healed, **records(reason.name))
            told = tell_attempt(evolve(attempt, healed=healed), tally(attempt), None)
            assert any(reason.meaning in line for line in told.lines)


def test_what_a_turn_was_asked_is_told():
    """Every kind of reason, where things stand, and what was called."""
    reasons = (
        UserIntent("x"),
        ChartResize(Dimensions(9, 9)),
        ChartResize(),
        VesselMutation("notes-1", "a note was added"),
        VesselMutation("notes-1"),
    )
    asked = EngineMessage("s", "m", 10**15, request(reasons=reasons))
    call = ModelCall(
        "demo",
        "demo-1",
        Prompt((Section("role", "abc"),), (Message("user", (Section("ask", ""),)),)),
        7,
        Completion("", "d", finish_reason="length", usage=Usage(5, 6)),
        TIMEOUT,
    )
    turn = answered(asked, json.dumps(ANSWER))
    attempt = evolve(turn.attempts[0], calls=(call,))
    turn = evolve(turn, attempts=(attempt,), notes=("turn_not_recorded", "own"))

    lines = _lines(record(turn, content=True))

    for words in (
        "the chart was resized, which was 9 x 9",
        "the chart was resized",
        "notes-1 changed: a note was added",
        "notes-1 changed",
        "on a grid of 6 x 4, showing notes-1 (list), parked clock-1 (small)",
        "asked demo demo-1: 7 ms, 5 tokens in, 6 out, ended by length",
        "the prompt: role (3), ask",
        "provider_error: no answer in time",
        "the answer was returned, and not recorded in the history",
        "own",
        f"{10**15} ms since 1970, 0 ms",
    ):
        assert words in lines


def test_an_attempt_that_failed_says_so_once():
    """The call's error is the attempt's; another one is told beside it."""
    error = ProviderError("timeout", "demo", "no answer")
    call = ModelCall("demo", "d", Prompt((), ()), 1, None, error)

    once = tell_attempt(Attempt(1, (call,), error=error), None, None).lines
    other = tell_attempt(Attempt(1, (call,), error=TIMEOUT), None, None).lines

    assert sum("no answer" in line for line in once) == 1
    assert [line for line in other if "in time" in line]


def test_a_piece_that_was_too_small_says_what_it_needs():
    """Its size beside what the variants of its vessel need, as far as it is too small."""
    positions = [
        position("notes-1", width="1", height=2),
        position("clock-1", 0, 1, 0, 1),
        position("new", 2, 2, 1, 1, vesselId="notes", variant="list"),
        position("odd", 3, 3, "wide", 1, vesselId="notes", variant="list"),
    ]
    layout = {"type": "grid", "positions": positions}
    turn = answered(message(), json.dumps(ANSWER | {"layout": layout}))

    lines = [line.strip() for line in _lines(record(turn, content=True))]

    assert [line for line in lines if line.startswith("it has")] == [
        "it has 1 x 2, list needs 2 x 2",
        "it has 0 x 1, small needs 1 x 1",
        "it has 1 x 1, list needs 2 x 2",
    ]


def test_a_long_text_is_cut():
    """An intent of many pages is told in its first lines."""
    asked = message(intent="x" * 16_000)

    lines = _lines(record(answered(asked, json.dumps(ANSWER)), content=True))

    assert max(map(len, lines)) < 2_100


def test_replay_of_a_recording_ends_the_same(run, saved, pair):
    """The recorded answers, read and healed and decided again."""
    for names in ((saved(),), pair):
        code, out, _ = run("replay", *names)

        assert code == 0
        assert out == "the same outcome\n"


def test_replay_that_ends_otherwise_says_where(run, saved):
    """Exit code 1, and a line a difference."""
    healed = evolve(TURN.attempts[0].healed, drops=())
    attempts = (evolve(TURN.attempts[0], healed=healed),)

    code, out, _ = run("replay", saved(evolve(TURN, attempts=attempts)))

    assert code == 1
    assert "dropped ghost" in out
    assert out.splitlines()[-1] == "different: attempt 1: drops: not the same"


def test_replay_can_ask_anew(run, saved, monkeypatch):
    """With a planner the request is asked again, and told beside what was."""
    code, out, _ = run("replay", saved(), "--planner", "keyword")
    assert code == 0
    assert out.index("then") < out.index("now, without the session's history")
    assert "Already there: notes-1." in out

    async def away(_given, _context):
        return Failure(ProviderError("auth", "cloud", "the key was refused"))

    planners = {**PLANNERS, "keyword": lambda _model: away}
    monkeypatch.setattr("maelstrom.adapters.cli.planners.PLANNERS", planners)
    code, out, _ = run("replay", saved(), "--planner", "keyword")
    assert (code, "the key was refused" in out) == (3, True)


def test_what_cannot_be_replayed_says_why(run, saved, tmp_path):
    """One line on stderr, exit code 1."""
    (tmp_path / "other.json").write_text("{}")
    for arguments, words in (
        (("replay", saved(content=False)), "content=True"),
        (("replay", saved(refused())), "no request to run again"),
        (("replay", saved(refused()), "--planner", "keyword"), "no request to ask"),
        (("replay", str(tmp_path / "other.json")), "not a recording"),
        (("explain", str(tmp_path / "other.json")), "not a recording"),
        (("explain", str(tmp_path / "other.json"), saved()), "type: "),
    ):
        code, out, err = run(*arguments)

        assert (code, out, err.count("\n")) == (1, "", 1)
        assert words in err


def test_wrong_usage_is_said(run, saved, pair):
    """Exit code 2, one line."""
    for arguments in (
        ("explain",),
        ("explain", "-", "-"),
        ("explain", "no such file"),
        ("explain", *pair, "--policy", "harsh"),
        ("explain", *pair, "--policy", "[]"),
        ("replay", saved(), "--planner", "crystal ball"),
    ):
        code, out, err = run(*arguments)

        assert (code, out, err.count("\n")) == (2, "", 1)


def test_a_saved_pair_is_healed_under_a_policy(run, pair):
    """What heal would do under it is what is explained."""
    _, out, _ = run("explain", *pair, "--words", "--policy", '{"overlap": "drop"}')

    assert "dropped clock-1 at layout.positions[1]: shares a cell" in out


def test_trees_are_drawn_beside_each_other_too(run, pair, tmp_path):
    """A tiling's proposal is drawn from its root, as far as it can be."""
    leaf = {"id": "l", "kind": "leaf", "instanceId": "notes-1"}
    ghost = {"id": "g", "kind": "leaf", "instanceId": "ghost"}
    split = {"id": "s", "kind": "split", "direction": "row", "children": ["l", "g"]}
    layout = {"type": "tiling", "root": "s", "nodes": [split, leaf, ghost]}
    value = encode_message(message())
    value["payload"]["context"]["layoutMode"] = "tiling"
    value["payload"]["layout"] = {"type": "tiling", "root": None, "nodes": []}
    (tmp_path / "request.json").write_text(json.dumps(value))
    (tmp_path / "answer.txt").write_text(json.dumps({**ANSWER, "layout": layout}))

    code, out, _ = run("explain", *pair)

    assert code == 0
    assert "╭ ghost " in out
    assert out.count("╭ notes-1 ") == 2
    assert "repaired layout.nodes[0]: a split left with one child" in out


def test_without_rich_one_line_names_the_command(run, saved, pair, monkeypatch):
    """What draws needs the extra `cli`, and says so instead of a traceback."""
    for name in list(sys.modules):
        if name.startswith(("rich", "platformdirs", "maelstrom.adapters.cli.")) or (
            name == "maelstrom.adapters.draw"
        ):
            monkeypatch.delitem(sys.modules, name)
    hide_packages(monkeypatch, "rich", "platformdirs")
    for arguments in (
        ("heal", *pair, "--draw"),
        ("explain", saved()),
        ("eval",),
        ("demo", "hello"),
    ):
        code, out, err = run(*arguments)

        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "pip install 'maelstrom-engine[cli]'" in err
    assert run("explain", saved(), "--words")[0] == 0
    assert run("eval", "--json")[0] == 0
