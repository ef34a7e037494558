"""Cases of an evaluation: what is asked, and what must and must not hold of the answer.

A file holds a JSON list of cases, or one case a line. A case is an object:

    name      what it is called; unique
    request   a ChartRequest of the protocol; or, in short, of the example app:
    app       "demo", with `mode`, `columns`, `rows`, `shown` and `parked` (instances
              and their variants; an instance is called after its vessel: calendar-1),
              and `intent`, or `reasons` as in a request
    must      what has to hold, see below
    mustNot   what may not hold, none of it

Both say the same things: `instances` and `vessels`, lists of what is shown; `variants`,
which variant an instance or vessel is in afterwards; `actions`, a list of calls, each
`{on, action, params}` with what is left out taken as any (texts are compared without
regard to case); `nothingLost`: what was shown still is, and of the answer nothing was
dropped or skipped; `message`: the user is told something; `answered`: the model's own
answer is served, not an error and not a last resort.

Every item is one `Check`, so that a report can name what failed.
"""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from attrs import field, frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.adapters.demo import VESSELS
from maelstrom.core.chart_state import ChartState
from maelstrom.core.json_text import JsonRules, parse_json
from maelstrom.core.json_value import Json
from maelstrom.core.reflow import reflow
from maelstrom.core.request import (
    ChartRequest,
    Context,
    Dimensions,
    Instance,
    UserIntent,
)
from maelstrom.core.wire import decode_request, encode_request

__all__ = ["Case", "Check", "CheckKind", "read_cases"]

CheckKind: TypeAlias = Literal[
    "instance", "vessel", "variant", "action", "nothingLost", "message", "answered"
]


@frozen
class Check:
    """One thing that must hold, or with ``wanted`` False must not.

    ``subject`` is an instance or a vessel, ``value`` a variant; of an action, its
    ``params`` are those that must be among the call's.
    """

    kind: CheckKind
    subject: str = ""
    value: str = ""
    params: Json = field(factory=dict, hash=False)
    wanted: bool = True


@frozen
class Case:
    """A request, and what is expected of the turn that it begins."""

    name: str
    request: ChartRequest = field(hash=False)
    checks: tuple[Check, ...]


class _CaseError(Exception):
    """A case is no case; the message says why."""


_KEYS: Final = frozenset({"name", "must", "mustNot"})
_SHORT: Final = frozenset(
    {"app", "mode", "columns", "rows", "shown", "parked", "intent", "reasons"}
)
_VARIANTS: Final = frozenset(
    (vessel.id, variant.id) for vessel in VESSELS for variant in vessel.variants
)
_SIDES: Final = (12, 8)
"""Columns and rows of the example app's chart, where a case does not say."""


def read_cases(content: bytes | str) -> Result[tuple[Case, ...], str]:
    """The cases of a file, or in words what is wrong with the first bad one.

    >>> read_cases('[{"name": "empty"}]').failure()
    'case 1 (empty): neither a request nor an app'
    """
    values = _values(content)
    if not is_successful(values):
        return Failure(values.failure())
    cases: dict[str, Case] = {}
    for number, value in enumerate(values.unwrap(), start=1):
        name = value.get("name") if isinstance(value, dict) else None
        try:
            case = _case(value, cases)
        except _CaseError as error:
            named = f" ({name:.80})" if isinstance(name, str) else ""
            return Failure(f"case {number}{named}: {error}")
        cases[case.name] = case
    return Success(tuple(cases.values()))


def _values(content: bytes | str) -> Result[list[Json], str]:
    """A list of values, or a value a line."""
    whole = parse_json(content, JsonRules())
    if is_successful(whole):
        value = whole.unwrap().value
        return Success(value if isinstance(value, list) else [value])
    text = content if isinstance(content, str) else content.decode("utf-8", "replace")
    found: list[Json] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        read = parse_json(line, JsonRules())
        if not is_successful(read):
            return Failure(f"line {number}: {read.failure().message}")
        found.append(read.unwrap().value)
    return Success(found) if found else Failure("it holds no case")


def _case(value: Json, earlier: Mapping[str, Case]) -> Case:
    if not isinstance(value, dict):
        raise _CaseError("not an object")
    name = value.get("name")
    if not isinstance(name, str) or not name.strip():
        raise _CaseError("it has no name")
    if name in earlier:
        raise _CaseError("an earlier case is called so")
    known = _KEYS | ({"request"} if "request" in value else _SHORT)
    if unknown := next((key for key in value if key not in known), None):
        raise _CaseError(f"no such key: {unknown:.80}")
    if "request" in value:
        request = _decoded(value["request"])
    elif value.get("app") == "demo":
        request = _decoded(_demo_request(value))
    else:
        raise _CaseError("neither a request nor an app")
    checks = (
        *_checks(value.get("must", {}), "must", True),
        *_checks(value.get("mustNot", {}), "mustNot", False),
    )
    return Case(name, request, checks)


def _decoded(value: Json) -> ChartRequest:
    if not isinstance(value, dict):
        raise _CaseError("request: not an object")
    request = decode_request(value)
    if not is_successful(request):
        raise _CaseError(f"request: {request.failure().message}")
    return request.unwrap()


# ---------------------------------------------------------------- the short form


def _demo_request(value: Mapping[str, Json]) -> Json:
    """The example app's request as JSON; the decoder judges what comes of it."""
    shown = _instances(value.get("shown", {}))
    parked = _instances(value.get("parked", {}))
    size = Dimensions(
        _side(value, "columns", _SIDES[0]), _side(value, "rows", _SIDES[1])
    )
    reasons = value.get("reasons", [{"type": "user_intent", **_intent(value)}])
    state = ChartState(
        dimensions=_before(reasons, size),
        mode="tiling" if value.get("mode") == "tiling" else "grid",
        vessels=VESSELS,
        instances=shown,
    )
    context = Context((UserIntent("-"),), state.dimensions, state.mode)
    stood = ChartRequest(context, shown, VESSELS, state.layout)
    made = encode_request(
        ChartRequest(context, (*shown, *parked), VESSELS, reflow(stood))
    )
    made["context"] = {
        "updateReasons": reasons,
        "chartDimensions": {"columns": size.columns, "rows": size.rows},
        "layoutMode": value.get("mode", "grid"),
    }
    return made


def _intent(value: Mapping[str, Json]) -> dict[str, Json]:
    return {"intent": value["intent"]} if "intent" in value else {}


def _instances(given: Json) -> tuple[Instance, ...]:
    if not isinstance(given, dict):
        raise _CaseError("shown and parked map instances to variants")
    found = tuple(
        Instance(name, name.rpartition("-")[0], variant)
        for name, variant in given.items()
    )
    for one in found:
        if (one.vessel_id, one.variant) not in _VARIANTS:
            raise _CaseError(f"the example app has no {one.instance_id:.80} like that")
    return found


def _side(value: Mapping[str, Json], key: str, default: int) -> int:
    side = value.get(key, default)
    if side.__class__ is not int or side < 1:
        raise _CaseError(f"{key}: no whole number from 1 on")
    return int(side)


def _before(reasons: Json, size: Dimensions) -> Dimensions:
    """The chart on which the shown instances stood: the previous one after a resize."""
    for reason in reasons if isinstance(reasons, list) else ():
        previous = reason.get("previous") if isinstance(reason, dict) else None
        if isinstance(previous, dict):
            return Dimensions(
                _side(previous, "columns", size.columns),
                _side(previous, "rows", size.rows),
            )
    return size


# ---------------------------------------------------------------- what is expected


def _checks(given: Json, where: str, wanted: bool) -> Iterator[Check]:
    if not isinstance(given, dict):
        raise _CaseError(f"{where}: not an object")
    for key, value in given.items():
        if key not in _READERS:
            raise _CaseError(f"{where}: no such key: {key:.80}")
        for check in _READERS[key](value, f"{where}.{key}"):
            yield check if wanted else _turned(check)


def _turned(check: Check) -> Check:
    return Check(check.kind, check.subject, check.value, check.params, wanted=False)


def _texts(value: Json, where: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _CaseError(f"{where}: not a list of texts")
    return value


def _shown_instances(value: Json, where: str) -> Iterator[Check]:
    return (Check("instance", name) for name in _texts(value, where))


def _shown_vessels(value: Json, where: str) -> Iterator[Check]:
    return (Check("vessel", name) for name in _texts(value, where))


def _variants(value: Json, where: str) -> Iterator[Check]:
    if not isinstance(value, dict):
        raise _CaseError(f"{where}: not an object")
    variants = _texts(list(value.values()), where)
    pairs = zip(value, variants, strict=True)
    return (Check("variant", subject, variant) for subject, variant in pairs)


def _actions(value: Json, where: str) -> Iterator[Check]:
    if not isinstance(value, list):
        raise _CaseError(f"{where}: not a list")
    for entry in value:
        known = isinstance(entry, dict) and not entry.keys() - {
            "on",
            "action",
            "params",
        }
        params = entry.get("params", {}) if known else None
        if not isinstance(params, dict):
            raise _CaseError(f"{where}: no object of on, action, params")
        subject, action = _texts([entry.get("on", ""), entry.get("action", "")], where)
        yield Check("action", subject, action, params)


def _flag(kind: CheckKind) -> Callable[[Json, str], Iterator[Check]]:
    def read(value: Json, where: str) -> Iterator[Check]:
        if value is not True:
            raise _CaseError(f"{where}: true, or left out")
        yield Check(kind)

    return read


_READERS: Final = MappingProxyType[str, Callable[[Json, str], Iterator[Check]]](
    {
        "instances": _shown_instances,
        "vessels": _shown_vessels,
        "variants": _variants,
        "actions": _actions,
        "nothingLost": _flag("nothingLost"),
        "message": _flag("message"),
        "answered": _flag("answered"),
    }
)
