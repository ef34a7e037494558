"""Parameters of an action as a class of the app's own: its schema, and back.

Theory: the class is the one definition. `params_of` makes its JSON Schema, once, which
the model is shown and the engine holds its answer to; `params_as` builds the class from
what arrives. It asks the schema again first, so nothing is coerced: a ``"3"`` is no
integer, here or there. What only building can tell (a date that is none, a validator of
the class) fails the same way, as a value.

The class may be of attrs, a dataclass, a typed dictionary or a pydantic model.

Warts. Pydantic is known by two methods of its models, not by import: it is no
dependency of ours. The names of fields are the names of parameters, as they stand.
"""

from collections.abc import Callable
from datetime import date, datetime
from functools import lru_cache
from types import UnionType
from typing import (
    Any,
    Final,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import cattrs
from attrs import frozen
from cattrs.errors import ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, override
from cattrs.gen.typeddicts import make_dict_structure_fn as make_typed_dict
from cattrs.v import format_exception
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.core.json_value import Json
from maelstrom.core.json_writer import compact_text
from maelstrom.core.schema_guard import check_params, schema_fault
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.params_schema import has_fields, schema_of_type

__all__ = ["ParamsError", "params_as", "params_of"]

P = TypeVar("P")

_CLASSES: Final = 512
"""Classes whose schema and converter are kept: more than an app has actions."""


@frozen
class ParamsError:
    """Parameters that do not fit the app's class.

    Not the model's fault where the class is stricter than its schema: say it in the
    schema too, and the model is told. ``reason`` may hold what a validator of the class
    says, and so a value of the parameters.
    """

    params_class: str
    reason: str


def params_of(params_class: type) -> Json:
    """The JSON Schema of a class, for `Action.params`.

    >>> @frozen
    ... class Location:
    ...     city: str
    ...     days: int = 7
    >>> params_of(Location)["properties"]
    {'city': {'type': 'string'}, 'days': {'type': 'integer'}}
    >>> params_of(Location)["required"]
    ['city']

    Raises:
        ConfigError: No such class, a field without a schema, or a schema that the
            protocol's bounds refuse.
    """
    kind: Any = params_class
    return _schema(kind)


def params_as(params_class: type[P], params: Json) -> Result[P, ParamsError]:
    """Parameters as a value of the class; none at all counts as an empty object.

    >>> @frozen
    ... class Location:
    ...     city: str
    >>> params_as(Location, {"city": "Oslo"})
    <Success: Location(city='Oslo')>
    >>> params_as(Location, {"city": 3}).failure().reason
    'the schema refuses it: type'

    Raises:
        ConfigError: As `params_of` does.
    """
    kind: Any = params_class
    given = {} if params is None else params
    name = params_class.__name__
    fits = check_params(_schema(kind), given)
    if not is_successful(fits):
        return Failure(ParamsError(name, f"the schema refuses it: {fits.failure()}"))
    try:
        return Success(_builder(kind)(given))
    except Exception as error:  # noqa: BLE001  validators are the app's own
        return Failure(ParamsError(name, _reason(kind, error)))


@lru_cache(maxsize=_CLASSES)
def _schema(params_class: Any) -> Json:
    name = params_class.__name__
    if _is_pydantic(params_class):
        schema: Json = params_class.model_json_schema()
    elif has_fields(params_class):
        schema = schema_of_type(params_class, name)
    else:
        words = "not of attrs, a dataclass, a TypedDict or a pydantic model"
        raise ConfigError(name, words)
    fault = schema_fault(schema)
    if fault is not None:
        raise ConfigError(_faulty(name, schema), fault)
    return schema


def _faulty(name: str, schema: Json) -> str:
    """The class's name, with the first field that is at fault by itself."""
    for field, of_field in schema.get("properties", {}).items():
        alone = {**schema, "properties": {field: of_field}, "required": []}
        if schema_fault(alone) is not None:
            return f"{name}.{field}"
    return name


def _is_pydantic(params_class: Any) -> bool:
    named = ("model_json_schema", "model_validate_json")
    return all(callable(getattr(params_class, name, None)) for name in named)


def _reason(kind: Any, error: Exception) -> str:
    if isinstance(error, cattrs.BaseValidationError | ForbiddenExtraKeysError):
        return "; ".join(cattrs.transform_error(error, format_exception=_in_words))
    errors = getattr(error, "errors", None) if _is_pydantic(kind) else None
    if not callable(errors):
        return str(error)
    listed: Any = errors()
    return "; ".join(_of_pydantic(each) for each in listed)


def _in_words(error: BaseException, kind: type | None) -> str:
    """What a value could not be built for: a validator says it best."""
    said = str(error) if isinstance(error, ValueError) else ""
    return said or format_exception(error, kind)


def _of_pydantic(error: dict[str, Any]) -> str:
    path = "".join(f".{part}" for part in error["loc"])
    return f"{error['msg']} @ ${path}"


@lru_cache(maxsize=_CLASSES)
def _builder(params_class: Any) -> Callable[[Json], Any]:
    if _is_pydantic(params_class):
        read: Callable[[str], object] = params_class.model_validate_json
        return lambda params: read(compact_text(params))
    converter = _converter()
    return lambda params: converter.structure(params, params_class)


@lru_cache(maxsize=1)
def _converter() -> cattrs.Converter:
    """The one converter: strict about keys; the schema is strict about the rest."""
    converter = cattrs.Converter(forbid_extra_keys=True)
    converter.register_structure_hook(date, lambda text, _: date.fromisoformat(text))
    converter.register_structure_hook(
        datetime, lambda text, _: datetime.fromisoformat(text)
    )
    converter.register_structure_hook_factory(has_fields, _class_hook)
    converter.register_structure_hook_factory(_is_union, _union_hook)
    return converter


def _class_hook(kind: Any, converter: cattrs.Converter) -> Callable[[Json, Any], Any]:
    """Fields by their bare types: a dictionary in ``Annotated`` has no hash."""
    make = make_typed_dict if is_typeddict(kind) else make_dict_structure_fn
    fields: dict[str, Any] = {
        name: override(struct_hook=_as(converter, bare))
        for name, bare in get_type_hints(kind).items()
    }
    built: Callable[[Json, Any], Any] = make(kind, converter, **fields)
    return built


def _as(converter: cattrs.Converter, kind: Any) -> Callable[[Json, Any], Any]:
    return lambda value, _: converter.structure(value, kind)


def _union_hook(kind: Any, converter: cattrs.Converter) -> Callable[[Json, Any], Any]:
    """The first arm whose schema takes the value."""
    arms = tuple(
        (each, _wrapped(schema_of_type(each, "union"))) for each in get_args(kind)
    )

    def build(value: Json, _: Any) -> Any:
        fitting = (
            each
            for each, schema in arms
            if is_successful(check_params(schema, {"it": value}))
        )
        return converter.structure(value, next(fitting))  # the whole schema took it

    return build


def _is_union(kind: Any) -> bool:
    return get_origin(kind) in (Union, UnionType)


def _wrapped(schema: Json) -> Json:
    """A schema of anything, as one of the parameters that the guard checks."""
    return {"type": "object", "properties": {"it": schema}}
