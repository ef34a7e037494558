"""docs/ownership.md is true: it names each file, and what the file says of itself."""

import ast

from tests.architecture.sources import PACKAGES, ROOT, files, tree

OWNERSHIP = ROOT / "docs" / "ownership.md"
HEAD = """# Who owns which decision

One room, one owner. Each line is the first of what the file says of itself; the rest of
its opening docstring is the theory of the rule that it owns. A test keeps this page true:
`python -m tests.architecture.test_ownership` writes it anew.
"""


def _summary(path) -> str:
    return (ast.get_docstring(tree(path)) or "").splitlines()[0]


def page() -> str:
    """The page as the files have it."""
    parts = [HEAD]
    for package in PACKAGES:
        parts.append(
            f"\n## `{package.relative_to(ROOT)}`\n\n| file | owns |\n|---|---|\n"
        )
        for path in files(package):
            file = path.relative_to(package)
            if path.name != "__init__.py" or len(file.parts) > 1:
                parts.append(f"| `{file}` | {_summary(path)} |\n")
    return "".join(parts)


def test_ownership_is_true() -> None:
    """The page names every file, in the file's own words."""
    assert OWNERSHIP.read_text(encoding="utf-8") == page()


if __name__ == "__main__":
    OWNERSHIP.write_text(page(), encoding="utf-8")
