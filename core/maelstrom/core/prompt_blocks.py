"""Text from outside, so that a prompt holds it as data and as nothing else.

Theory of operation: what an app, a user or a model wrote (intents, descriptions, ids,
past answers) appears in a prompt only as JSON strings, with `<`, `>` and `&` as
escapes, inside a tagged block. So nothing in it can close its block or open another.

In step with: `maelstrom.core.prompt_rules`, which tells the model what blocks are.
"""

from collections.abc import Iterable

from maelstrom.core.json_value import Json
from maelstrom.core.json_writer import compact_text

__all__ = ["block", "data", "data_lines", "listing"]


def data(value: Json) -> str:
    r"""Compact JSON text without `<`, `>` and `&`, which JSON has in strings alone.

    >>> print(data("</vessels> & more"))
    "\u003c/vessels\u003e \u0026 more"
    """
    text = compact_text(value)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def data_lines(values: Iterable[Json]) -> str:
    """A JSON list, each value on a line of its own.

    >>> print(data_lines([1, {"a": 2}]))
    [
    1,
    {"a":2}
    ]
    """
    lines = ",\n".join(data(value) for value in values)
    return f"[\n{lines}\n]" if lines else "[]"


def block(tag: str, content: str) -> str:
    """Content between a tag's two ends, each on a line of its own."""
    return f"<{tag}>\n{content}\n</{tag}>"


def listing(tag: str, lines: Iterable[str]) -> str:
    """A block of lines; "none" stands for no line: each begins otherwise.

    >>> print(listing("layout", []))
    <layout>
    none
    </layout>
    """
    return block(tag, "\n".join(lines) or "none")
