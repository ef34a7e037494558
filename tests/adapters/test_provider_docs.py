"""docs/providers.md says what the code's tables say."""

from pathlib import Path

import pytest

from maelstrom.adapters import anthropic, gemini, local, openai
from maelstrom.adapters.provider_outcomes import COMMON
from maelstrom.core.errors import KINDS

DOCS = Path(__file__).parents[2] / "docs" / "providers.md"
TABLES = {
    "Every provider": COMMON,
    "Gemini": gemini.OUTCOMES,
    "OpenAI and its like": openai.OUTCOMES,
    "Anthropic": anthropic.OUTCOMES,
    "The local model": local.OUTCOMES,
}


def markdown(rows):
    """Rows of an outcome table as a table of the documentation."""
    lines = ["| source | sign | outcome | again |", "|---|---|---|---|"]
    for source, sign, outcome in rows:
        again = (
            "" if outcome in {"stop", "length"} else "yes" if KINDS[outcome] else "no"
        )
        lines.append(f"| {source} | `{sign}` | {outcome} | {again} |")
    return "\n".join(lines)


@pytest.mark.parametrize("title", TABLES)
def test_outcomes_are_documented(title):
    """Each table of outcomes stands in the documentation as it stands in the code."""
    rows = TABLES[title]
    own = rows if rows is COMMON else rows[: -len(COMMON)]
    section = DOCS.read_text().split(f"### {title}\n")[1].split("\n### ")[0]

    assert section.strip() == markdown(own)


def test_every_table_ends_with_the_common_rows():
    """What holds for every provider comes after what a provider says of itself."""
    for rows in TABLES.values():
        assert rows[-len(COMMON) :] == COMMON


def test_options_are_documented():
    """The options that each provider is said to take are those of the code."""
    said = DOCS.read_text()
    taken = {
        "`gemini`": gemini.Gemini.options,
        "`anthropic`": anthropic.Anthropic.options,
        "`local`": local.Local.options,
        **{f"`openai`, profile `{n}`": p.options for n, p in openai.PROFILES.items()},
    }
    for name, options in taken.items():
        (line,) = (line for line in said.splitlines() if line.startswith(f"| {name} |"))
        assert line.split("|")[2].strip() == ", ".join(sorted(options))


def test_profiles_are_documented():
    """The table of profiles is that of the code."""
    said = DOCS.read_text()
    for name, profile in openai.PROFILES.items():
        cells = (
            f"`{name}`",
            f"`{profile.base_url}`",
            f"`{profile.key_variable}`" if profile.key_variable else "none needed",
            profile.response_format + (", strict" if profile.strict else ""),
            f"`{profile.bound_field}`",
            "yes" if profile.cache_key else "no",
        )
        assert f"| {' | '.join(cells)} |" in said
