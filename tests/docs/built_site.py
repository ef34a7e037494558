"""Whether a built site is whole: ``python -m tests.docs.built_site FOLDER``.

What `mkdocs build --strict` does not see: a page that would load something from another
host, and an example in a docstring that became a quotation (``>>>`` is one in Markdown).
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

__all__ = ["faults"]

_LOADS = re.compile(
    r"<(?:script|img|iframe|source|link rel=\"?stylesheet\"?)[^>]*"
    r"\s(?:src|href)=\"?(?:https?:)?//[^\"> ]*"
)


def faults(site: Path) -> Iterator[str]:
    """Each fault, with the page that has it."""
    pages = sorted(site.rglob("*.html"))
    if not pages:
        yield f"{site}: no page"
    for page in pages:
        text = page.read_text(encoding="utf-8")
        yield from (f"{page}: loads {found}" for found in _LOADS.findall(text))
        if "api" in page.parts and "<blockquote>" in text:
            yield f"{page}: an example that is no code"


if __name__ == "__main__":
    found = list(faults(Path(sys.argv[1])))
    sys.exit("\n".join(found) or None)
