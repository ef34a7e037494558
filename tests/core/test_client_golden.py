"""The vectors that the browser's client is held to are what the Python one does."""

import json

from tests.core.client_vectors import FILE, text


def test_the_vectors_are_what_the_python_client_makes():
    """Where this fails: python -m tests.core.client_vectors, and look at the change."""
    assert FILE.read_text(encoding="utf-8") == text()


def test_the_vectors_show_what_can_happen():
    """Effects, skips, parked and arriving instances, both modes: none is missing."""
    cases = json.loads(FILE.read_text(encoding="utf-8"))["apply"]
    ends = [case["expect"] for case in cases]

    assert {case["state"]["mode"] for case in cases} == {"grid", "tiling"}
    assert sum(bool(end["effects"]) for end in ends) >= 10
    assert sum(bool(end["skips"]) for end in ends) >= 10
    assert any(
        case["expect"]["state"] == case["state"] and case["response"]["executionPlan"]
        for case in cases
    )
