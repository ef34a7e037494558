"""The server as an OpenAPI 3.1 document.

Made of the tables that the server itself follows: the protocol's schemas, the wire
forms of the errors, the statuses of `respond` and of `refusal`. A test has a generator
of requests hold the server to it.

To keep in step: `_ROUTES` with the routes of `app`.
"""

from collections.abc import Iterable
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final

from maelstrom.adapters.respond import STATUSES
from maelstrom.adapters.server.refusal import REFUSALS
from maelstrom.core.json_value import Json
from maelstrom.core.limits import Limits
from maelstrom.core.protocol_schema import protocol_schemas, turn_schema
from maelstrom.core.wire_results import ERRORS

__all__ = ["openapi_document"]

_ERROR: Final = "Error"
_ENGINE: Final = tuple(sorted(set(STATUSES.values())))
_ADMISSION: Final = (400, 401, 403)
_STORE: Final = (409, 500, 503)
"""What reading or forgetting turns can end in."""

_ROUTES: Final = MappingProxyType(
    {
        # (method, path): summary, 2xx status and schema, other statuses
        ("post", "/v1/messages"): (
            "One turn",
            (200, "EngineOutput"),
            (*_ENGINE, *_ADMISSION, 408, 415),
        ),
        ("get", "/v1/sessions/{session_id}/history"): (
            "The newest turns of a session, oldest first",
            (200, "History"),
            (*_ADMISSION, *_STORE),
        ),
        ("delete", "/v1/sessions/{session_id}"): (
            "Forget a session",
            (204, None),
            (*_ADMISSION, *_STORE, 429, 501, 504),
        ),
        ("get", "/healthz"): ("The process answers", (200, "Status"), (403,)),
        ("get", "/readyz"): ("A turn could run now", (200, "Status"), (403, 503)),
        ("get", "/openapi.json"): ("This document", (200, "Document"), (403,)),
    }
)
"""Every route also answers 404, 405 and 500."""

_EVERYWHERE: Final = (404, 405, 500)

_TEXT: Final = MappingProxyType({"type": "string"})
_WHOLE: Final = MappingProxyType({"type": "integer", "minimum": 0})
_FIELDS: Final = MappingProxyType(
    {
        # key of an error: what it holds, where that is no text
        "retryable": {"type": "boolean"},
        "status": _WHOLE,
        "retryAfterMs": _WHOLE,
    }
)
_MAYBE: Final = frozenset({"status", "retryAfterMs"})
"""Keys that an error may lack; a busy session always says how long to wait."""


def openapi_document(limits: Limits) -> dict[str, Json]:
    """The document of a server with these limits.

    >>> sorted(openapi_document(Limits()))
    ['components', 'info', 'openapi', 'paths']
    """
    paths: dict[str, Json] = {}
    for (method, path), (summary, (status, schema), others) in _ROUTES.items():
        answers = {str(status): _answer(status, schema)}
        for other in sorted({*others, *_EVERYWHERE}):
            answers[str(other)] = _answer(other, _ERROR)
        operation: dict[str, Json] = {"summary": summary, "responses": answers}
        operation["operationId"] = f"{method} {path}"
        operation["parameters"] = list(_parameters(path, limits))
        if method == "post":
            content = {"application/json": {"schema": _ref("EngineMessage")}}
            operation["requestBody"] = {"required": True, "content": content}
        paths.setdefault(path, {})[method] = operation
    info = {"title": "Maelstrom", "version": "1"}
    components = {"schemas": _schemas(limits)}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": components}


def _parameters(path: str, limits: Limits) -> Iterable[Json]:
    if "{session_id}" in path:
        schema = {
            "type": "string",
            "minLength": 1,
            "maxLength": limits.id_characters,
        }
        name = {"name": "session_id", "in": "path", "required": True}
        yield {**name, "schema": schema}
    if path.endswith("/history"):
        words = "1 to 1,000 turns; a number outside that is moved in"
        schema = {"type": "integer", "default": 50, "description": words}
        yield {"name": "limit", "in": "query", "schema": schema}


def _answer(status: int, schema: str | None) -> dict[str, Json]:
    made: dict[str, Json] = {"description": HTTPStatus(status).phrase}
    if schema is not None:
        made["content"] = {"application/json": {"schema": _ref(schema)}}
    return made


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def _schemas(limits: Limits) -> dict[str, Json]:
    status = {"type": "object", "properties": {"status": dict(_TEXT)}}
    turns = {"type": "array", "items": _ref("Turn")}
    errors = [_error(*form) for form in ERRORS.values()]
    errors += [_error(kind, ()) for kind in REFUSALS]
    return {
        **protocol_schemas(limits),
        "Turn": turn_schema(limits),
        "History": {
            "type": "object",
            "properties": {"turns": turns},
            "required": ["turns"],
            "additionalProperties": False,
        },
        "Status": {**status, "required": ["status"]},
        "Document": {"type": "object"},
        _ERROR: {"oneOf": errors},
    }


def _error(kind: str, carried: tuple[tuple[str, str], ...]) -> dict[str, Json]:
    keys = [key for key, _ in carried]
    needed = [key for key in keys if key not in _MAYBE]
    fields: dict[str, Any] = {"type": {"const": kind}, "message": dict(_TEXT)}
    fields |= {key: dict(_FIELDS.get(key, _TEXT)) for key in keys}
    if kind == "request_validation_error":
        fields["issues"] = {"type": "array", "minItems": 1, "maxItems": 16}
        fields["issues"]["items"] = _issue()
        needed.append("issues")
    if kind in REFUSALS:
        fields["retryAfterMs"] = dict(_WHOLE)
    else:
        fields |= {"sessionId": dict(_TEXT), "id": dict(_TEXT)}
    return {
        "type": "object",
        "properties": fields,
        "required": ["type", "message", *needed],
        "additionalProperties": False,
    }


def _issue() -> Json:
    part = {"type": ["string", "integer"]}
    fields = {
        "path": {"type": "array", "items": part},
        "code": dict(_TEXT),
        "message": dict(_TEXT),
    }
    return {"type": "object", "properties": fields, "required": list(fields)}
