"""Bounds of parameter schemas, which come from clients, and validation under them.

Theory: a schema is bounded before any validator sees it, so that what a validator does
with it is bounded too: its size, references to its own definitions alone, in no ring,
and few nodes once each reference is counted as what it names (28 definitions that each
refer twice to the next are 2^28 nodes, and seconds a validation). Patterns run on an
engine of linear time. Parameters are bounded as well: a very deep one would crash the
native validator.

What counts as a schema is said by the table `APPLICATORS`: `$ref` under ``const``,
``enum``, ``default``, ``examples`` or an unknown keyword is data, and ``properties``
may name anything. Should the table ever miss a place that the validator reads, its
retriever still opens nothing.

Verdicts are kept in bounded caches by the exact bytes of the schema; large ones in a
small cache of their own, so that no client fills the memory. The bytes are those of
`marshal`, which writes them in half the time of a text, each value with its type (True,
1 and 1.0 are three), and in version 2 without references, so that equal values of
whatever origin have the same.
"""

import marshal
import re
from collections.abc import Iterator
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from returns.result import Failure, Result, Success

from maelstrom.core.json_strings import strings_of_value
from maelstrom.core.json_text import nests_deeper
from maelstrom.core.json_value import Json
from maelstrom.core.json_writer import compact_text
from maelstrom.core.wire_explain import guest_faults

if TYPE_CHECKING:
    from maelstrom.core.params_validator import ParamsValidator, Refusal

__all__ = [
    "APPLICATORS",
    "MAX_NODES",
    "MAX_PARAMS_DEPTH",
    "MAX_SCHEMA_BYTES",
    "Verdict",
    "check_params",
    "schema_fault",
    "verdict_on",
]

MAX_SCHEMA_BYTES: Final = 64_000
"""Of a parameter schema as compact JSON in UTF-8."""

MAX_NODES: Final = 2_000
"""Schemas within a schema, each reference counted as what it names."""

MAX_PARAMS_DEPTH: Final = 32
"""Objects and arrays within each other in parameters: a very deep value would crash the
native validator."""

_MAX_SCHEMA_DEPTH: Final = 64
"""A message nests no deeper either."""

_TOO_DEEP: Final = f"nested over {_MAX_SCHEMA_DEPTH} deep"
_NO_PLACE: Final = "holds a number or a text without a place on the wire"

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

APPLICATORS: Final = MappingProxyType(
    {
        # keyword: how its value holds schemas
        "additionalProperties": "one",
        "contains": "one",
        "contentSchema": "one",
        "else": "one",
        "if": "one",
        "items": "one",
        "not": "one",
        "propertyNames": "one",
        "then": "one",
        "unevaluatedItems": "one",
        "unevaluatedProperties": "one",
        "allOf": "list",
        "anyOf": "list",
        "oneOf": "list",
        "prefixItems": "list",
        "$defs": "map",
        "definitions": "map",
        "dependencies": "map",
        "dependentSchemas": "map",
        "patternProperties": "map",
        "properties": "map",
    }
)
"""Where schemas stand in a schema; two of the names are from older dialects."""

_FORBIDDEN: Final = ("$id", "$anchor", "$dynamicRef")
_REFERENCE: Final = re.compile(r"#/\$defs/([^/%~#]+)")

_SMALL: Final = 4_000
"""Bytes of a schema that is kept in the larger of the caches."""


def schema_fault(schema: Json) -> str | None:
    """What keeps a value from being a parameter schema, None where nothing does.

    >>> schema_fault({"type": "object", "properties": {"city": {"type": "string"}}})
    >>> schema_fault({"type": "object", "properties": {"a": {"$ref": "file:///a"}}})
    '$ref may only name a definition of its own, as #/$defs/NAME'
    """
    return verdict_on(schema).fault


def check_params(schema: Json, params: Json) -> Result[None, str]:
    """Whether parameters fit a schema; a failure names the keyword that refused them.

    Bounds come first, and fail as ``nesting``, ``bounds`` or ``schema``.

    >>> days = {"type": "object", "properties": {"days": {"maximum": 14}}}
    >>> check_params(days, {"days": 7})
    <Success: None>
    >>> check_params(days, {"days": 15})
    <Failure: maximum>
    """
    if nests_deeper(params, MAX_PARAMS_DEPTH):
        return Failure("nesting")
    if next(guest_faults(params), None) is not None:
        return Failure("bounds")
    validator = verdict_on(schema).validator
    if validator is None:
        return Failure("schema")
    refusal = validator.refusal(params)
    return Success(None) if refusal is None else Failure(_keyword(refusal))


def _keyword(refusal: "Refusal") -> str:
    """The keyword that refused; where ``false`` did, the one that it stands under."""
    if refusal.kind != "falseSchema":
        return refusal.kind
    path = (each for each in reversed(refusal.path) if each in APPLICATORS)
    return str(next(path, "false"))


_FORMAT: Final = 2
"""The last version of marshal that writes a value alike wherever it is shared."""


class Verdict(NamedTuple):
    """What was found of a value: what keeps it from being a schema, or its validator.

    ``strings`` is how many strings a right schema holds, keys among them.
    """

    fault: str | None
    validator: "ParamsValidator | None" = None
    strings: int = 0


def verdict_on(schema: Json) -> Verdict:
    """The verdict on a value, found again where its equal was judged before.

    >>> verdict_on({"type": "object"}).strings, verdict_on({"type": "text"}).fault
    (2, 'must be of type object')
    """
    if schema.__class__ is not dict:
        return Verdict("must be an object")
    try:
        data = marshal.dumps(schema, _FORMAT)
    except ValueError:  # far too deep, or no JSON
        return _judge(schema)
    return _small_verdict(data) if len(data) <= _SMALL else _large_verdict(data)


@lru_cache(maxsize=2_048)
def _small_verdict(data: bytes) -> Verdict:
    return _judge(marshal.loads(data))  # noqa: S302  our own bytes of a moment ago


@lru_cache(maxsize=32)
def _large_verdict(data: bytes) -> Verdict:
    return _judge(marshal.loads(data))  # noqa: S302


def _judge(schema: Json) -> Verdict:
    fault = _fault(schema)
    if fault is not None:
        return Verdict(fault)
    from maelstrom.core.params_validator import compiled  # loaded with the first schema

    validator = compiled(schema, _patterns(schema))
    if validator is None:
        return Verdict("no valid JSON Schema 2020-12 with patterns of linear time")
    return Verdict(None, validator, strings_of_value(schema))


def _fault(schema: Json) -> str | None:
    if nests_deeper(schema, _MAX_SCHEMA_DEPTH):
        return _TOO_DEEP
    if next(guest_faults(schema), None) is not None:
        return _NO_PLACE
    if len(compact_text(schema).encode()) > MAX_SCHEMA_BYTES:
        return f"over {MAX_SCHEMA_BYTES} bytes as compact JSON"
    if schema.get("type") != "object":
        return "must be of type object"
    return _bounds_fault(schema)


# ---------------------------------------------------------------- bounds


def _bounds_fault(schema: Json) -> str | None:
    for each in _schemas(schema):
        if any(keyword in each for keyword in _FORBIDDEN):
            return f"must not use {', '.join(_FORBIDDEN)}"
        if each.get("$schema", _DIALECT) != _DIALECT:
            return "must be of the dialect 2020-12"
        if "$ref" in each and _named(each) is None:
            return "$ref may only name a definition of its own, as #/$defs/NAME"
    definitions = schema.get("$defs", {})
    if definitions.__class__ is not dict:
        return "$defs must be an object"
    return _expansion_fault(schema, definitions)


def _named(schema: Json) -> str | None:
    """The definition that a reference names, None where it names none."""
    reference = schema["$ref"]
    if reference.__class__ is not str:
        return None
    found = _REFERENCE.fullmatch(reference)
    return None if found is None else found[1]


def _expansion_fault(schema: Json, definitions: Json) -> str | None:
    """Whether references go in a ring, or stand for too many nodes."""
    uses = {name: _uses(each) for name, each in definitions.items()}
    sizes: dict[str, int] = {}
    open_names: set[str] = set()
    work = [(name, False) for name in definitions]
    while work:
        name, done = work.pop()
        if done:
            open_names.discard(name)
            nodes, names = uses[name]
            sizes[name] = nodes + sum(sizes[each] for each in names)
        elif name in open_names:
            return "references go in a ring"
        elif name not in sizes:
            open_names.add(name)
            work.append((name, True))
            for each in uses[name][1]:
                if each not in uses:
                    return "$ref names no definition"
                work.append((each, False))
    nodes, names = _uses({key: schema[key] for key in schema if key != "$defs"})
    if any(name not in sizes for name in names):
        return "$ref names no definition"
    if nodes + sum(sizes[name] for name in names) > MAX_NODES:
        return f"over {MAX_NODES} nodes once references are counted out"
    return None


def _uses(schema: Json) -> tuple[int, list[str]]:
    """How many schemas stand in one, itself included, and the definitions named."""
    nodes = 0
    names = []
    for each in _schemas(schema):
        nodes += 1
        if "$ref" in each:
            names.append(_named(each) or "")
    return nodes, names


def _schemas(schema: Json) -> Iterator[Json]:
    """The object and all schemas inside it, but for true and false."""
    work = [schema]
    while work:
        each = work.pop()
        if each.__class__ is not dict:
            continue
        yield each
        for keyword, value in each.items():
            match APPLICATORS.get(keyword):
                case "one":
                    work.append(value)
                case "list" if value.__class__ is list:
                    work.extend(value)
                case "map" if value.__class__ is dict:
                    work.extend(value.values())
                case _:
                    pass


def _patterns(schema: Json) -> Iterator[Json]:
    for each in _schemas(schema):
        if "pattern" in each:
            yield each["pattern"]
        named = each.get("patternProperties")
        if named.__class__ is dict:
            yield from named
