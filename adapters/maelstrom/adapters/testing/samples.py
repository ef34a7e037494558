"""Parameters that fit a schema, for the schemas that apps write.

Theory: the smallest value of each required property, by a table of types. It knows the
everyday keywords; what it builds is checked by the real validator, and where that
refuses there is no sample: an action without one is left out of drawn answers.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from returns.pipeline import is_successful

from maelstrom.core.json_value import Json
from maelstrom.core.schema_guard import check_params

__all__ = ["sample_params"]


def sample_params(schema: Json) -> tuple[dict[str, Json], ...]:
    """Some parameters that fit a schema; none where the table does not reach.

    >>> city = {"type": "string", "minLength": 3}
    >>> place = {"type": "object", "properties": {"city": city}, "required": ["city"]}
    >>> sample_params(place)
    ({'city': 'xxx'},)
    """
    tried: tuple[dict[str, Json], ...] = (
        {},
        {"days": 7},
        {"any": "thing"},
        _object(schema),
    )
    return tuple(each for each in tried if is_successful(check_params(schema, each)))


def _value(schema: Json) -> Json:
    if not isinstance(schema, Mapping):
        return None
    for keyword in ("enum", "examples"):
        if schema.get(keyword):
            return schema[keyword][0]
    if "const" in schema:
        return schema["const"]
    if schema.get("anyOf"):
        return _value(schema["anyOf"][0])
    build = _BUILDERS.get(str(schema.get("type")))
    return build(schema) if build else None


def _object(schema: Json) -> dict[str, Json]:
    properties = schema.get("properties", {})
    return {name: _value(properties.get(name)) for name in schema.get("required", ())}


def _string(schema: Json) -> str:
    if schema.get("format") == "date":
        return "2026-01-01"
    if schema.get("format") == "date-time":
        return "2026-01-01T00:00:00+00:00"
    return "x" * int(schema.get("minLength", 1))


def _integer(schema: Json) -> int:
    least = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
    return int(max(least, min(1, schema.get("maximum", 1))))


def _array(schema: Json) -> list[Json]:
    if "prefixItems" in schema:
        return [_value(each) for each in schema["prefixItems"]]
    return [_value(schema.get("items"))] * schema.get("minItems", 0)


_BUILDERS: Final[Mapping[str, Callable[[Json], Json]]] = MappingProxyType(
    {
        "string": _string,
        "integer": _integer,
        "number": _integer,
        "boolean": lambda _: True,
        "array": _array,
        "object": _object,
    }
)
