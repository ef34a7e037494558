"""The playground in a real Chromium, on the real server."""

import json
import re

import pytest

from tests.e2e.browser import AXE, chromium, need
from tests.e2e.served import HOSTILE_ID, SCRIPT, serving

WIDE = {"width": 1360, "height": 860}


@pytest.fixture(scope="module")
def browser():
    """One browser for all tests."""
    with chromium() as launched:
        yield launched


@pytest.fixture(scope="module")
def server():
    """One server for all tests: each context is a subject of its own."""
    with serving() as address:
        yield address


@pytest.fixture
def context(browser):
    """A visitor; animations are off, so that what is asked for is there at once."""
    made = browser.new_context(
        viewport=WIDE, reduced_motion="reduce", locale="en-GB", timezone_id="UTC"
    )
    made.set_default_timeout(8_000)
    yield made
    made.close()


@pytest.fixture
def page(context, server):
    """The page, ready; nothing that it logs or throws is an error."""
    opened = context.new_page()
    faults = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.goto(server)
    ready(opened)
    yield opened
    assert faults == []


def ready(page) -> None:
    """Wait until the session is restored."""
    page.wait_for_selector("body[data-ready]")


def heard(page) -> int:
    """How often the engine has answered, errors counted."""
    return page.locator(".entry:not(.user)").count()


def after(page, count: int) -> None:
    """Wait until the engine has answered this often."""
    page.wait_for_function(
        "n => document.querySelectorAll('.entry:not(.user)').length >= n", arg=count
    )


def say(page, text: str) -> None:
    """Say something and wait for the answer."""
    before = heard(page)
    page.fill("#say", text)
    page.press("#say", "Enter")
    after(page, before + 1)


def reasons_of(page) -> list:
    """A list that each request's reasons will be added to."""
    sent = []

    def note(request) -> None:
        if request.url.endswith("/v1/messages"):
            sent.append(json.loads(request.post_data)["payload"]["context"])

    page.on("request", note)
    return sent


def variant(page, vessel: str) -> str:
    """The variant that the shown instance of a vessel is in."""
    return page.locator(f"[data-vessel={vessel}]").get_attribute("data-variant")


def drag(page, across: int, down: int = 0, steps: int = 4) -> None:
    """Drag the grip by pixels."""
    box = page.locator("#grip").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across, y + down, steps=steps)
    page.mouse.up()


def settle(page) -> None:
    """Let the sizer's quiet time pass: what has not been asked by then, will not be."""
    page.wait_for_timeout(400)


def test_a_turn_of_the_chat(page):
    """What is asked for appears, with real dates, and the answer stands in the chat."""
    say(page, "Show me my calendar for next week")

    today = page.evaluate("new Date().toISOString().slice(0, 10)")
    day = page.locator(f"[data-vessel=calendar] [data-day='{today}']")
    assert day.get_attribute("aria-pressed") == "true"
    assert page.locator("[data-vessel=calendar] [data-day]").count() == 7
    assert page.locator(".entry.user").inner_text().endswith("for next week")
    assert page.locator("#log").get_attribute("aria-live") == "polite"


def test_a_turn_of_a_model(page):
    """What a model answers to our prompt is shown, and both can be looked into."""
    say(page, "model")
    assert page.locator(".entry.engine p").inner_text() == "Here is the weather."
    assert variant(page, "weather") == "current"
    page.locator(".look").click()
    panel = page.locator("#panel-inspector")
    panel.get_by_text("scripted · scripted-1").wait_for()
    panel.get_by_text("Raw answer").click()
    assert json.loads(panel.get_by_label("Raw answer").inner_text())["rationale"]
    panel.get_by_text("Prompt, ").click()
    panel.get_by_text("user · reasons").click()

    assert "model" in panel.get_by_label("reasons").inner_text()


def test_an_action_moves_a_vessel(page):
    """Asked in the chat or clicked in the vessel, an action leads to its variant."""
    say(page, "Show me my calendar for next week")
    say(page, "Show the month")
    assert variant(page, "calendar") == "month"
    assert page.locator("[data-vessel=calendar] [data-day]").count() >= 28
    sent = reasons_of(page)
    before = heard(page)
    page.locator("[data-vessel=calendar] .tools [data-key=showWeek]").click()
    after(page, before + 1)

    assert variant(page, "calendar") == "week"
    (reason,) = sent[0]["updateReasons"]
    assert reason["type"] == "vessel_mutation"
    assert reason["description"] == "The user chose showWeek."


def test_what_is_collapsed_can_be_opened(page):
    """One line stays, with the next event whole in it, and a button that opens it."""
    say(page, "Show me my calendar")
    before = heard(page)
    page.locator("[data-vessel=calendar] [data-key=collapse]").click()
    after(page, before + 1)
    assert variant(page, "calendar") == "collapsed"
    line = page.locator("[data-vessel=calendar] .next")
    assert line.evaluate("one => one.scrollWidth <= one.clientWidth")
    page.locator("[data-vessel=calendar] .tools").get_by_text("week").last.click()
    after(page, before + 2)

    assert variant(page, "calendar") == "week"


def test_vessels_work_and_tell(page):
    """Days are selected, tasks ticked and added, notes written: each is a mutation."""
    say(page, "Open my tasks and notes")
    sent = reasons_of(page)
    count = heard(page)
    page.get_by_label("Water the plants").check()
    after(page, count + 1)
    page.get_by_label("New task").fill("Buy <b>milk</b>")
    page.get_by_label("New task").press("Enter")
    after(page, count + 2)
    page.locator("[data-vessel=notes] .tools button").click()
    after(page, count + 3)
    page.get_by_label("Note", exact=True).fill("A new thought")
    after(page, count + 4)
    page.locator("[data-vessel=notes] .tools button").click()
    after(page, count + 5)

    told = [one["updateReasons"][0]["description"] for one in sent]
    assert told[0] == 'The user marked "Water the plants" as done.'
    assert told[1] == 'The user added the task "Buy <b>milk</b>".'
    assert told[3] == 'The user wrote the note "A new thought".'
    assert page.get_by_label("Buy <b>milk</b>").count() == 1
    assert page.get_by_role("button", name="A new thought").count() == 1
    say(page, "Add a task buy bread")
    assert page.locator(".tasks li").count() == 6


def test_weather_is_of_a_city(page):
    """The forecast is the same for a city on each visit, and another for another."""
    say(page, "Add the weather")
    say(page, "Show the forecast")
    lisbon = page.locator(".forecast").inner_text()
    page.get_by_label("City").fill("Tromsø")
    before = heard(page)
    page.get_by_label("City").press("Enter")
    after(page, before + 1)
    assert page.locator(".forecast").inner_text() != lisbon
    page.get_by_label("City").fill("Lisbon")
    page.get_by_label("City").press("Enter")
    after(page, before + 2)

    assert page.locator(".forecast").inner_text() == lisbon
    assert page.locator(".forecast li").count() == 5


def test_a_resize_both_ways(page):
    """Shrinking parks what does not fit, growing brings it back in its variant."""
    say(page, "Open my tasks and notes")
    say(page, "Show me my calendar for next week")
    say(page, "Show the month")
    sent = reasons_of(page)
    before = heard(page)
    drag(page, -700, -200)
    after(page, before + 1)
    settle(page)

    assert len(sent) == 1
    assert sent[0]["updateReasons"][0]["previous"] == {"columns": 16, "rows": 13}
    assert page.locator("#parked").inner_text() != ""
    page.locator("#grip").press("Home")
    after(page, before + 2)
    page.wait_for_function("() => document.getElementById('parked').textContent === ''")
    assert variant(page, "calendar") == "month"
    assert page.locator(".vessel").count() == 3
    settle(page)
    assert len(sent) == 2


def test_a_pixel_is_no_resize(page):
    """A request for each change of the cells, and none for what leaves them."""
    say(page, "Add the weather")
    sent = reasons_of(page)
    drag(page, -1, -1, steps=1)
    settle(page)
    assert sent == []
    before = heard(page)
    drag(page, -60, 0)
    after(page, before + 1)
    settle(page)

    assert [one["chartDimensions"]["columns"] for one in sent] == [15]


def test_the_chart_clips(page):
    """Before the engine has answered, what reaches over the edge is not seen."""
    say(page, "Show me my calendar for next week")
    page.locator("#frame").evaluate("frame => { frame.style.width = '120px' }")
    sizes = page.locator("#frame").evaluate(
        "frame => [frame.clientWidth, frame.scrollLeft, "
        "document.documentElement.scrollWidth <= innerWidth]"
    )

    assert sizes == [120, 0, True]


def test_a_wide_page_does_not_scroll(page):
    """However long the conversation, it scrolls in its panel, and the chart stays."""
    for _ in range(12):
        say(page, "Add the weather")

    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") == 0
    log = page.locator("#log")
    assert (
        log.evaluate("log => log.scrollHeight - log.clientHeight - log.scrollTop") < 2
    )
    assert log.evaluate("log => log.scrollTop") > 0


def test_a_narrow_board_breaks_no_word(page):
    """Where three columns have no room beside each other, they stand in a row down."""
    say(page, "Show me my calendar")
    say(page, "Add the weather")
    say(page, "Open my tasks and notes")
    before = heard(page)
    page.locator("[data-vessel=tasks] .tools button").click()
    after(page, before + 1)
    page.locator("#modes").get_by_text("Tiling").click()
    after(page, before + 2)

    tasks = page.locator("[data-vessel=tasks]")
    assert tasks.bounding_box()["width"] < 300
    texts = tasks.locator(".board li span").evaluate_all(
        "all => all.map(one => [one.scrollWidth <= one.clientWidth, one.clientWidth])"
    )
    assert len(texts) == 4
    assert all(whole and width > 80 for whole, width in texts)


def test_tiling(page):
    """A switch starts empty and tiles what was parked; back again, all is in place."""
    say(page, "Open my tasks and notes")
    sent = reasons_of(page)
    before = heard(page)
    page.locator("#modes").get_by_text("Tiling").click()
    after(page, before + 1)

    assert sent[0]["layoutMode"] == "tiling"
    boxes = [one.bounding_box() for one in page.locator(".vessel").all()]
    room = page.locator("#frame").bounding_box()
    assert len(boxes) == 2
    assert sum(box["width"] for box in boxes) == pytest.approx(room["width"], abs=2)
    page.locator("#modes").get_by_text("Grid").click()
    after(page, before + 2)
    assert page.locator(".vessel").count() == 2


def test_a_reload_restores_the_session(page):
    """Chat, chart and what the vessels hold come back, without a turn."""
    say(page, "Open my tasks and notes")
    before = heard(page)
    page.get_by_label("Water the plants").check()
    after(page, before + 1)
    chat = page.locator(".entry").all_inner_texts()
    boxes = [one.bounding_box() for one in page.locator(".vessel").all()]
    sent = reasons_of(page)
    page.reload()
    ready(page)
    settle(page)

    assert page.locator(".entry").all_inner_texts() == chat
    assert [one.bounding_box() for one in page.locator(".vessel").all()] == boxes
    assert page.get_by_label("Water the plants").is_checked()
    assert sent == []


def test_a_new_session_is_empty(page):
    """Another session has no history, and no chart."""
    say(page, "Add the weather")
    with page.expect_navigation():
        page.get_by_role("button", name="New session").click()
    ready(page)

    assert page.locator(".entry").count() == 0
    assert page.locator("#blank").is_visible()


def test_two_tabs_show_one_session(page, context, server):
    """What one tab does, the other shows: chart, chat, and what vessels hold."""
    say(page, "Open my tasks")
    other = context.new_page()
    other.goto(server)
    ready(other)
    assert other.locator(".vessel").count() == 1
    say(other, "Add the weather")
    page.wait_for_selector("[data-vessel=weather]")
    assert page.locator(".entry.user").all_inner_texts()[-1].endswith("Add the weather")
    before = heard(other)
    page.get_by_label("Water the plants").check()
    after(other, before + 1)

    other.wait_for_function(
        "() => document.querySelector('.tasks li').classList.contains('done')"
    )
    say(page, "Open my notes")
    other.wait_for_selector("[data-vessel=notes]")
    assert other.locator(".vessel").count() == page.locator(".vessel").count() == 3


def test_an_error_is_told_and_can_be_tried_again(page):
    """The chart stays as it is; another turn works."""
    say(page, "Add the weather")
    say(page, "boom")
    error = page.locator(".entry.error")
    assert "Too busy. (provider_error)" in error.inner_text()
    assert page.locator(".vessel").count() == 1
    sent = reasons_of(page)
    error.get_by_role("button", name="Try again").click()
    page.wait_for_function(
        "() => document.getElementById('status').textContent === '' "
        "&& document.querySelectorAll('.entry.error').length === 1"
    )
    assert sent[0]["updateReasons"] == [{"type": "user_intent", "intent": "boom"}]
    say(page, "Open my notes")

    assert page.locator(".vessel").count() == 2


def test_a_server_that_is_gone_and_comes_back(page, context):
    """Nothing is lost but time: the same can be asked again."""
    context.set_offline(True)
    say(page, "Add the weather")
    assert "cannot be reached" in page.locator(".entry.error").inner_text()
    context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector("[data-vessel=weather]")

    assert page.locator(".entry.error").count() == 0


def test_harm_is_shown_as_text(page):
    """Markup and odd ids of a model are texts: no script runs, no element is made."""
    say(page, "hostile")
    assert page.locator(".entry.engine p").inner_text() == SCRIPT
    shown = page.locator(".vessel").evaluate_all(
        "all => all.map(one => one.dataset.instance)"
    )
    assert shown == [HOSTILE_ID, "__proto__"]
    page.get_by_role("tab", name="Inspector").click()
    page.get_by_text("Raw answer").click()
    assert page.get_by_label("Raw answer").inner_text() == SCRIPT
    assert page.evaluate("[document.title, typeof hacked]") == [
        "Maelstrom playground",
        "undefined",
    ]
    assert page.locator("#hacked, #log img, .vessel img, .vessel b").count() == 0
    page.reload()
    ready(page)
    assert page.locator(".entry.engine p").inner_text() == SCRIPT


def test_the_inspector_tells_all_of_a_turn(page):
    """Reasons, prompt sections, tokens, severity and every kind of record."""
    say(page, "hostile")
    say(page, "Add the weather")
    page.locator(".look").first.click()
    panel = page.locator("#panel-inspector")
    panel.get_by_text("Attempt 1").wait_for()

    words = panel.inner_text()
    for part in (
        "user_intent: hostile",
        "scripted-1",
        "120",
        "34",
        "Prompt, 2 sections",
        "Drops",
        "Skips",
        "Repairs",
        "Warnings",
        "served",
    ):
        assert part in words
    assert re.search(r"\d+ ms", words)
    panel.get_by_label("Turn").select_option(index=1)
    panel.get_by_text("user_intent: Add the weather").last.wait_for()


def test_keyboard_alone(page):
    """Skip link, chat, a vessel, the grip and the tabs: all without a mouse."""
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.type("Open my tasks")
    page.keyboard.press("Enter")
    after(page, 1)
    box = page.get_by_label("Water the plants")
    for _ in range(30):
        if box.evaluate("one => one === document.activeElement"):
            break
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    after(page, 2)
    assert box.is_checked()
    assert box.evaluate("one => one === document.activeElement")
    page.locator("#grip").focus()
    page.keyboard.press("ArrowLeft")
    after(page, 3)
    assert page.locator("#cells").inner_text().startswith("15 ")
    page.get_by_role("tab", name="Chat").focus()
    page.keyboard.press("ArrowRight")

    page.locator("#panel-inspector").get_by_text("Attempt 1").wait_for()


def test_motion_is_for_who_wants_it(page, browser, server):
    """Layout changes are animated, unless the user prefers less motion."""
    script = """() => { window.moves = 0; const animate = Element.prototype.animate;
        Element.prototype.animate = function (...all) {
            window.moves += 1; return animate.apply(this, all); } }"""
    page.evaluate(script)
    say(page, "Add the weather")
    assert page.evaluate("window.moves") == 0
    lively = browser.new_page(reduced_motion="no-preference")
    lively.goto(server)
    ready(lively)
    lively.evaluate(script)
    say(lively, "Add the weather")
    moves = lively.evaluate("window.moves")
    lively.close()

    assert moves > 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barrier(browser, server, scheme):
    """Nothing serious is found by axe: in the chat, in the inspector, with all vessels."""
    need(AXE.exists(), "axe-core: npm install in tests/js")
    page = browser.new_page(viewport=WIDE, color_scheme=scheme, reduced_motion="reduce")
    page.goto(server)
    ready(page)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for text in (
        "Show me my calendar for next week",
        "Add the weather",
        "Open my tasks and notes",
        "Show the forecast",
        "boom",
    ):
        say(page, text)
    found = page.evaluate("axe.run()")["violations"]
    page.get_by_role("tab", name="Inspector").click()
    page.locator("#panel-inspector").get_by_text("Attempt 1").wait_for()
    found += page.evaluate("axe.run()")["violations"]
    page.close()

    serious = [
        (one["id"], [node["target"] for node in one["nodes"]])
        for one in found
        if one["impact"] in {"serious", "critical"}
    ]
    assert serious == []
