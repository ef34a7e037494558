"""A real Chromium, where there is one; on CI there must be."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

CHROMIUM = "/usr/bin/chromium"
AXE = Path(__file__).parents[1] / "js" / "node_modules" / "axe-core" / "axe.min.js"
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def need(present: bool, what: str) -> None:
    """Skip what this machine cannot run; CI can, or fails."""
    if present:
        return
    if os.environ.get("CI"):
        pytest.fail(f"CI needs {what}")
    pytest.skip(f"needs {what}")


def need_node() -> str:
    """Where node is."""
    node = shutil.which("node")
    need(node is not None, "node")
    return node or ""


@contextmanager
def chromium() -> Iterator:
    """A browser of Playwright's."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        need(False, "playwright")
        raise
    need(Path(CHROMIUM).exists(), CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=list(ARGUMENTS)
        )
        try:
            yield browser
        finally:
            browser.close()
