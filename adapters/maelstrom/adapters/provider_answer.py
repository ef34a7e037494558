"""A provider's answer, read from its JSON as one record whoever sent it.

The adapters read the body that was on the wire, not the SDK's models of it: these are
built unchecked (any field may be missing or of another type), warn at words they do not
know, and differ; the JSON is what the provider documents. So reading is a pure function
from JSON to `Answer`, and `dig` makes it total: what is not there is None.
"""

import json

from attrs import field, frozen

from maelstrom.core.completion import Usage
from maelstrom.core.json_value import Json

__all__ = ["Answer", "count", "dig", "joined", "json_object", "word"]


@frozen
class Answer:
    """What a provider's answer says, before it is judged.

    ``finish`` is the provider's own word, ``blocked`` its reason for blocking the
    prompt, ``fault`` an error that came with status 200.
    """

    text: str | None = None
    finish: str | None = None
    model: str | None = None
    response_id: str | None = None
    usage: Usage = field(factory=Usage)
    blocked: str | None = None
    refused: bool = False
    tool_call: bool = False
    fault: Json = None


def json_object(body: str | bytes | None) -> dict[str, Json] | None:
    """The JSON object in a body; None where there is none, as in HTML.

    >>> json_object('{"id": 1}'), json_object("<html>")
    ({'id': 1}, None)
    """
    try:
        value = json.loads(body or "")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def dig(value: Json, *path: str | int) -> Json:
    """What stands at a path, or None.

    >>> dig({"choices": [{"index": 0}]}, "choices", 0, "index")
    0
    >>> dig({"choices": None}, "choices", 0, "index") is None
    True
    """
    for step in path:
        if isinstance(step, str):
            value = value.get(step) if isinstance(value, dict) else None
        else:
            value = value[step] if isinstance(value, list) and value[step:] else None
    return value


def word(value: Json) -> str | None:
    """The value, if it is a text."""
    return value if isinstance(value, str) else None


def count(*values: Json) -> int | None:
    """The sum of those that are counts, None where none is.

    >>> count(3, None, 4), count(None), count(True, -1)
    (7, None, None)
    """
    counts = [value for value in values if type(value) is int and value >= 0]
    return sum(counts) if counts else None


def joined(parts: Json, key: str = "text") -> str | None:
    """The texts of a list of parts as one, None where there is none."""
    texts = [
        text
        for part in (parts if isinstance(parts, list) else ())
        if (text := word(dig(part, key))) is not None
    ]
    return "".join(texts) if texts else None
