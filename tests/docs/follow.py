"""Follow a page word by word: write the files that it shows, run what it tells to type.

    python tests/docs/follow.py docs/tutorial.md maelstrom_engine.whl

Blocks fenced as ``python title="name"`` are parts of that file, in order, two blank
lines between them. In a block fenced as ``console``, lines after ``$`` are typed into one
shell in an empty folder; the lines below each are found in what it prints, in order.
Where the page installs the library, it gets the wheel.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

_BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r'title="([^"]+)"')
_SAID = "--- said by: "


def files(page: str) -> dict[str, str]:
    """Each file that a page shows, its parts put together."""
    shown: dict[str, list[str]] = {}
    for language, about, text in _BLOCK.findall(page):
        title = _TITLE.search(about)
        if language == "python" and title:
            shown.setdefault(title[1], []).append(text)
    return {name: "\n\n".join(parts) for name, parts in shown.items()}


def commands(page: str) -> list[tuple[str, list[str]]]:
    """Each command that a page tells to type, with what it is said to print."""
    told: list[tuple[str, list[str]]] = []
    for language, _, text in _BLOCK.findall(page):
        for line in text.splitlines() if language == "console" else ():
            if line.startswith("$ "):
                told.append((line[2:], []))
            else:
                told[-1][1].append(line)
    return told


def follow(page: str, told: list[tuple[str, list[str]]], env: dict[str, str]) -> None:
    """Do what a page says, in an empty folder.

    Raises:
        AssertionError: A command failed, or did not print what the page says.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files(page).items():
            Path(folder, name).write_text(text, encoding="utf-8")
        typed = [f"echo '{_SAID}{n}'\n{line}\n" for n, (line, _) in enumerate(told)]
        ran = subprocess.run(
            ["bash", "-e", "-c", "".join(typed)],
            cwd=folder,
            env=env,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for (line, expected), said in zip(told, ran.stdout.split(_SAID)[1:], strict=True):
        rest = said
        for words in expected:
            assert words in rest, f"{line}: {words!r} is not in\n{said}"
            rest = rest.partition(words)[2]


def main(path: str, wheel: str) -> None:
    """All of a page, the installation included, with a wheel of this library."""
    page = Path(path).read_text(encoding="utf-8")
    file = str(Path(wheel).resolve())
    told = [
        (line.replace("maelstrom-engine", file), said) for line, said in commands(page)
    ]
    follow(page, told, dict(os.environ))


if __name__ == "__main__":
    main(*sys.argv[1:])
