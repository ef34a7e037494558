"""How an app changes a section of the prompt.

Theory of operation: a customizer is a value; applying it to a section's text gives the
new text, or a ValidationError that names the section. It works on the whole text of a
section, tags included. `transform` calls a function of the app's, the one thing here
that may raise: whatever it raises, or returns that is no text, is that section's error.
A text that is blank is none: `remove()` is how a section goes.

A customizer of a section that a turn does not have (no feedback, say) is not asked.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, assert_never

from attrs import field, frozen
from returns.result import Failure, Result, Success

from maelstrom.core.errors import ValidationError

__all__ = [
    "Append",
    "Customizer",
    "Prepend",
    "Remove",
    "Replace",
    "Transform",
    "append",
    "customize",
    "prepend",
    "remove",
    "replace",
    "transform",
]


@frozen
class Replace:
    """The text in place of the section's."""

    text: str


@frozen
class Prepend:
    """The text before the section's, on lines of its own."""

    text: str


@frozen
class Append:
    """The text after the section's, on lines of its own."""

    text: str


@frozen
class Transform:
    """What the function makes of the section's text."""

    function: Callable[..., Any] = field(hash=False)


@frozen
class Remove:
    """No such section."""


Customizer: TypeAlias = Replace | Prepend | Append | Transform | Remove
"""What becomes of a section: what `replace`, `prepend` and their like give."""


def replace(text: str) -> Customizer:
    """Use this text instead."""
    return Replace(text)


def prepend(text: str) -> Customizer:
    """Put this text before the section's."""
    return Prepend(text)


def append(text: str) -> Customizer:
    """Put this text after the section's."""
    return Append(text)


def transform(function: Callable[..., str]) -> Customizer:
    """Use what the function returns.

    It is called with the section's text, and for a section that depends on the request
    with the `PlanInput` as well.
    """
    return Transform(function)


def remove() -> Customizer:
    """Leave the section out."""
    return Remove()


def customize(
    section: str, customizer: Customizer, text: str, *arguments: object
) -> Result[str | None, ValidationError]:
    r"""The section's text after its customizer, None where that removes it.

    Args:
        section: The section's name, for the error.
        customizer: What to do.
        text: The section's text as it is.
        arguments: What a transforming function is given beside the text.

    >>> customize("role", append("Be brief."), "You arrange.").unwrap()
    'You arrange.\nBe brief.'
    """
    match customizer:
        case Remove():
            return Success(None)
        case Transform(function=function):
            try:
                made = function(text, *arguments)
            except Exception as error:  # noqa: BLE001  the app's function may raise anything
                problem = f"its function raised {type(error).__name__}"
                return Failure(ValidationError(section, problem))
        case Replace() | Prepend() | Append():
            made = _joined(customizer, text)
        case _:
            assert_never(customizer)
    if not isinstance(made, str) or not made.strip():
        return Failure(ValidationError(section, "its customizer gave no text"))
    return Success(made)


def _joined(customizer: Replace | Prepend | Append, text: str) -> str:
    match customizer:
        case Replace(text=other):
            return other
        case Prepend(text=other):
            return f"{other}\n{text}"
        case Append(text=other):
            return f"{text}\n{other}"
    assert_never(customizer)
