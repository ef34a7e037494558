"""Reading a model's answer: which object it is, and whether it has an answer's shape.

Theory of operation: lane 1 (`maelstrom.core.answer_text`) gives the objects that stand
in the text; the first of them that has an answer's shape is the answer. With salvage
the shape is taken strictly at the level of the response alone (texts, a list, a layout
of the requested type with its list), and every piece is handed on as it is, for heal
to drop alone. Without salvage the response schema is taken by the letter, by a small
interpreter of it; unknown keys are ignored in both.

Whatever fails is the model's fault, so it is a ProviderError, but for a message to the
user that is there and blank: that is a ParseError. No message quotes the answer.

Warts: a missing rationale is no fault in either way of reading, as mend warns of it;
the provider is not known here, and is named "model".

In step with: `maelstrom.core.schema` and the REPAIRS table of `maelstrom.core.reasons`.
"""

from types import MappingProxyType
from typing import Final, Literal, assert_never

from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.core.answer_text import Found, Reading, Unreadable, read_objects
from maelstrom.core.candidate import Candidate
from maelstrom.core.errors import ParseError, ProviderError
from maelstrom.core.healed import Repair
from maelstrom.core.json_value import Json
from maelstrom.core.layout import LayoutMode
from maelstrom.core.limits import Limits
from maelstrom.core.reasons import REPAIRS
from maelstrom.core.schema import response_schema

__all__ = ["decode_candidate"]

_LISTS: Final = MappingProxyType({"grid": "positions", "tiling": "nodes"})
_ORDER: Final = MappingProxyType({row.name: i for i, row in enumerate(REPAIRS)})
_WORDS: Final = MappingProxyType(
    {
        "malformed_json": "the answer is no JSON object",
        "schema_violation": "the answer has not the shape asked for",
        "truncated": "the answer was cut at the token limit: raise max_tokens",
    }
)


def decode_candidate(
    text: str,
    mode: LayoutMode,
    finish_reason: str | None = None,
    salvage: bool = True,
    limits: Limits = Limits(),  # noqa: B008  a frozen record
) -> Result[Candidate, ProviderError | ParseError]:
    """Read a model's answer into a candidate; total, whatever the text.

    Args:
        text: What the model wrote.
        mode: The layout mode that was asked for.
        finish_reason: ``"length"`` where the provider cut the answer.
        salvage: Hand malformed pieces on, instead of failing the whole answer.
        limits: Bounds of bytes and of nesting.

    Returns:
        The candidate, with the repairs that reading took. ProviderError of kind
        schema_violation (too many bytes, not the shape), truncated or malformed_json;
        ParseError where the message to the user is blank.

    >>> text = '{"executionPlan": [], "layout": {"type": "grid", "positions": []},'
    >>> text += ' "userMessage": "Hello."}'
    >>> decode_candidate(text, "grid").unwrap().user_message
    'Hello.'
    >>> decode_candidate("Sorry, no.", "grid").failure().kind
    'malformed_json'
    """
    if _is_over(text, limits.answer_bytes):
        return Failure(_fault("schema_violation", f"over {limits.answer_bytes} bytes"))
    if finish_reason == "length":
        return Failure(_fault("truncated", _WORDS["truncated"]))
    read = read_objects(text, nesting=limits.nesting, lenient=salvage)
    if not is_successful(read):
        return Failure(_fault(read.failure(), _WORDS[read.failure()]))
    reading = read.unwrap()
    fault = ""
    for found in reading.objects:
        wrong = _deviation(found.value, mode, salvage)
        if wrong is None:
            return _candidate(found, reading)
        fault = fault or wrong
    if reading.cut:
        return Failure(_fault("malformed_json", _WORDS["malformed_json"]))
    return Failure(_fault("schema_violation", f"{_WORDS['schema_violation']}: {fault}"))


def _is_over(text: str, limit: int) -> bool:
    if len(text) > limit:
        return True
    return len(text.encode("utf-8", "surrogatepass")) > limit


def _fault(kind: Unreadable | Literal["truncated"], message: str) -> ProviderError:
    return ProviderError(kind, "model", message)


def _candidate(found: Found, reading: Reading) -> Result[Candidate, ParseError]:
    value = found.value
    if not value["userMessage"].strip():
        return Failure(ParseError("userMessage", "the message to the user is blank"))
    extra = ("extra_object",) if len(reading.objects) > 1 else ()
    names = dict.fromkeys((*reading.repairs, *found.repairs, *extra))
    candidate = Candidate(
        rationale=value.get("rationale") or "",
        execution_plan=tuple(value["executionPlan"]),
        layout=value["layout"],
        user_message=value["userMessage"],
        repairs=tuple(
            Repair(name, ()) for name in sorted(names, key=_ORDER.__getitem__)
        ),
    )
    return Success(candidate)


# ---------------------------------------------------------------- the shape of an answer


def _deviation(value: Json, mode: LayoutMode, salvage: bool) -> str | None:
    """The first deviation from an answer's shape, None where it has it."""
    if salvage:
        return _response_deviation(value, mode)
    return _schema_deviation(value, mode)


def _response_deviation(value: Json, mode: LayoutMode) -> str | None:
    items = _LISTS[mode]
    layout = value.get("layout")
    inner = layout if isinstance(layout, dict) else {}
    checks = (
        (isinstance(value.get("rationale"), str | None), "rationale is no text"),
        (isinstance(value.get("executionPlan"), list), "executionPlan is no list"),
        (isinstance(layout, dict), "layout is no object"),
        (inner.get("type") == mode, f"layout is not of type {mode}"),
        (isinstance(inner.get(items), list), f"layout.{items} is no list"),
        (isinstance(value.get("userMessage"), str), "userMessage is no text"),
    )
    return next((words for fits, words in checks if not fits), None)


def _schema_deviation(value: Json, mode: LayoutMode) -> str | None:
    schema = response_schema(mode)
    schema["required"].remove("rationale")  # a soft failure: mend warns of it
    work: list[tuple[Json, Json, str]] = [(schema, value, "answer")]
    while work:
        form, item, path = work.pop()
        wrong = _form_deviation(form, item)
        if wrong is not None:
            return f"{path} {wrong}"
        if form["type"] == "array":
            inner = [(form["items"], child, f"{path}[]") for child in item]
        elif form["type"] == "object":
            inner = [
                (child, item[name], f"{path}.{name}")
                for name, child in form["properties"].items()
                if name in item
            ]
        else:
            inner = []
        work.extend(reversed(inner))
    return None


def _form_deviation(form: Json, item: Json) -> str | None:
    if not _is_of(form["type"], item):
        return f"is not of type {form['type']}"
    missing = [name for name in form.get("required", ()) if name not in item]
    if missing:
        return f"has no {missing[0]}"
    if "enum" in form and item not in form["enum"]:
        return f"is none of {', '.join(form['enum'])}"
    return None


def _is_of(
    name: Literal["object", "array", "string", "integer", "number"], item: Json
) -> bool:
    """JSON Schema's types: 6.0 is an integer, and true is none."""
    match name:
        case "object":
            return isinstance(item, dict)
        case "array":
            return isinstance(item, list)
        case "string":
            return isinstance(item, str)
        case "integer":
            whole = isinstance(item, float) and item.is_integer()
            return whole or (isinstance(item, int) and not isinstance(item, bool))
        case "number":
            return isinstance(item, int | float) and not isinstance(item, bool)
    assert_never(name)
