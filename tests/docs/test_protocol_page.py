"""The examples of docs/protocol.md are what the code takes and gives."""

import json
import re
from typing import get_args

from returns.pipeline import is_successful

from maelstrom.core import (
    ChartState,
    apply,
    decode_message,
    decode_output,
    encode_error,
    encode_message,
    encode_output,
    mend,
)
from maelstrom.core.errors import ISSUES, AbortCause, HistoryErrorKind, IssueCode
from maelstrom.core.wire import candidate_from_json
from tests.architecture.sources import ROOT
from tests.docs.marked import examples
from tests.docs.record_tables import shapes

PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = examples(PAGE)
MESSAGE = json.loads(EXAMPLES["message"])
OUTPUT = json.loads(EXAMPLES["output"])


def test_the_example_message_is_decoded_and_written_back():
    """It is complete, and holds nothing that an encoder would leave out."""
    message = decode_message(EXAMPLES["message"]).unwrap()

    assert encode_message(message) == MESSAGE


def test_the_example_output_answers_the_example_message():
    """It decodes, names the message, and applies without a skip."""
    message = decode_message(MESSAGE).unwrap()
    output = decode_output(EXAMPLES["output"]).unwrap()
    request = message.payload
    chart = ChartState(
        dimensions=request.context.chart_dimensions,
        mode=request.context.layout_mode,
        vessels=request.vessels,
        instances=request.instances,
        layout=request.layout,
    )
    applied = apply(chart, request, output.payload)

    assert encode_output(output) == OUTPUT
    assert output.payload.request_id == message.id
    assert applied.skips == ()
    assert [effect.action for effect in applied.effects] == ["showForecast", "write"]
    assert applied.state.instances[0].variant == "forecast"


def test_the_example_output_is_one_that_healing_leaves_as_it_is():
    """Nothing in it would be dropped, skipped or repaired."""
    message = decode_message(MESSAGE).unwrap()
    healed = mend(message.payload, candidate_from_json(OUTPUT["payload"]))

    assert healed.severity == "none"
    assert (healed.drops, healed.skips, healed.repairs) == ((), (), ())


def test_the_example_error_is_the_one_that_its_fault_gives():
    """The message without its columns is refused in these very words."""
    broken = json.loads(EXAMPLES["message"])
    del broken["payload"]["context"]["chartDimensions"]["columns"]
    refused = decode_message(broken)

    assert not is_successful(refused)
    assert json.loads(EXAMPLES["error"]) == encode_error(refused.failure())


def test_every_issue_code_has_its_meaning():
    """The table of meanings is total, and in the order of the codes."""
    assert list(ISSUES) == list(get_args(IssueCode))
    assert all(ISSUES.values())


def test_every_record_has_a_heading():
    """A record that is linked to from another's table is found under its name."""
    headings = re.findall(r"^### (\w+)$", PAGE, re.MULTILINE)

    assert set(shapes()) <= set(headings)


def test_every_cause_and_kind_is_named():
    """What an error may say of itself stands on the page."""
    for word in (*get_args(AbortCause), *get_args(HistoryErrorKind)):
        assert f"`{word}`" in PAGE
