"""The document of the server, and a generator of requests that holds it to that."""

import jsonschema_rs
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from maelstrom.adapters.server import create_app
from maelstrom.adapters.server.openapi import openapi_document
from maelstrom.core.limits import Limits
from tests.adapters.server.kit import StubEngine, engine, message, post, with_client

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
"""Not "valid data is accepted": the rules across fields are more than a schema says."""

schema = schemathesis.openapi.from_asgi(
    "/openapi.json",
    create_app(engine(), per_minute=1e6, burst=1e6),
    headers={"host": "127.0.0.1:8000"},
)


@schema.parametrize()
@settings(
    max_examples=6,  # each is a request of its own; the bound is one of time
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def test_generated_requests(case):
    """Whatever is sent, the status, the type and the shape are those documented."""
    answer = case.call(headers={"host": "127.0.0.1:8000"})
    case.validate_response(answer, checks=CHECKS)


def test_schemas_hold_what_is_answered():
    """An output, a history and a refusal fit the schemas that the document names."""
    document = openapi_document(Limits())

    async def scenario(browser):
        return {
            "EngineOutput": await post(browser),
            "History": await browser.get("/v1/sessions/s/history"),
            "Error": await browser.get("/nowhere"),
        }

    for name, answer in with_client(scenario, engine()).items():
        ref = {
            "$ref": f"#/components/schemas/{name}",
            "components": document["components"],
        }
        validator = jsonschema_rs.Draft202012Validator(ref)
        validator.validate(answer.json())
        assert not validator.is_valid({"neither": "of them"})
    incoming = document["components"]["schemas"]["EngineMessage"]
    jsonschema_rs.Draft202012Validator(incoming).validate(message())


def test_the_document_knows_its_limits():
    """It is served as it is made, with the bounds of this server."""

    async def scenario(browser):
        return (await browser.get("/openapi.json")).json()

    limits = Limits(id_characters=7)
    document = with_client(scenario, StubEngine(), limits=limits)

    assert document == openapi_document(limits)
    (named,) = document["paths"]["/v1/sessions/{session_id}"]["delete"]["parameters"]
    assert named["schema"]["maxLength"] == 7
