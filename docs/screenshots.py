"""Takes the pictures of the documentation: run ``python docs/screenshots.py``.

Needs Chromium and the extras of the end-to-end tests; runs the playground on loopback,
with the planner that needs no model. Each picture stays under 150 kB.
"""

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / part) for part in ("core", "effects", "adapters", "")]

from tests.e2e.browser import chromium  # noqa: E402  the path comes first
from tests.e2e.served import serving  # noqa: E402

IMAGES = ROOT / "docs" / "images"
MOST_BYTES = 150_000
TALK = (
    "Show me my calendar",
    "Add the weather",
    "Open my tasks and notes",
    "Show the forecast",
)
WIDE = (1200, 760)
NARROW = (390, 844)


def _open(browser: Any, address: str, scheme: str, size: tuple[int, int]) -> Any:
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,
        reduced_motion="reduce",
        locale="en-GB",
    )
    page.clock.install(time="2026-03-11T09:00:00")
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    for number, text in enumerate(TALK, start=1):
        page.fill("#say", text)
        page.press("#say", "Enter")
        _answered(page, number)
    page.locator("#say").blur()
    return page


def _answered(page: Any, count: int) -> None:
    page.wait_for_function(
        "n => document.querySelectorAll('.entry:not(.user)').length >= n", arg=count
    )


def _tiling(page: Any) -> None:
    page.locator("#modes").get_by_text("Tiling").click()
    _answered(page, len(TALK) + 1)


def _inspector(page: Any) -> None:
    page.locator(".look").last.click()
    page.locator("#panel-inspector").get_by_text("Attempt 1").wait_for()


PICTURES = (
    # name, colors, size, what to do first
    ("playground", "light", WIDE, None),
    ("playground-dark", "dark", WIDE, None),
    ("playground-tiling", "light", WIDE, _tiling),
    ("playground-inspector", "dark", WIDE, _inspector),
    ("playground-narrow", "light", NARROW, None),
)


def main() -> None:
    """Take them all."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with serving() as address, chromium() as browser:
        for name, scheme, size, first in PICTURES:
            page = _open(browser, address, scheme, size)
            if first is not None:
                first(page)
            file = IMAGES / f"{name}.png"
            page.screenshot(path=file, full_page=size is NARROW)
            page.close()
            if file.stat().st_size > MOST_BYTES:
                sys.exit(f"{file.name} is too large: {file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
