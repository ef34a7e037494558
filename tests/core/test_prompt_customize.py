"""What an app may do to a section, and how it may fail."""

import pytest

from maelstrom.core.errors import ValidationError
from maelstrom.core.prompt_customize import (
    append,
    customize,
    prepend,
    remove,
    replace,
    transform,
)


@pytest.mark.parametrize(
    ("customizer", "text"),
    [
        (replace("Mine."), "Mine."),
        (prepend("Before."), "Before.\nOurs."),
        (append("After."), "Ours.\nAfter."),
        (transform(str.upper), "OURS."),
        (remove(), None),
    ],
)
def test_changes_the_text(customizer, text) -> None:
    """Each customizer works on the section's whole text."""
    assert customize("role", customizer, "Ours.").unwrap() == text


def test_a_function_gets_what_the_section_depends_on() -> None:
    """A section that depends on the request hands its input to the function."""
    both = transform(lambda text, number: text * number)

    assert customize("chart", both, "a", 3).unwrap() == "aaa"


def _raises(text):
    message = f"cannot do {text}"
    raise RuntimeError(message)


@pytest.mark.parametrize(
    ("customizer", "problem"),
    [
        (transform(_raises), "its function raised RuntimeError"),
        (transform(lambda text: None), "its customizer gave no text"),
        (transform(lambda text: 5), "its customizer gave no text"),
        (transform(lambda text: " \n"), "its customizer gave no text"),
        (replace(""), "its customizer gave no text"),
    ],
)
def test_a_failure_names_the_section(customizer, problem) -> None:
    """What raises or gives no text is the section's error, not an exception."""
    failed = customize("role", customizer, "Ours.").failure()

    assert failed == ValidationError("role", problem)
