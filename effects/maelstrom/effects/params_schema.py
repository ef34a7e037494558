"""The JSON Schema of a Python type, as far as parameters of actions need it.

Theory: a literal table of plain types, and a small walk over what is made of them:
lists, tuples, sets, mappings, unions, `Literal`, enums, and classes with fields (attrs,
dataclasses, typed dictionaries), which stand inline. ``Annotated`` adds to a type: a
text is its description, a dictionary more keywords of JSON Schema. What stands in no
row is refused when the app starts, by the name of the field.

To keep in step: `params_class` builds values of the same types.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, datetime
from enum import Enum
from types import MappingProxyType, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import attrs

from maelstrom.core.json_value import Json
from maelstrom.effects.config_error import ConfigError

__all__ = ["has_fields", "schema_of_type"]

_PLAIN: Final = MappingProxyType(
    {
        # type: its schema
        str: MappingProxyType({"type": "string"}),
        int: MappingProxyType({"type": "integer"}),
        float: MappingProxyType({"type": "number"}),
        bool: MappingProxyType({"type": "boolean"}),
        NoneType: MappingProxyType({"type": "null"}),
        date: MappingProxyType({"type": "string", "format": "date"}),
        datetime: MappingProxyType({"type": "string", "format": "date-time"}),
        Any: MappingProxyType[str, str]({}),
    }
)
_ARRAYS: Final = (list, tuple, Sequence, set, frozenset, AbstractSet)
_SETS: Final = (set, frozenset, AbstractSet)
_OBJECTS: Final = (dict, Mapping)


def has_fields(kind: object) -> bool:
    """Whether a type is a class whose fields become properties."""
    return isinstance(kind, type) and (
        attrs.has(kind) or dataclasses.is_dataclass(kind) or is_typeddict(kind)
    )


def schema_of_type(kind: Any, where: str, inside: tuple[object, ...] = ()) -> Json:
    """The JSON Schema of a type.

    Args:
        kind: The type, as an annotation names it.
        where: What an error calls it: a class, and a field.
        inside: The classes that it stands in; a class in itself has no schema.

    Raises:
        ConfigError: A type that has none.
    """
    schema = _composed(kind, where, inside)
    if schema is not None:
        return schema
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [each.value for each in kind]}
    if has_fields(kind):
        return _object(kind, where, inside)
    if kind in _PLAIN:
        return dict(_PLAIN[kind])
    raise ConfigError(where, f"{kind!r} has no JSON Schema here")


def _composed(kind: Any, where: str, inside: tuple[object, ...]) -> Json | None:
    """The schema of a type that is made of others, None for one that is not."""
    origin, args = get_origin(kind), get_args(kind)
    schema: Json | None = None
    if origin in (Annotated, Required, NotRequired):
        schema = _annotated(args, where, inside)
    elif origin is Literal:
        schema = {"enum": list(args)}
    elif origin in (Union, UnionType):
        schema = {"anyOf": [schema_of_type(each, where, inside) for each in args]}
    elif origin in _ARRAYS:
        schema = _array(origin, args, where, inside)
    elif origin in _OBJECTS and args[0] is str:
        values = schema_of_type(args[1], where, inside)
        schema = {"type": "object", "additionalProperties": values}
    return schema


def _annotated(args: tuple[Any, ...], where: str, inside: tuple[object, ...]) -> Json:
    schema = schema_of_type(args[0], where, inside)
    for each in args[1:]:
        if isinstance(each, str):
            schema["description"] = each
        elif isinstance(each, Mapping):
            schema.update(each)
    return schema


def _array(
    origin: Any, args: tuple[Any, ...], where: str, inside: tuple[object, ...]
) -> Json:
    if origin is tuple and args[-1] is not Ellipsis:
        items = [schema_of_type(each, where, inside) for each in args]
        bounds = {"minItems": len(items), "maxItems": len(items)}
        return {"type": "array", "prefixItems": items, **bounds}
    schema = {"type": "array", "items": schema_of_type(args[0], where, inside)}
    return {**schema, "uniqueItems": True} if origin in _SETS else schema


def _object(kind: Any, where: str, inside: tuple[object, ...]) -> Json:
    if kind in inside:
        raise ConfigError(where, f"{kind.__name__} stands in itself")
    try:
        hints = get_type_hints(kind, include_extras=True)
    except NameError as error:
        raise ConfigError(where, str(error)) from error
    required = _required(kind)
    return {
        "type": "object",
        "properties": {
            name: schema_of_type(hints[name], f"{where}.{name}", (*inside, kind))
            for name in required
        },
        "required": [name for name, needed in required.items() if needed],
        "additionalProperties": False,
    }


def _required(kind: Any) -> dict[str, bool]:
    """The fields that may be given, in order, and whether they must be."""
    if is_typeddict(kind):
        hints = get_type_hints(kind)
        return {name: name in kind.__required_keys__ for name in hints}
    if attrs.has(kind):
        return {
            each.name: each.default is attrs.NOTHING
            for each in attrs.fields(kind)
            if each.init
        }
    missing = dataclasses.MISSING
    return {
        each.name: each.default is missing and each.default_factory is missing
        for each in dataclasses.fields(kind)
        if each.init
    }
