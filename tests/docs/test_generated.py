"""Pages with parts that are made of the code say what the code says.

``python -m tests.docs.test_generated`` writes those parts anew.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import pytest

from tests.architecture.sources import ROOT
from tests.docs.command_tables import command_tables
from tests.docs.marked import filled, tables_of
from tests.docs.protocol_tables import protocol_tables

Make = Callable[[], Mapping[str, str]]
PAGES: Mapping[str, Make] = MappingProxyType(
    {
        # page: what makes its tables
        "docs/protocol.md": protocol_tables,
        "docs/cli.md": command_tables,
    }
)

every_page = pytest.mark.parametrize("page", PAGES)


@every_page
def test_a_page_is_as_the_code_has_it(page) -> None:
    """Every marked part is what would be written anew."""
    text = (ROOT / page).read_text(encoding="utf-8")

    assert text == filled(text, PAGES[page]())


@every_page
def test_a_page_leaves_no_table_out(page) -> None:
    """Each table of the code stands on the page once."""
    text = (ROOT / page).read_text(encoding="utf-8")

    assert sorted(tables_of(text)) == sorted(PAGES[page]())


if __name__ == "__main__":
    for name, make in PAGES.items():
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        path.write_text(filled(text, make()), encoding="utf-8")
