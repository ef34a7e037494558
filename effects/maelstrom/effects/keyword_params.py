"""An action's parameters, as far as an intent states them.

Only what can be read without understanding: a value of an enum that is named, the
first number, and, for a text that is required, what is quoted, what follows a colon, or
what is left of the clause after the words that named the action. A required parameter
that is none of these is not made up: the action is not picked.
"""

from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

from maelstrom.core.vessel import Action
from maelstrom.effects.keyword_clauses import Clause
from maelstrom.effects.keyword_verbs import is_filler
from maelstrom.effects.keyword_words import Heard, spans, words

__all__ = ["Filled", "fill", "names_value"]

_NUMBERS: Final = frozenset(("integer", "number"))


@frozen
class Filled:
    """Parameters found, or the name of the first required one that was not.

    ``source`` says where a text was taken from: "quoted", "rest" (what follows the
    clause's colon) or "left" (what is left of the clause); None where none was taken.
    """

    params: dict[str, object] | None = None
    missing: str | None = None
    source: str | None = None


def fill(action: Action, clause: Clause, used: int) -> Filled:
    """Fill an action's parameters from a clause.

    Args:
        action: The action; without a schema it takes none.
        clause: What the user said.
        used: Where the words that named the action end, an index in the clause.
    """
    texts, source = _texts(clause, used)
    left = iter(texts)
    required = _required(action)
    found: dict[str, object] = {}
    took = False
    for name, schema in _properties(action).items():
        value = _value(schema, clause)
        if value is None and name in required and _is_text(schema):
            value = next(left, None)
            took = took or value is not None
        if value is not None:
            found[name] = value
    missing = next((name for name in required if name not in found), None)
    if missing is not None:
        return Filled(missing=missing)
    return Filled(found or None, source=source if took else None)


def names_value(action: Action, heard: Heard) -> bool:
    """Whether a value of one of the action's enums is named."""
    return any(_enum(one, heard) is not None for one in _properties(action).values())


def _properties(action: Action) -> Mapping[str, Any]:
    properties = action.params.get("properties") if action.params else None
    return properties if isinstance(properties, dict) else {}


def _required(action: Action) -> tuple[str, ...]:
    required = action.params.get("required") if action.params else None
    return tuple(required) if isinstance(required, list) else ()


def _is_text(schema: object) -> bool:
    return isinstance(schema, dict) and schema.get("type") == "string"


def _value(schema: object, clause: Clause) -> object | None:
    if not isinstance(schema, dict):
        return None
    if "enum" in schema:
        return _enum(schema, Heard.of(clause.spoken))
    if schema.get("type") in _NUMBERS:
        return next((int(word) for word in clause.spoken if _is_number(word)), None)
    return None


def _enum(schema: object, heard: Heard) -> str | None:
    values = schema.get("enum") if isinstance(schema, dict) else None
    for value in values if isinstance(values, list) else ():
        named = words(value) if isinstance(value, str) else ()
        if named and all(word in heard for word in named):
            return str(value)
    return None


def _is_number(word: str) -> bool:
    return word.isdecimal() and len(word) < 16  # noqa: PLR2004  within 2^53 - 1


def _texts(clause: Clause, used: int) -> tuple[tuple[str, ...], str]:
    """Texts that parameters may take, and where they are from: the surest source."""
    if clause.quoted:
        return clause.quoted, "quoted"
    if clause.rest:
        return (clause.rest,), "rest"
    left = clause.text[used:]
    start = next((at for word, at, _ in spans(left) if not is_filler(word)), len(left))
    text = left[start:].strip()
    return ((text,) if text else ()), "left"
