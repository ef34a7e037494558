"""A recorded turn as JSON text, and back: strict, versioned, for tools of our own.

Theory: cattrs writes and reads the records by their own fields, keys in camelCase; a
union is told apart by a word under ``type`` (``kind`` for tree nodes). A message and an
output stand in the file exactly as on the wire, so that they can be cut out and sent.
Nothing is coerced, and an unknown key is a fault: the file was written by this module.

Raw pieces of an answer may hold NaN, which is written as such. A candidate of a
planner's own making may hold what is no JSON at all: that is written as its `repr`, and
read again as a text.

To keep in step: ``SCHEMA`` grows when a file of today could no longer be read.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from json import JSONEncoder
from types import MappingProxyType
from typing import Any, Final, get_args, get_origin

import attrs
from attrs import fields, has
from cattrs import BaseValidationError, Converter, transform_error
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.core.diagnostics import Diagnostics
from maelstrom.core.errors import EngineError
from maelstrom.core.json_text import JsonRules, parse_json
from maelstrom.core.json_value import Json
from maelstrom.core.layout import GridLayout, Layout, Leaf, Split, TilingLayout
from maelstrom.core.limits import MAX_INTEGER, Limits
from maelstrom.core.messages import EngineMessage, EngineOutput
from maelstrom.core.policy import HealPolicy
from maelstrom.core.recording import Recording
from maelstrom.core.wire import (
    decode_message,
    decode_output,
    encode_message,
    encode_output,
)
from maelstrom.core.wire_results import ERRORS

__all__ = ["SCHEMA", "recording_from_text", "recording_to_text"]

SCHEMA: Final = 1
"""The version that this release writes; a newer one is refused by name."""

_DEPTH: Final = 512
"""Well under what the parser's recursion can follow, far over what a model's answer may
nest."""

_UNBOUNDED: Final = Limits(
    **{
        each.name: _DEPTH if each.name == "nesting" else MAX_INTEGER
        for each in attrs.fields(Limits)
    }
)
"""A message was bounded when it was taken in, by limits that are the engine's own."""

_TAGS: Final = MappingProxyType[type[Any], tuple[str, str]](
    {
        # record: the key and the word that mark it
        **{record: ("type", name) for record, (name, _) in ERRORS.items()},
        GridLayout: ("type", "grid"),
        TilingLayout: ("type", "tiling"),
        Split: ("kind", "split"),
        Leaf: ("kind", "leaf"),
    }
)
_UNIONS: Final = (
    (EngineError, "type"),
    (Layout, "type"),
    (Split | Leaf, "kind"),
)
_WHOLE: Final = frozenset({Diagnostics, HealPolicy, Limits})
"""Written with their defaults, which another release may have changed."""
_RULES: Final = JsonRules(max_depth=_DEPTH, constants=True)
_TEXT: Final = JSONEncoder(ensure_ascii=False, indent=1, default=repr)
_ASCII: Final = JSONEncoder(indent=1, default=repr)


def recording_to_text(recording: Recording) -> str:
    """A recording as JSON text that ends in a line break."""
    body = _converter().unstructure(recording)
    value = {"maelstrom": "recording", "schema": SCHEMA, **body}
    text = _TEXT.encode(value)
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate, which a model may well write
        text = _ASCII.encode(value)
    return text + "\n"


def recording_from_text(text: bytes | str) -> Result[Recording, str]:
    """A recording from its text, or in words why it is none.

    >>> recording_from_text("{}").failure()
    'not a recording of a turn'
    """
    read = parse_json(text, _RULES)
    if not is_successful(read):
        return Failure(read.failure().message)
    value = read.unwrap().value
    if not isinstance(value, dict) or value.get("maelstrom") != "recording":
        return Failure("not a recording of a turn")
    schema = value.get("schema")
    if schema != SCHEMA or schema.__class__ is not int:
        words = f"written as version {schema!r:.20}, this release reads {SCHEMA}"
        return Failure(words)
    body = {
        key: part for key, part in value.items() if key not in {"maelstrom", "schema"}
    }
    try:
        return Success(_converter().structure(body, Recording))
    except BaseValidationError as error:
        return Failure(f"not a recording of a turn: {transform_error(error)[0]:.200}")


# ---------------------------------------------------------------- the converter


class _WrongError(ValueError):
    """The value is not what its field holds."""


@lru_cache(maxsize=1)
def _converter() -> Converter:
    made = Converter()
    made.register_structure_hook(str, _exactly(str))
    made.register_structure_hook(int, _exactly(int))
    made.register_structure_hook(bool, _exactly(bool))
    made.register_structure_hook(float, _exactly(int, float))
    made.register_structure_hook_func(
        lambda kind: kind == str | int, _exactly(str, int)
    )
    made.register_structure_hook_factory(_is_tuple, lambda kind: _many(made, kind))
    made.register_structure_hook_factory(has, lambda record: _reading(made, record))
    made.register_unstructure_hook_factory(has, lambda record: _writing(made, record))
    for union, key in _UNIONS:
        _register(made, get_args(union), key)
    made.register_unstructure_hook(EngineMessage, encode_message)
    made.register_unstructure_hook(EngineOutput, encode_output)
    made.register_structure_hook(EngineMessage, _wired(decode_message))
    made.register_structure_hook(EngineOutput, _wired(decode_output))
    return made


def _exactly(*kinds: type[Any]) -> Callable[[Json, Any], Json]:
    """A hook that takes values of these classes alone: true is no integer."""

    def structure(value: Json, _kind: Any) -> Json:
        if value.__class__ not in kinds:
            words = " or ".join(kind.__name__ for kind in kinds)
            raise _WrongError(f"not of type {words}")
        return value

    return structure


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _many(made: Converter, kind: Any) -> Callable[[Json, Any], tuple[Any, ...]]:
    item = get_args(kind)[0]
    hook = made.get_structure_hook(item)

    def structure(value: Json, _kind: Any) -> tuple[Any, ...]:
        if value.__class__ is not list:
            raise _WrongError("not a list")
        return tuple(hook(each, item) for each in value)

    return structure


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _renamed(record: type[Any]) -> dict[str, Any]:
    return {
        each.name: override(rename=_camel(each.name))
        for each in fields(record)
        if "_" in each.name
    }


def _reading(made: Converter, record: type[Any]) -> Callable[[Json, Any], Any]:
    read = make_dict_structure_fn(
        record, made, _cattrs_forbid_extra_keys=True, **_renamed(record)
    )
    key = _TAGS[record][0] if record in _TAGS else None

    def structure(value: Json, kind: Any) -> Any:
        if value.__class__ is not dict:
            raise _WrongError("not an object")
        return read({name: each for name, each in value.items() if name != key}, kind)

    return structure


def _writing(made: Converter, record: type[Any]) -> Callable[[Any], Json]:
    write = make_dict_unstructure_fn(
        record,
        made,
        _cattrs_omit_if_default=record not in _WHOLE,
        **_renamed(record),
    )
    if record not in _TAGS:
        return write
    key, word = _TAGS[record]

    def unstructure(value: Any) -> Json:
        return {key: word, **write(value)}

    return unstructure


def _register(made: Converter, members: tuple[type[Any], ...], key: str) -> None:
    """A union whose members are told apart by the word under a key, or None."""
    by_word: Mapping[str, type[Any]] = {_TAGS[one][1]: one for one in members}

    def structure(value: Json, kind: Any) -> Any:
        if value is None and type(None) in get_args(kind):
            return None
        word = value.get(key) if isinstance(value, dict) else None
        record = by_word.get(word) if isinstance(word, str) else None
        if record is None:
            raise _WrongError(f"{key} is none of {', '.join(by_word)}")
        return made.structure(value, record)

    known = frozenset(members)
    made.register_structure_hook_func(
        lambda kind: frozenset(get_args(kind)) - {type(None)} == known, structure
    )


def _wired(decode: Callable[..., Result[Any, Any]]) -> Callable[[Json, Any], Any]:
    """A hook of a record that stands in the file as on the wire."""

    def structure(value: Json, _kind: Any) -> Any:
        if not isinstance(value, dict):
            raise _WrongError("not an object")
        read = decode(value, _UNBOUNDED)
        if not is_successful(read):
            raise _WrongError(read.failure().message)
        return read.unwrap()

    return structure
