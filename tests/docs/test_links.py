"""Links of the documentation lead somewhere, in the repository as on the site."""

import re
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, name

DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
ABROAD = {"a2ui.org", "docs.ag-ui.com", "github.com", "keepachangelog.com"}
"""The hosts that pages may link to: each is a promise that somebody else keeps."""

every_page = pytest.mark.parametrize("page", PAGES, ids=name)


@cache
def _prose(page: Path) -> str:
    """A page without what is code."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "code", text)


def _targets(page: Path) -> list[str]:
    return re.findall(r"\]\(([^()\s]+)\)", _prose(page))


@cache
def _anchors(page: Path) -> set[str]:
    """The ids of a page's headings, where the site and a forge agree on them."""
    text = re.sub(
        r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    headings = [
        re.sub(r"[^\w\s-]", "", heading).strip().lower()
        for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    ]
    on_the_site = {re.sub(r"[-\s]+", "-", heading) for heading in headings}
    on_a_forge = {heading.replace(" ", "-") for heading in headings}
    return on_the_site & on_a_forge


def _fault(page: Path, target: str) -> str | None:
    if abroad := re.match(r"https?://([^/]+)", target):
        return None if abroad[1] in ABROAD else f"{target}: a host that is not listed"
    path, _, anchor = target.partition("#")
    found = (page.parent / path).resolve() if path else page
    if not found.exists():
        return f"{target}: there is no such file"
    if anchor and anchor not in _anchors(found):
        return f"{target}: there is no such heading"
    if page.is_relative_to(DOCS) and not found.is_relative_to(DOCS):
        return f"{target}: the site does not have it"
    return None


@every_page
def test_links_lead_somewhere(page):
    """Every file is there, and every heading; hosts abroad are few."""
    faults = [fault for target in _targets(page) if (fault := _fault(page, target))]

    assert faults == []


def test_every_page_is_in_the_navigation():
    """The site has no page that nobody finds, and no entry without a page."""
    listed = re.findall(r"(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    there = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]

    assert sorted(listed) == sorted(there)


def test_the_readme_leads_to_every_guide():
    """Whoever reads the repository finds all pages; the changelog is its own."""
    linked = {target.partition("#")[0] for target in _targets(ROOT / "README.md")}
    guides = {f"docs/{page.name}" for page in DOCS.glob("*.md")}

    assert guides - linked == {"docs/changelog.md"}


@every_page
def test_files_that_a_page_names_are_there(page):
    """A path of ours in code marks, or after `python`, is that of a file."""
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"\b(?:tests|examples|benchmarks)/[\w/]+\.(?:py|mjs)\b", text)

    assert [path for path in named if not (ROOT / path).is_file()] == []
