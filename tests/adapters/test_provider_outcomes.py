"""The interpreter of outcome tables, and the reading of answers, by themselves."""

from types import MappingProxyType

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.pipeline import is_successful

from maelstrom.adapters import anthropic, gemini, local, openai
from maelstrom.adapters.provider_answer import dig, json_object
from maelstrom.adapters.provider_outcomes import WORDS, Outcomes, redacted
from maelstrom.core.errors import KINDS

TABLES = MappingProxyType(
    {
        "gemini": gemini.OUTCOMES,
        "openai": openai.OUTCOMES,
        "anthropic": anthropic.OUTCOMES,
        "local": local.OUTCOMES,
    }
)
READERS = (gemini._read, anthropic._read, lambda body: openai._read(body, {}))
NAMES = st.sampled_from(
    [
        "candidates",
        "choices",
        "content",
        "parts",
        "text",
        "message",
        "finishReason",
        "finish_reason",
        "usage",
        "usageMetadata",
        "error",
        "code",
        "type",
        "details",
        "promptFeedback",
        "stop_reason",
        "refusal",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner),
    max_leaves=20,
)


@pytest.mark.parametrize("rows", TABLES.values(), ids=TABLES)
def test_tables_are_sound(rows):
    """Each row's outcome is known, and no sign stands twice."""
    assert {row[2] for row in rows} <= {"stop", "length", *KINDS}
    signs = [row[:2] for row in rows]
    assert len(signs) == len(set(signs))


def test_every_kind_has_words():
    """Each kind of ProviderError is said in words of ours."""
    assert set(WORDS) == set(KINDS)


@pytest.mark.parametrize("rows", TABLES.values(), ids=TABLES)
def test_exceptions_in_the_tables_exist(rows):
    """A class that a row names is one of the installed SDK's, by that name."""
    import importlib

    for source, sign, _ in rows:
        if source == "raised":
            module, _, name = str(sign).partition(".")
            assert issubclass(getattr(importlib.import_module(module), name), Exception)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (httpx2.ReadTimeout("x"), "timeout"),
        (httpx2.ConnectError("x"), "transport"),
        (TimeoutError(), "timeout"),
        (ConnectionResetError(), "transport"),
        (UnicodeEncodeError("utf-8", "x", 0, 1, "x"), "bad_request"),
        (UnicodeDecodeError("utf-8", b"x", 0, 1, "x"), "unavailable"),
        (RecursionError(), "unavailable"),
        (TypeError(), "bad_request"),
    ],
)
def test_exceptions_by_their_closest_base(error, kind):
    """The closest base that has a row decides, and its text is not repeated."""
    made = Outcomes("p", gemini.OUTCOMES).raised(error, secret="k", now=0.0)

    assert (made.kind, made.message) == (
        kind,
        f"{WORDS[kind]} ({type(error).__name__})",
    )


@given(JSON)
def test_any_answer_is_judged(body):
    """Whatever JSON comes with status 200 makes a completion or an error."""
    for read in READERS:
        result = Outcomes("p", openai.OUTCOMES).settle(read(body), "m", "k")

        assert is_successful(result) or result.failure().kind in KINDS


@given(JSON, st.none() | st.integers(100, 999))
def test_any_error_body_is_judged(body, status):
    """Whatever JSON comes as an error makes an error of a known kind."""
    for rows in TABLES.values():
        error = Outcomes("p", rows).faulty(body, status, secret="k")

        assert error.kind in KINDS
        assert len(error.message) < 600


@given(JSON, st.lists(NAMES | st.integers(0, 3)))
def test_digging_never_raises(value, path):
    """What is not there is None."""
    dig(value, *path)


@given(st.text() | st.binary())
def test_a_body_is_an_object_or_nothing(body):
    """No body raises, whatever its bytes."""
    assert json_object(body) is None or isinstance(json_object(body), dict)


@given(st.text(min_size=1), st.text(), st.text())
def test_the_secret_is_taken_out(secret, before, after):
    """A text that holds the key does not hold it any more, and is one short line."""
    said = redacted(before + secret + after, secret)

    assert len(said) <= 300
    assert "\n" not in said
    assert (
        secret in "[redacted]"
        or secret not in said.replace("[redacted]", "")
        or (secret in " ".join((before + " " + after).split()))
    )
