"""The protocol as JSON Schema 2020-12, for those who write clients in other languages.

Made of the tables of `wire_fields`, so that it says what the decoder does about shape.
What no schema can say is left to the decoder: rules across fields, texts that are all
white space or hold a control character, bytes, nesting, duplicate keys.
"""

from typing import Final, assert_never

from maelstrom.core.json_value import Json
from maelstrom.core.limits import MAX_INTEGER, Limits
from maelstrom.core.wire_explain import bound
from maelstrom.core.wire_fields import MESSAGE, OUTPUT, TURN
from maelstrom.core.wire_kinds import (
    Flag,
    Guest,
    Id,
    Integer,
    Kind,
    Many,
    NodeOrNull,
    OneOf,
    Shape,
    Text,
    Weight,
    Word,
)

__all__ = ["protocol_schemas", "turn_schema"]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_DEFAULTS: Final = Limits()


def protocol_schemas(limits: Limits = _DEFAULTS) -> dict[str, Json]:
    """The schemas of the two envelopes, by the names of their records.

    >>> sorted(protocol_schemas())
    ['EngineMessage', 'EngineOutput']
    """
    return {
        shape.record.__name__: {"$schema": _DIALECT, **_schema(shape, limits)}
        for shape in (MESSAGE, OUTPUT)
    }


def turn_schema(limits: Limits = _DEFAULTS) -> dict[str, Json]:
    """The schema of a recorded turn, as a history lists it.

    >>> turn_schema()["title"]
    'Turn'
    """
    return {"$schema": _DIALECT, **_schema(TURN, limits)}


def _schema(kind: Kind, limits: Limits) -> dict[str, Json]:  # noqa: C901, PLR0911  one a kind
    match kind:
        case Shape():
            return _object(kind, limits)
        case OneOf(shapes=shapes):
            return {"oneOf": [_object(shape, limits) for shape in shapes]}
        case Many(item, most, least):
            many: dict[str, Json] = {"type": "array", "items": _schema(item, limits)}
            many |= {"minItems": least} if least else {}
            return many | ({} if most is None else {"maxItems": bound(limits, most)})
        case Id():
            return {"type": "string", **_length(1, limits.id_characters)}
        case NodeOrNull():
            return {"type": ["string", "null"], **_length(1, limits.id_characters)}
        case Text(most, least):
            return {"type": "string", **_length(int(bool(least)), bound(limits, most))}
        case Integer(low, high):
            high = bound(limits, high)
            return {"type": "integer", "minimum": low, "maximum": high}
        case Weight():
            return {"type": "number", "exclusiveMinimum": 0}
        case Flag():
            return {"type": "boolean"}
        case Word(values):
            return {"enum": list(values)}
        case Guest():
            return {"type": "object"}
        case _:
            assert_never(kind)


def _length(least: int, most: int) -> dict[str, Json]:
    bounds = {"minLength": least} if least else {}
    return bounds if most == MAX_INTEGER else {**bounds, "maxLength": most}


def _object(shape: Shape, limits: Limits) -> dict[str, Json]:
    tag = {} if shape.tag is None else {shape.tag[0]: {"const": shape.tag[1]}}
    fields = {each.key: _schema(each.kind, limits) for each in shape.fields}
    needed = [each.key for each in shape.fields if not each.optional]
    return {
        "type": "object",
        "title": shape.record.__name__,
        "properties": tag | fields,
        "required": [*tag, *needed],
        "additionalProperties": False,
    }
