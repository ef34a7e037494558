"""Parts of a page that are made of the code's tables, between two marks.

A page is prose with holes. What stands between ``<!-- table: NAME -->`` and
``<!-- end -->`` is written by the program, everything else by people.
"""

import re
from collections.abc import Iterable, Mapping

__all__ = ["examples", "filled", "table", "tables_of"]

_TABLE = re.compile(r"(<!-- table: ([^>]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_EXAMPLE = re.compile(
    r"<!-- example: (\w+) -->\n```(?:json|console)\n(.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


def filled(page: str, tables: Mapping[str, str]) -> str:
    r"""The page with each marked part as its table has it.

    >>> filled("<!-- table: a -->\n<!-- end -->", {"a": "1\n"})
    '<!-- table: a -->\n\n1\n\n<!-- end -->'
    """
    return _TABLE.sub(lambda hole: f"{hole[1]}\n{tables[hole[2]]}\n{hole[4]}", page)


def tables_of(page: str) -> list[str]:
    """The names of the page's marked tables, in order."""
    return [hole[2] for hole in _TABLE.finditer(page)]


def examples(page: str) -> dict[str, str]:
    """The page's marked examples, by name."""
    return {found[1]: found[2] for found in _EXAMPLE.finditer(page)}


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Markdown of a table; a bar within a cell is escaped."""
    lines = [list(head), *([*row] for row in rows)]
    first, *rest = (
        f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |\n"
        for line in lines
    )
    return "".join([first, "|" + "---|" * len(lines[0]) + "\n", *rest])
