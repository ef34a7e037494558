"""Records to the wire, by the tables of `wire_fields`.

Optional fields are left out where they hold their default. A record made by hand may
hold anything: what is not of its field's shape is handed on as it is, so that decoding
the result finds it where it stands; a list of records is taken for the tuple that it
should be. The recursion is over the tables.
"""

from maelstrom.core.json_value import Json
from maelstrom.core.wire_kinds import Kind, Many, OneOf, Shape

__all__ = ["encode", "is_default"]


def encode(kind: Kind, value: object) -> Json:
    """The value as JSON, in the order of the protocol's fields."""
    match kind:
        case Shape(record=record):
            return _encode_record(kind, value) if value.__class__ is record else value
        case OneOf(shapes=shapes):
            for shape in shapes:
                if value.__class__ is shape.record:
                    return _encode_record(shape, value)
            return value
        case Many(item=item) if isinstance(value, tuple | list):
            return [encode(item, each) for each in value]
        case _:
            return value


def _encode_record(shape: Shape, record: object) -> dict[str, Json]:
    made: dict[str, Json] = {}
    for place, each in enumerate(shape.fields):
        if shape.tag is not None and place == shape.tag_place:
            made[shape.tag[0]] = shape.tag[1]
        value = getattr(record, each.attribute)
        if each.optional and is_default(value, each.default):
            continue
        made[each.key] = encode(each.kind, value)
    return made


def is_default(value: object, default: object) -> bool:
    """Whether an optional field with this value is left out: ``True`` is no 1."""
    return value is default or (
        value.__class__ is default.__class__ and value == default
    )
