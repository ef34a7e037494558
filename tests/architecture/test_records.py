"""Records of the core are frozen and slotted, and hold nothing that changes."""

import importlib
import inspect
import typing

import attrs
import pytest

from tests.architecture.sources import CORE, files

MUTABLE = (list, dict, set, bytearray)


def _records() -> list[type]:
    found: dict[str, type] = {}
    for path in files(CORE):
        if path.stem == "__init__":
            continue
        module = importlib.import_module(f"maelstrom.core.{path.stem}")
        for _, value in inspect.getmembers(module, inspect.isclass):
            if attrs.has(value) and value.__module__ == module.__name__:
                found[f"{value.__module__}.{value.__qualname__}"] = value
    return [found[key] for key in sorted(found)]


def _parts(annotation: object) -> typing.Iterator[object]:
    yield typing.get_origin(annotation) or annotation
    for argument in typing.get_args(annotation):
        yield from _parts(argument)


every_record = pytest.mark.parametrize(
    "record", _records(), ids=lambda record: record.__qualname__
)


@every_record
def test_a_record_is_frozen_and_slotted(record) -> None:
    """No attribute of a record can be set or added."""
    inspected = attrs.inspect(record)

    assert inspected.is_frozen
    assert inspected.is_slotted


@every_record
def test_a_record_holds_nothing_mutable(record) -> None:
    """Fields are of immutable types; Json of others, which is Any, is the exception."""
    hints = typing.get_type_hints(record)
    mutable = {
        field.name: hints[field.name]
        for field in attrs.fields(record)
        if any(part in MUTABLE for part in _parts(hints[field.name]))
    }

    assert mutable == {}
