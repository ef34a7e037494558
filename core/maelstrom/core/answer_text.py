"""From a model's text to the JSON objects that stand in it, losslessly.

Theory of operation: a text that parses as it stands is never touched. Otherwise the
text is read as *gaps* and *objects*, in turn: an object runs from a brace to the brace
that closes it, by a scan that knows strings; all around are gaps. What a gap holds is
classified (white space, byte order mark, thoughts, the fence of an object, prose) and
left out; an object that does not parse is mended where that changes no meaning
(trailing commas, raw control characters in strings), else it is prose. Every step
leaves a repair's name behind.

Which of several objects is the answer is not decided here: `maelstrom.core.answer`
knows what an answer looks like.

Warts:
- an object that never closes makes the text malformed whatever stands inside it, so
  that no part of a cut answer is taken for the whole; objects before it count;
- an object right after an opening bracket stands in an array, and is no answer;
- a quote inside a brace group of prose opens a string, as it would in JSON;
- what stands after a thousand brace groups is prose;
- only `<think>` as it is written here counts, and one that never closes is prose.

No step looks at a character more than a fixed number of times: a megabyte of braces
takes as long as a megabyte of anything else. In step with: the REPAIRS table of
`maelstrom.core.reasons`.
"""

import re
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from attrs import field, frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.core.json_text import JsonRules, parse_json
from maelstrom.core.json_value import Json

__all__ = ["Found", "Reading", "Unreadable", "read_objects"]

Unreadable: TypeAlias = Literal["malformed_json", "schema_violation"]
"""No JSON object can be read; what was read is no object."""


@frozen
class Found:
    """An object that was read, and the repairs inside it."""

    value: Json = field(hash=False)
    repairs: tuple[str, ...] = ()


@frozen
class Reading:
    """The top-level objects of a text, and the repairs around them.

    ``cut`` is true where one more object follows that never closes.
    """

    objects: tuple[Found, ...]
    repairs: tuple[str, ...] = ()
    cut: bool = False


def read_objects(
    text: str, *, nesting: int, lenient: bool
) -> Result[Reading, Unreadable]:
    """Read every top-level object of a text; total.

    Args:
        text: What the model wrote.
        nesting: How many objects and arrays may stand within each other.
        lenient: Whether NaN, infinities and over-long numbers are read.

    >>> reading = read_objects('Here: {"a": [1,]}', nesting=9, lenient=True).unwrap()
    >>> reading.objects[0].value, reading.objects[0].repairs, reading.repairs
    ({'a': [1]}, ('trailing_comma',), ('prose_removed',))
    """
    rules = JsonRules(
        max_depth=nesting,
        first_key_wins=True,
        constants=lenient,
        overflow=lenient,
        replace_surrogates=True,
    )
    read = _read(text, rules)
    if not isinstance(read, _Encoded):
        return read
    again = _read(read.text, rules)
    if isinstance(again, _Encoded):
        return Failure("schema_violation")
    if not is_successful(again):
        return again
    inner = again.unwrap()
    repairs = (*read.repairs, "double_encoded", *inner.repairs)
    return Success(Reading(inner.objects, repairs, inner.cut))


@frozen
class _Encoded:
    """A JSON string: what it holds is to be read once more."""

    text: str
    repairs: tuple[str, ...]


def _read(text: str, rules: JsonRules) -> Result[Reading, Unreadable] | _Encoded:
    """Read a text as it stands, else as one value in its wrapping, else by objects."""
    whole = _parse(text, rules)
    if whole is not None:
        return _judge(whole, ())
    edge = _EDGE.match(text)
    if edge is not None:
        core = text[edge.end() :]
        tail = _TAIL.search(core)
        end = len(core) if tail is None else tail.start()
        found = _parse_group(core[:end], rules)
        if found is not None:
            before = _classify(edge[0], follows=False, precedes=True)
            after = _classify(core[end:], follows=True, precedes=False)
            return _judge(found, (*before, *after))
    return _read_by_objects(text, rules)


def _judge(
    found: Found, repairs: tuple[str, ...]
) -> Result[Reading, Unreadable] | _Encoded:
    if isinstance(found.value, str):
        return _Encoded(found.value, (*repairs, *found.repairs))
    if not isinstance(found.value, dict):
        return Failure("schema_violation")
    return Success(Reading((found,), repairs))


# ---------------------------------------------------------------- objects and gaps

_OPENING: Final = re.compile(r"<think>|\{")
_THINK_END: Final = "</think>"
_MAX_GROUPS: Final = 1_000
"""Brace groups that are looked at: an answer after more of them is no answer."""
_BRACE: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[{}]', re.DOTALL)


def _read_by_objects(text: str, rules: JsonRules) -> Result[Reading, Unreadable]:
    spans, cut = _spans(text)
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(text)]
    gaps = [text[end:start] for end, start in zip(ends, starts, strict=True)]
    groups = [_parse_group(text[start:end], rules) for start, end in spans]
    inside = _inside_array(gaps)
    placed = list(zip(groups, inside, strict=True))
    found = tuple(read for read, in_array in placed if read and not in_array)
    if not found:
        array = not cut and any(read and in_array for read, in_array in placed)
        return Failure("schema_violation" if array else "malformed_json")
    repairs = ["prose_removed"] if len(found) < len(groups) else []
    last = len(gaps) - 1
    for i, gap in enumerate(gaps):
        repairs.extend(_classify(gap, follows=i > 0, precedes=i < last))
    return Success(Reading(found, tuple(dict.fromkeys(repairs)), cut))


def _spans(text: str) -> tuple[list[tuple[int, int]], bool]:
    """Where the top-level brace groups stand, and whether another never closes."""
    spans: list[tuple[int, int]] = []
    last_think = text.rfind(_THINK_END)
    mark = _OPENING.search(text)
    while mark is not None and len(spans) < _MAX_GROUPS:
        position = mark.end()
        if mark[0] == "{":
            end = _group_end(text, mark.start())
            if end is None:
                return spans, True
            spans.append((mark.start(), end))
            position = end
        elif position <= last_think:
            position = text.find(_THINK_END, position) + len(_THINK_END)
        mark = _OPENING.search(text, position)
    return spans, False


def _group_end(text: str, start: int) -> int | None:
    depth = 0
    for token in _BRACE.finditer(text, start):
        if token[0] == "{":
            depth += 1
        elif token[0] == "}":
            depth -= 1
            if not depth:
                return token.end()
    return None


def _inside_array(gaps: list[str]) -> list[bool]:
    """Whether each object stands in an array, by the gap before it."""
    inside: list[bool] = []
    for before, _ in pairwise(gaps):
        opens = before.rstrip().endswith("[")
        goes_on = bool(inside) and inside[-1] and before.strip() == ","
        inside.append(opens or goes_on)
    return inside


# ---------------------------------------------------------------- what a gap holds

_BOM: Final = "\ufeff"
_JSON_WHITE: Final = " \t\n\r"
_THOUGHT: Final = re.compile(r"<think>(?:(?!</think>).)*+</think>", re.DOTALL)
# The looks behind keep a long run of fence signs from being tried at each of them.
_FENCE_BEFORE: Final = re.compile(r"(?<![`~])(?:`{3,}+|~{3,}+)[ \t]*+[\w+-]*+\s*+\Z")
_FENCE_AFTER: Final = re.compile(r"\A\s*+(?:`{3,}+|~{3,}+)")
# One JSON string or array in its wrapping: only these can begin so.
_EDGE: Final = re.compile(
    r"(?:[\s\ufeff]++|<think>(?:(?!</think>).)*+</think>)*+"
    r"(?:(?:`{3,}+|~{3,}+)[ \t]*+[\w+-]*+\s++)?"
    r"(?=[\"\[])",
    re.DOTALL,
)
_TAIL: Final = re.compile(r"(?<![\s`~])\s*+(?:(?:`{3,}+|~{3,}+)\s*+)?\Z")


def _classify(gap: str, *, follows: bool, precedes: bool) -> tuple[str, ...]:
    """The repairs that leaving out a gap is, by whether it touches an object."""
    if not gap.strip(_JSON_WHITE):
        return ()
    repairs: list[str] = []
    rest = gap.lstrip(_JSON_WHITE)
    if rest.startswith(_BOM):
        repairs.append("bom_removed")
        rest = rest[1:]
    thoughts, end, rest = rest.rpartition(_THINK_END)
    if end:
        without = _THOUGHT.sub("", thoughts + end)
        if without != thoughts + end:
            repairs.append("think_removed")
        rest = without + rest
    unfenced = _FENCE_AFTER.sub("", rest) if follows else rest
    unfenced = _FENCE_BEFORE.sub("", unfenced) if precedes else unfenced
    if unfenced != rest:
        repairs.append("fence_removed")
    if unfenced.strip():
        repairs.append("prose_removed")
    elif unfenced.strip(_JSON_WHITE):
        repairs.append("white_space")
    return tuple(repairs)


# ---------------------------------------------------------------- one JSON text

_TOKEN: Final = re.compile(
    r'"(?:[^"\\]++|\\.)*+"?'  # a string
    r"|[\[{:,][ \t\n\r]*+,"  # a comma with nothing before it: no trailing one
    r"|,(?=[ \t\n\r]*+[}\]])",
    re.DOTALL,
)
_RAW: Final = re.compile(r"\\.|[\x00-\x1f]", re.DOTALL)


def _parse(text: str, rules: JsonRules) -> Found | None:
    parsed = parse_json(text, rules)
    if not is_successful(parsed):
        return None
    read = parsed.unwrap()
    return Found(read.value, ("duplicate_key",) if read.had_duplicates else ())


def _parse_group(text: str, rules: JsonRules) -> Found | None:
    return _parse(text, rules) or _parse_mended(text, rules)


def _parse_mended(text: str, rules: JsonRules) -> Found | None:
    escaped = _TOKEN.sub(_escape_controls, text)
    mended = _TOKEN.sub(_drop_comma, escaped)
    if mended == text:
        return None
    found = _parse(mended, rules)
    if found is None:
        return None
    repairs = list(found.repairs)
    if escaped != text:
        repairs.append("control_character")
    if mended != escaped:
        repairs.append("trailing_comma")
    return Found(found.value, tuple(repairs))


def _escape_controls(token: re.Match[str]) -> str:
    text = token[0]
    return _RAW.sub(_escaped, text) if text.startswith('"') else text


def _escaped(raw: re.Match[str]) -> str:
    return raw[0] if raw[0].startswith("\\") else f"\\u{ord(raw[0]):04x}"


def _drop_comma(token: re.Match[str]) -> str:
    return "" if token[0] == "," else token[0]
