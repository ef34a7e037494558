"""Parameters as classes: one definition, its schema, and values of it."""

import dataclasses
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from returns.pipeline import is_successful

from maelstrom.core.schema_guard import check_params, schema_fault
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.params_class import params_as, params_of

City = Annotated[str, "The city's name", {"minLength": 1}]


@attrs.frozen
class AttrsPlace:
    city: City
    days: Annotated[int, {"minimum": 1, "maximum": 14}] = 7


@dataclasses.dataclass(frozen=True)
class DataPlace:
    city: City
    days: Annotated[int, {"minimum": 1, "maximum": 14}] = 7


class DictPlace(TypedDict):
    city: City
    days: NotRequired[Annotated[int, {"minimum": 1, "maximum": 14}]]


class ModelPlace(BaseModel, extra="forbid"):
    city: str = Field(description="The city's name", min_length=1)
    days: int = Field(default=7, ge=1, le=14)


PLACES = (AttrsPlace, DataPlace, DictPlace, ModelPlace)

SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "The city's name", "minLength": 1},
        "days": {"type": "integer", "minimum": 1, "maximum": 14},
    },
    "required": ["city"],
    "additionalProperties": False,
}

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-20, 20)
    | st.just(3.0)
    | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["city", "days"]), inner, max_size=2)
    ),
    max_leaves=4,
)
anything = st.fixed_dictionaries(
    {}, optional={"city": json_values, "days": json_values, "more": json_values}
)


class Unit(Enum):
    CELSIUS = "celsius"
    KELVIN = "kelvin"


@attrs.frozen
class Point:
    x: float
    y: float = 0


@attrs.frozen
class Everything:
    """One field of each type that has a schema."""

    day: date
    unit: Unit
    near: Point
    mode: Literal["fast", "slow"] = "fast"
    tags: list[str] = attrs.Factory(list)
    pair: tuple[int, str] = (0, "")
    many: tuple[int, ...] = ()
    unique: frozenset[str] = frozenset()
    named: dict[str, Point] = attrs.Factory(dict)
    either: int | str | None = None
    on: bool = False
    raw: Any = None
    hidden: int = attrs.field(default=1, init=False)


@pytest.mark.parametrize("kind", [AttrsPlace, DataPlace, DictPlace])
def test_every_kind_of_class_makes_the_same_schema(kind):
    """Text in Annotated is a description, a dictionary more keywords."""
    assert params_of(kind) == SCHEMA


@pytest.mark.parametrize("kind", PLACES)
def test_a_schema_is_made_once_and_the_engine_takes_it(kind):
    """The guard of schemas has nothing against it; the same value comes back."""
    assert schema_fault(params_of(kind)) is None
    assert params_of(kind) is params_of(kind)


@pytest.mark.parametrize("kind", PLACES)
@given(params=anything)
def test_what_the_schema_takes_is_built_and_nothing_else_is(kind, params):
    """Nothing is coerced: class and schema agree on every value, and none raises."""
    fits = is_successful(check_params(params_of(kind), params))
    built = params_as(kind, params)

    assert is_successful(built) == fits
    if fits:
        value = built.unwrap()
        get = value.get if kind is DictPlace else lambda name: getattr(value, name)
        assert get("city") == params["city"]
        assert get("days") == params.get("days", None if kind is DictPlace else 7)


def test_a_class_of_many_types_is_built_whole():
    """Enums, dates, nested classes, unions and collections come back as they are typed."""
    given_params = {
        "day": "2026-03-01",
        "unit": "kelvin",
        "near": {"x": 1},
        "tags": ["a"],
        "pair": [1, "b"],
        "many": [1, 2],
        "unique": ["c"],
        "named": {"home": {"x": 0.5, "y": 2}},
        "either": "3",
        "raw": {"any": [1]},
    }

    assert params_as(Everything, given_params).unwrap() == Everything(
        day=date(2026, 3, 1),
        unit=Unit.KELVIN,
        near=Point(1.0),
        tags=["a"],
        pair=(1, "b"),
        many=(1, 2),
        unique=frozenset({"c"}),
        named={"home": Point(0.5, 2.0)},
        either="3",
        raw={"any": [1]},
    )
    assert "hidden" not in params_of(Everything)["properties"]


def test_what_only_building_can_tell_is_an_error_value():
    """A date that is none, with the field's name."""
    day = params_as(Everything, {"day": "soon", "unit": "kelvin", "near": {"x": 1}})
    assert day.failure().params_class == "Everything"
    assert "day" in day.failure().reason


def test_a_validator_of_a_pydantic_model_is_heard():
    """What the model refuses beyond its schema names the field, not the value."""
    from pydantic import field_validator

    class Known(BaseModel):
        city: str

        @field_validator("city")
        @classmethod
        def known(cls, city):
            if city != "Oslo":
                raise ValueError("no such city")
            return city

    assert params_as(Known, {"city": "Oslo"}).unwrap() == Known(city="Oslo")
    assert params_as(Known, {"city": "Atlantis"}).failure().reason == (
        "Value error, no such city @ $.city"
    )


def test_no_parameters_count_as_an_empty_object():
    """An action whose parameters are all optional is called with the defaults."""

    @attrs.frozen
    class Optional:
        days: int = 7

    assert params_as(Optional, None).unwrap() == Optional(7)


@attrs.frozen
class Ring:
    inner: "Ring | None" = None


@attrs.frozen
class Odd:
    what: complex


@attrs.frozen
class Backwards:
    fine: int
    again: Annotated[str, {"pattern": r"(a)\1"}] = "aa"


@attrs.frozen
class Dangling:
    what: "Nowhere"  # noqa: F821  the error is the point


class Recursive(BaseModel):
    inner: "Recursive | None" = None


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        (int, "int"),
        (Odd, "Odd.what"),
        (Ring, "Ring.inner"),
        (Backwards, "Backwards.again"),
        (Dangling, "Dangling"),
        (Recursive, "Recursive"),
    ],
)
def test_a_class_without_a_schema_is_refused_at_the_start(kind, field):
    """ConfigError names the class and the field."""
    with pytest.raises(ConfigError) as caught:
        params_of(kind)

    assert caught.value.field == field


def test_marks_of_others_in_annotated_are_left_alone():
    """Only texts and dictionaries say something about the schema."""

    @attrs.frozen
    class Marked:
        city: Annotated[str, 7, "The city"]

    properties = params_of(Marked)["properties"]
    assert properties == {"city": {"type": "string", "description": "The city"}}


def test_an_exception_of_the_app_with_errors_of_its_own_is_a_value():
    """Whatever a validator raises, nothing crosses."""

    class StrangeError(Exception):
        errors = ("one", "two")

    @dataclasses.dataclass
    class Fussy:
        city: str

        def __post_init__(self):
            raise StrangeError("not today")

    failure = params_as(Fussy, {"city": "Oslo"}).failure()
    assert failure.params_class == "Fussy"
    assert failure.reason
