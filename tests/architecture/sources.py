"""The project's own files, parsed once."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "core" / "maelstrom" / "core"
PACKAGES = (
    CORE,
    ROOT / "effects" / "maelstrom" / "effects",
    ROOT / "adapters" / "maelstrom" / "adapters",
)


def files(*folders: Path) -> list[Path]:
    """All Python files of the folders, sorted."""
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    """The file as a syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def name(path: Path) -> str:
    """The file's path inside the repository, as a test id."""
    return str(path.relative_to(ROOT))
