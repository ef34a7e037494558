"""Whole prompts: their order, their prefixes, their limit, and what cannot get in."""

import json
import re
from itertools import pairwise

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.core.errors import RequestValidationError, ValidationError
from maelstrom.core.healed import Feedback, FeedbackItem
from maelstrom.core.limits import Limits
from maelstrom.core.prompt_customize import append, remove, replace, transform
from maelstrom.core.prompt_template import (
    SYSTEM_SECTIONS,
    USER_SECTIONS,
    build_prompt,
    prepare_template,
)
from maelstrom.core.request import (
    ChartResize,
    Context,
    Dimensions,
    Instance,
    UserIntent,
    VesselMutation,
)
from maelstrom.core.vessel import Action, Variant, Vessel
from tests.core.prompt_inputs import (
    FEEDBACK,
    golden_inputs,
    past_turn,
    plan_input,
    with_request,
)

PLAIN = prepare_template().unwrap()
MODES = ["grid", "tiling"]

NO_SECTION = (
    "no such section: there are role, rules, output, vessels, history, chart, instances,"
    " layout, reasons, resize_rule, mutation_rule, feedback, now"
)


def _prompt(given_input, template=PLAIN):
    return build_prompt(given_input, template).unwrap()


def _names(prompt):
    return [[part.name for part in message.parts] for message in prompt.messages]


def _text(prompt):
    messages = (f"\n\n[{one.role}]\n\n{one.text}" for one in prompt.messages)
    return prompt.system_text + "".join(messages)


def _before_last(prompt):
    """The bytes before what is true and asked right now."""
    parts = [
        (message.role, part.name, part.text)
        for message in prompt.messages
        for part in message.parts
    ]
    stable = [part for part in parts if part[1] in {"vessels", "history"}]
    assert parts[: len(stable)] == stable
    return prompt.system_text + json.dumps(stable)[:-1]


def test_the_order_of_sections() -> None:
    """What changes rarely comes first; adjacent parts of a role are one message."""
    turns = (past_turn(number=1), past_turn(number=2))
    reasons = (UserIntent("Hello"), VesselMutation("calendar-1"))
    given_input = plan_input(
        reasons=reasons, history=turns, attempt=2, feedback=FEEDBACK
    )
    prompt = _prompt(given_input)
    last = ["chart", "instances", "layout", "reasons", "mutation_rule", "feedback"]

    assert [section.name for section in prompt.system] == list(SYSTEM_SECTIONS)
    assert [one.role for one in prompt.messages] == [
        "user", "assistant", "user", "assistant", "user",
    ]  # fmt: skip
    assert _names(prompt) == [
        ["vessels", "history"],
        ["history"],
        ["history"],
        ["history"],
        [*last, "now"],
    ]
    assert set(USER_SECTIONS) == {"vessels", "history", "resize_rule", "now", *last}


def test_sections_that_a_turn_has_no_use_for_are_left_out() -> None:
    """A first turn of a message without a date has neither history nor time."""
    given_input = attrs.evolve(plan_input(), local_time=None)

    assert _names(_prompt(given_input)) == [
        ["vessels", "chart", "instances", "layout", "reasons"]
    ]


@pytest.mark.parametrize(
    ("reasons", "rules"),
    [
        ((ChartResize(),), {"resize_rule"}),
        ((ChartResize(), ChartResize(Dimensions(1, 1))), {"resize_rule"}),
        ((ChartResize(), UserIntent("x")), set()),
        ((ChartResize(), VesselMutation("calendar-1")), {"mutation_rule"}),
    ],
)
def test_rules_of_a_turn_follow_its_reasons(reasons, rules) -> None:
    """The resize rule stands alone on resize-only turns: the plan's own predicate."""
    names = {
        name
        for message in _names(_prompt(plan_input(reasons=reasons)))
        for name in message
    }

    assert {name for name in names if name.endswith("_rule")} == rules


def test_reasons_are_worded_by_kind() -> None:
    """What was asked, which size became which, which vessel changed."""
    reasons = (
        UserIntent('Say "hi"'),
        ChartResize(),
        ChartResize(Dimensions(4, 3)),
        VesselMutation("calendar-1", "A new event"),
        VesselMutation("gone-1"),
    )
    prompt = _prompt(plan_input(reasons=reasons))
    text = next(
        part.text for part in prompt.messages[0].parts if part.name == "reasons"
    )

    assert text.splitlines() == [
        "<reasons>",
        'The user asks: "Say \\"hi\\""',
        "The chart was resized to 12 columns and 8 rows.",
        "The chart was resized from 4 columns and 3 rows to 12 columns and 8 rows.",
        'Instance "calendar-1" of vessel "calendar" changed: "A new event"',
        'Instance "gone-1" changed',
        "</reasons>",
    ]


def test_now_without_a_locale() -> None:
    """The local time alone, where the app names no language."""
    given_input = plan_input()
    context = attrs.evolve(given_input.request.context, locale=None)
    prompt = _prompt(with_request(given_input, context=context))

    assert prompt.messages[0].parts[-1].text == (
        '<now>\n"Thursday, 2026-01-01 00:00 (UTC)"\n</now>'
    )


@pytest.mark.parametrize("mode", MODES)
def test_a_turn_begins_with_the_bytes_of_the_turn_before(mode) -> None:
    """The history only grows, so that providers' prefix caches hit."""
    turns = tuple(past_turn(mode, number) for number in range(1, 5))
    prompts = [
        _before_last(_prompt(plan_input(mode, history=turns[:length])))
        for length in range(5)
    ]

    for before, after in pairwise(prompts):
        assert after.startswith(before)


@pytest.mark.parametrize("mode", MODES)
def test_the_system_prompt_is_constant(mode) -> None:
    """The same for every turn of a layout mode, and every template that changes none."""
    again = prepare_template({"chart": remove()}).unwrap()
    systems = {
        _prompt(given_input, template).system
        for given_input in golden_inputs(mode).values()
        for template in (PLAIN, again)
    }

    assert len(systems) == 1


def test_nothing_before_the_last_part_tells_turns_apart() -> None:
    """No id, time or count of a turn stands before what is asked right now."""
    turn = past_turn()
    other = attrs.evolve(turn, seq=9, request_id="other", timestamp=5, digest="f" * 64)

    assert _prompt(plan_input(history=(turn,))) == _prompt(plan_input(history=(other,)))


def test_the_same_catalogue_gives_the_same_bytes() -> None:
    """The order of keys in a schema does not show; the type of a value does."""

    def text(schema):
        action = Action("go", "Go", params=schema)
        vessel = Vessel("v", "V", (Variant("a", "A", actions=(action,)),))
        given_input = with_request(plan_input(), vessels=(vessel,), instances=())
        return _prompt(given_input).messages[0].parts[0].text

    ordered = text({"type": "object", "default": {"a": 1, "b": 2}})

    assert text({"default": {"b": 2, "a": 1}, "type": "object"}) == ordered
    assert '"default":1,' in text({"type": "object", "default": 1})
    assert '"default":true,' in text({"type": "object", "default": True})
    assert '"default":1,' in text({"type": "object", "default": 1})


def test_an_app_of_one_vessel_reads_of_no_other() -> None:
    """The prompt names no vessel, variant or action of its own invention."""
    vessel = Vessel("zyx", "The only one", (Variant("wvu", "Its only form"),))
    given_input = with_request(
        plan_input(), vessels=(vessel,), instances=(Instance("zyx-1", "zyx", "wvu"),)
    )
    layout = type(given_input.request.layout)()
    text = _text(_prompt(with_request(given_input, layout=layout))).lower()

    for word in ("calendar", "weather", "tasks", "notes", "showweek", "month"):
        assert word not in text


TAGS = sorted({
    tag
    for given_input in (
        plan_input(history=(past_turn(),), attempt=2, feedback=FEEDBACK),
    )
    for tag in re.findall(r"</?\w+>", _text(_prompt(given_input)))
    if not tag.startswith("<id") and tag != "<why>"
})  # fmt: skip
hostile = st.one_of(
    st.sampled_from(
        [*TAGS, "&lt;/vessels&gt;", '"', "\\", "\\u003c", "\n===", "[user]"]
    ),
    st.text(max_size=8),
)
outside = st.lists(hostile, min_size=1, max_size=4).map("".join)


@given(outside, outside)
def test_no_outside_text_closes_its_block(one, two) -> None:
    """Whatever an app or a user writes stays inside a JSON string of its block."""

    def built(first, second):
        action = Action("act", second, params={"title": first})
        vessel = Vessel("v", first, (Variant("a", second, actions=(action,)),))
        turn = attrs.evolve(
            past_turn(reasons=(UserIntent(first), VesselMutation("i", second))),
            user_message=second,
            rationale=first,
        )
        given_input = plan_input(
            reasons=(UserIntent(first), VesselMutation("i", second)),
            history=(turn,),
            attempt=2,
            feedback=Feedback(2, (FeedbackItem("tree_cycle", first, second, first),)),
        )
        context = attrs.evolve(given_input.request.context, locale=second)
        return _prompt(
            with_request(
                given_input,
                context=context,
                vessels=(vessel,),
                instances=(Instance(first, "v", "a"), Instance("i", "v", second)),
            )
        )

    mark = re.compile(r"[<>&]")
    plain = _text(built("plain", "plain"))

    assert mark.findall(_text(built(one, two))) == mark.findall(plain)
    assert json.loads(built(one, two).messages[1].text)["userMessage"] == two


def test_a_prompt_over_the_limit_is_the_requests_fault() -> None:
    """No model is asked; the vessels are what makes a prompt large."""
    given_input = plan_input()
    size = len(_prompt(given_input).system_text) + len(
        _prompt(given_input).messages[0].text
    )
    fits = attrs.evolve(given_input, limits=Limits(prompt_characters=size))
    over = attrs.evolve(given_input, limits=Limits(prompt_characters=size - 1))
    failed = build_prompt(over, PLAIN).failure()

    assert _prompt(fits) == _prompt(given_input)
    assert isinstance(failed, RequestValidationError)
    assert [(issue.path, issue.code) for issue in failed.issues] == [
        (("payload", "vessels"), "too_large")
    ]


def test_sections_are_customized_by_name() -> None:
    """System sections once, the others with each request's input."""
    asked = []
    template = prepare_template(
        {
            "role": append("Be brief."),
            "rules": remove(),
            "vessels": transform(lambda text, given_input: text.lower()),
            "now": remove(),
            "feedback": transform(lambda text, given_input: asked.append(text)),
        }
    ).unwrap()
    prompt = _prompt(plan_input(), template)

    assert prompt.system[0].text.endswith("\nBe brief.")
    assert [section.name for section in prompt.system] == ["role", "output"]
    assert prompt.messages[0].parts[0].text == (
        _prompt(plan_input()).messages[0].parts[0].text.lower()
    )
    assert "now" not in _names(prompt)[0]
    assert asked == []


def test_customizing_the_history() -> None:
    """The answers of past turns stay as they were; removing takes both."""
    given_input = plan_input(history=(past_turn(),))
    replaced = prepare_template({"history": replace("Earlier.")}).unwrap()
    removed = prepare_template({"history": remove()}).unwrap()
    prompt = _prompt(given_input, replaced)

    assert prompt.messages[0].parts[1].text == "Earlier."
    assert prompt.messages[1] == _prompt(given_input).messages[1]
    assert _prompt(given_input, removed) == _prompt(plan_input())


@pytest.mark.parametrize(
    ("customizers", "error"),
    [
        ({"roles": remove()}, ValidationError("roles", NO_SECTION)),
        ({5: remove()}, ValidationError("5", NO_SECTION)),
        (
            {"role": "Mine."},
            ValidationError(
                "role", "use replace, prepend, append, transform or remove"
            ),
        ),
        ({"chart": replace(5)}, ValidationError("chart", "its text is no text")),
        ({"chart": transform(5)}, ValidationError("chart", "its function is none")),
        (
            {"role": transform(lambda text: None)},
            ValidationError("role", "its customizer gave no text"),
        ),
        (
            {"output": transform(lambda text: "grid" if "positions" in text else "")},
            ValidationError("output", "its customizer gave no text"),
        ),
    ],
)
def test_what_is_wrong_shows_before_any_request(customizers, error) -> None:
    """Unknown names, no customizers, and system sections that fail in either mode."""
    assert prepare_template(customizers).failure() == error


def test_a_section_that_fails_on_a_request_is_named() -> None:
    """The first request that meets it ends in a ValidationError."""
    template = prepare_template(
        {"reasons": transform(lambda text, given_input: text + given_input.missing)}
    ).unwrap()

    assert build_prompt(plan_input(), template).failure() == ValidationError(
        "reasons", "its function raised AttributeError"
    )


def test_the_apps_mapping_is_copied() -> None:
    """A template does not change with the mapping that it was made of."""
    customizers = {"now": remove()}
    template = prepare_template(customizers).unwrap()
    before = _prompt(plan_input(), template)
    customizers["chart"] = remove()

    assert _prompt(plan_input(), template) == before


def test_a_context_of_our_own_is_read_alone() -> None:
    """Building a prompt changes nothing of its input."""
    given_input = plan_input(history=(past_turn(),))
    copied = plan_input(history=(past_turn(),))
    _prompt(given_input)

    assert given_input == copied
    assert isinstance(given_input.request.context, Context)
