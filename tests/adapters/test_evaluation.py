"""Cases, what they check, and what an evaluation comes to."""

import asyncio
import json
from importlib.resources import files

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.adapters.cli.evaluate import evaluate
from maelstrom.adapters.eval_case import read_cases
from maelstrom.adapters.evaluation import Scored, score, summarize
from maelstrom.core.diagnostics import Diagnostics
from maelstrom.core.errors import ProviderError
from maelstrom.core.messages import EngineMessage
from maelstrom.core.prune import placed
from maelstrom.core.replay import answered
from maelstrom.core.retry import RetryPolicy
from maelstrom.core.wire import encode_request
from maelstrom.effects.keyword import keyword_planner
from tests.core.turn_samples import request

SHIPPED = files("maelstrom.adapters").joinpath("eval_cases.json").read_bytes()


def _read(*cases):
    return read_cases(json.dumps(cases)).unwrap()


def _case(must=None, must_not=None, **changes):
    value = {"name": "one", "app": "demo", "intent": "x", **changes}
    if must is not None:
        value["must"] = must
    if must_not is not None:
        value["mustNot"] = must_not
    return _read(value)[0]


def _turn(case, *positions, plan=(), says="Here."):
    layout = {"type": "grid", "positions": list(positions)}
    answer = {"executionPlan": list(plan), "layout": layout, "userMessage": says}
    return answered(EngineMessage("s", "m", 0, case.request), json.dumps(answer))


def _piece(name, column=0, width=5, height=3, **more):
    place = {"row": 0, "column": column}
    size = {"width": width, "height": height}
    return {"instanceId": name, "position": place, "size": size, **more}


NOTES = _piece("notes-1", 7, vesselId="notes", variant="list")
CALENDAR = _piece("calendar-1")
FOLD = {"instanceId": "calendar-1", "action": "collapse"}
ADD = {
    "instanceId": "calendar-1",
    "action": "addEvent",
    "params": {"title": " Lunch "},
}


@pytest.mark.parametrize(
    ("expected", "holds"),
    [
        ({"instances": ["calendar-1", "notes-1"]}, True),
        ({"instances": ["weather-1"]}, False),
        ({"vessels": ["notes", "calendar"]}, True),
        ({"vessels": ["tasks"]}, False),
        ({"variants": {"calendar-1": "collapsed", "notes": "list"}}, True),
        ({"variants": {"calendar": "week"}}, False),
        ({"actions": [{"on": "calendar", "action": "collapse"}]}, True),
        ({"actions": [{"on": "calendar-1", "params": {"title": "lunch"}}]}, True),
        ({"actions": [{"action": "addEvent", "params": {"title": "dinner"}}]}, False),
        ({"actions": [{"action": "addEvent", "params": {"place": "here"}}]}, False),
        ({"actions": [{"on": "notes"}]}, False),
        ({"nothingLost": True}, True),
        ({"message": True, "answered": True}, True),
    ],
)
def test_what_holds_of_an_answer(expected, holds):
    """Each check holds or does not; under mustNot it is the other way round."""
    shown = {"calendar-1": "week"}
    must = _case(expected, shown=shown)
    must_not = _case(None, expected, shown=shown)
    answer = (CALENDAR, NOTES)

    scored = score(must, _turn(must, *answer, plan=[ADD, FOLD]))
    turned = score(must_not, _turn(must_not, *answer, plan=[ADD, FOLD]))

    assert scored.met is holds
    assert turned.met is not holds
    assert (scored.proposed, scored.shown) == (2, 2)


def test_something_lost_is_noticed():
    """A piece that goes, a piece that is dropped, an action that is skipped."""
    case = _case({"nothingLost": True}, shown={"calendar-1": "week"})
    ghost = _piece("ghost")

    assert not score(case, _turn(case, NOTES)).met
    assert not score(case, _turn(case, CALENDAR, ghost)).met
    assert not score(case, _turn(case, CALENDAR, plan=[{"action": "fly"}])).met
    assert score(case, _turn(case, CALENDAR)).met


def test_a_last_resort_is_no_answer():
    """What was reflowed for want of anything else does not count as answered."""
    case = _case({"answered": True}, shown={"calendar-1": "week"})

    scored = score(case, _turn(case, _piece("ghost")))

    assert scored.failures == ("must: answered",)


def test_an_error_fails_the_case():
    """A turn without an answer meets nothing, and a provider's fault is told apart."""
    case = _case({"message": True})
    error = ProviderError("auth", "demo", "the key was refused")

    scored = score(case, Diagnostics(None, 0, 1, "failed", error=error))

    assert scored.failures == ("provider_error: the key was refused",)
    assert scored.provider_failed
    assert score(case, Diagnostics(None, 0, 1, "failed")).failures == ("no answer",)


def test_a_request_in_full_is_a_case_of_any_app():
    """The short form is the example app's alone."""
    whole = {"name": "own", "request": encode_request(request()), "must": {}}

    (case,) = _read(whole)

    assert case.request == request()


def test_the_short_form_places_what_is_shown():
    """Instances stand on the chart as it was before a resize; the others are parked."""
    case = _case(
        shown={"calendar-1": "week", "notes-1": "list"},
        parked={"weather-1": "current"},
        reasons=[{"type": "chart_resize", "previous": {"columns": 20, "rows": 9}}],
    )
    assert placed(case.request.layout) == ("calendar-1", "notes-1")
    assert len(case.request.instances) == 3
    tiling = _case(mode="tiling", shown={"calendar-1": "week", "tasks-1": "list"})
    assert set(placed(tiling.request.layout)) == {"calendar-1", "tasks-1"}


def test_a_file_may_hold_a_case_a_line():
    """Lines that are empty are passed over."""
    lines = [json.dumps({"name": str(n), "app": "demo", "intent": "x"}) for n in (1, 2)]

    assert len(read_cases("\n\n".join(lines)).unwrap()) == 2
    assert len(read_cases(lines[0].encode()).unwrap()) == 1


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (5, "case 1: not an object"),
        ({}, "it has no name"),
        ({"name": "a", "mood": 1}, "no such key: mood"),
        ({"name": "a"}, "neither a request nor an app"),
        ({"name": "a", "app": "other"}, "neither a request nor an app"),
        ({"name": "a", "request": 5}, "request: not an object"),
        ({"name": "a", "request": {}}, "request: "),
        ({"name": "a", "request": {}, "intent": "x"}, "no such key: intent"),
        ({"name": "a", "app": "demo"}, "request: "),
        ({"name": "a", "app": "demo", "intent": 5}, "request: "),
        ({"name": "a", "app": "demo", "intent": "x", "mode": "round"}, "request: "),
        ({"name": "a", "app": "demo", "intent": "x", "columns": 0}, "columns"),
        ({"name": "a", "app": "demo", "intent": "x", "shown": []}, "map instances"),
        ({"name": "a", "app": "demo", "intent": "x", "shown": {"n": 1}}, "no n like"),
        ({"name": "a", "app": "demo", "shown": {"n-1": "list"}}, "no n-1 like"),
        ({"name": "a", "app": "demo", "reasons": 5}, "request: "),
    ],
)
def test_a_case_at_fault_is_named(case, words):
    """The first bad case is said by number and name, with what is wrong."""
    assert words in read_cases(json.dumps([case])).failure()


@pytest.mark.parametrize(
    ("must", "words"),
    [
        (5, "must: not an object"),
        ({"mood": 1}, "must: no such key: mood"),
        ({"instances": "a"}, "must.instances: not a list of texts"),
        ({"vessels": [5]}, "must.vessels: not a list of texts"),
        ({"variants": []}, "must.variants: not an object"),
        ({"variants": {"a": 5}}, "must.variants: not a list of texts"),
        ({"actions": {}}, "must.actions: not a list"),
        ({"actions": [5]}, "must.actions: no object"),
        ({"actions": [{"who": "a"}]}, "must.actions: no object"),
        ({"actions": [{"params": 5}]}, "must.actions: no object"),
        ({"actions": [{"on": 5}]}, "must.actions: not a list of texts"),
        ({"message": False}, "must.message: true, or left out"),
    ],
)
def test_an_expectation_at_fault_is_named(must, words):
    """A misspelt expectation is no expectation that always holds."""
    case = {"name": "a", "app": "demo", "intent": "x", "must": must}

    assert words in read_cases(json.dumps([case])).failure()


def test_a_file_at_fault_is_named():
    """What is no JSON, empty, or names a case twice."""
    case = {"name": "a", "app": "demo", "intent": "x"}

    assert "line 1" in read_cases("{").failure()
    assert read_cases("").failure() == "it holds no case"
    assert "an earlier case" in read_cases(json.dumps([case, case])).failure()
    assert "line 2" in read_cases(json.dumps(case) + "\n\xff{").failure()


_scores = st.builds(
    Scored,
    name=st.just("x"),
    failures=st.sampled_from(((), ("must: message",))),
    provider_failed=st.booleans(),
    attempts=st.integers(0, 3),
    read=st.integers(0, 3),
    proposed=st.integers(0, 9),
    shown=st.integers(0, 9),
    input_tokens=st.none() | st.integers(0, 99),
    output_tokens=st.none() | st.integers(0, 99),
    milliseconds=st.integers(0, 99),
)


@given(st.lists(_scores))
def test_a_summary_is_the_sum_of_its_scores(scores):
    """Shares are of the whole, and None where there is no whole."""
    summary = summarize(scores)

    assert summary.cases == len(scores)
    assert summary.met == sum(not one.failures for one in scores)
    known = [one.input_tokens for one in scores if one.input_tokens is not None]
    assert summary.input_tokens == (sum(known) if known else None)
    if (attempts := sum(one.attempts for one in scores)) == 0:
        assert (summary.parse_rate, summary.retry_rate) == (None, None)
    else:
        assert summary.parse_rate == sum(one.read for one in scores) / attempts
    assert summarize([*scores, *scores]).met_share == summary.met_share


def test_the_shipped_cases_measure_the_keyword_planner():
    """Forty cases; it meets those in its words, and not those that need understanding."""
    cases = read_cases(SHIPPED).unwrap()

    scores = asyncio.run(evaluate(cases, keyword_planner(), RetryPolicy(max=0)))

    summary = summarize(scores)
    unmet = {one.name for one in scores if not one.met}
    assert (summary.cases, summary.parse_rate, summary.retry_rate) == (40, 1, 0)
    assert summary.surviving_pieces == 1
    assert 0.7 <= summary.met_share < 1
    assert "paraphrase: free on Friday" in unmet
    assert "two actions" in unmet


def test_no_shipped_case_is_met_by_doing_nothing():
    """An answer that leaves the chart as it is meets only the cases that ask for that."""
    cases = read_cases(SHIPPED).unwrap()

    met = set()
    for case in cases:
        asked = evolve(case.request.context, update_reasons=())
        same = encode_request(evolve(case.request, context=asked))["layout"]
        answer = {"executionPlan": [], "layout": same, "userMessage": "Done."}
        turn = answered(EngineMessage("s", "m", 0, case.request), json.dumps(answer))
        met |= {case.name} if score(case, turn).met else set()

    assert met <= {"nothing fits", "mutation", "resize smaller"}
