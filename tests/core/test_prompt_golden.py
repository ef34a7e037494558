"""Whole prompts, as files that a reader can judge.

To rewrite them after a change of the texts, run this file as a program from the root
of the project, with the three source folders on the path, and read the difference:

    PYTHONPATH=core:effects:adapters:. python -m tests.core.test_prompt_golden
"""

from pathlib import Path

import pytest

from maelstrom.core.prompt_template import build_prompt, prepare_template
from tests.core.prompt_inputs import golden_inputs

FOLDER = Path(__file__).parents[1] / "golden" / "prompts"
CASES = [
    (mode, name, given)
    for mode in ("grid", "tiling")
    for name, given in golden_inputs(mode).items()
]


def _path(mode, name):
    return FOLDER / f"{mode}-{name}.txt"


def _readable(given):
    prompt = build_prompt(given, prepare_template().unwrap()).unwrap()
    messages = (f"===== {one.role} =====\n{one.text}\n" for one in prompt.messages)
    return "\n".join((f"===== system =====\n{prompt.system_text}\n", *messages))


@pytest.mark.parametrize(
    ("mode", "name", "given"), CASES, ids=[f"{mode}-{name}" for mode, name, _ in CASES]
)
def test_prompt_is_as_it_was(mode, name, given) -> None:
    """A change of what a model is told shows as a change of a file."""
    assert _readable(given) == _path(mode, name).read_text(encoding="utf-8")


def test_no_golden_prompt_is_left_over() -> None:
    """Each file is checked by a case."""
    expected = {_path(mode, name) for mode, name, _ in CASES}

    assert set(FOLDER.glob("*")) == expected


if __name__ == "__main__":
    for mode_, name_, given_ in CASES:
        _path(mode_, name_).write_text(_readable(given_), encoding="utf-8")
