"""docs/server.md says what the code's tables say."""

from pathlib import Path

from maelstrom.adapters.respond import STATUSES
from maelstrom.adapters.server.openapi import _ROUTES
from maelstrom.adapters.server.refusal import REFUSALS
from maelstrom.core.wire_results import ERRORS

DOCS = (Path(__file__).parents[3] / "docs" / "server.md").read_text("utf-8")


def section(title):
    """The rows of the table under a heading."""
    text = DOCS.split(f"## {title}\n")[1].split("\n## ")[0]
    return [line for line in text.splitlines() if line.startswith("|")][2:]


def test_statuses_are_documented():
    """Each row of the table of errors, in its order."""
    rows = [
        f"| `{kind}` | {f'`{detail}`' if detail else 'else'} | {status} |"
        for (kind, detail), status in STATUSES.items()
    ]

    assert section("Errors of a turn") == rows


def test_every_error_has_a_row():
    """The table holds each wire type, with a row for what it does not name."""
    assert {kind for kind, _ in ERRORS.values()} == {k for k, d in STATUSES if not d}


def test_refusals_are_documented():
    """What the server answers for itself, with its status."""
    listed = [line.split("|")[1:3] for line in section("Refusals of the server")]

    assert [(kind.strip(), int(status)) for kind, status in listed] == [
        (f"`{kind}`", status) for kind, status in REFUSALS.items()
    ]


def test_routes_are_documented():
    """Every route of the document is in the table."""
    listed = [line.split("|")[1].strip() for line in section("Routes")]

    assert listed == [f"`{method.upper()} {path}`" for method, path in _ROUTES]
