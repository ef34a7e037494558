"""The protocol's JSON Schemas say what the decoder does."""

import jsonschema_rs
import pytest
from hypothesis import given

from maelstrom.core.limits import Limits
from maelstrom.core.protocol_schema import protocol_schemas
from maelstrom.core.wire import encode_message, encode_output
from tests.core.wire_values import GRID, changed, messages, outputs

_MESSAGE, _OUTPUT = (
    jsonschema_rs.Draft202012Validator(schema) for schema in protocol_schemas().values()
)


@given(messages(), outputs)
def test_what_is_encoded_fits(message, output):
    """Every encoded message and output is valid under its schema."""
    assert _MESSAGE.is_valid(encode_message(message))
    assert _OUTPUT.is_valid(encode_output(output))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("zeta",), 1),
        (("timestamp",), ...),
        (("timestamp",), "now"),
        (("payload", "type"), "maelstrom_response"),
        (("payload", "vessels", 0, "variants"), []),
        (("payload", "context", "chartDimensions", "columns"), 1_001),
        (("payload", "layout", "positions", 0, "vesselId"), "calendar"),
    ],
)
def test_what_breaks_the_shape_does_not(path, value):
    """A message of a wrong shape is invalid."""
    assert not _MESSAGE.is_valid(changed(GRID, path, value))


def test_limits_show():
    """The schemas follow the limits of an engine's configuration."""
    small = protocol_schemas(Limits(vessels=7))["EngineMessage"]
    request = small["properties"]["payload"]["oneOf"][0]

    assert request["properties"]["vessels"]["maxItems"] == 7
