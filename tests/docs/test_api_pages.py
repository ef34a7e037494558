"""The reference pages show every public name."""

import importlib
import pkgutil
import re

import pytest

from maelstrom import adapters
from tests.architecture.sources import ROOT

DIRECTIVE = re.compile(r"^::: (\S+)$", re.MULTILINE)
WHOLE = {
    # page: the package all of whose names it shows
    "core": "maelstrom.core",
    "effects": "maelstrom.effects",
    "testing": "maelstrom.adapters.testing",
}
ELSEWHERE = {"cli", "playground", "testing"}
"""Adapters that are documented on pages of their own."""

PARTS = {
    # modules that other adapters are made of: nobody imports them
    "demo_prompt",
    "extra",
    "openai_profiles",
    "postgres_driver",
    "postgres_keeper",
    "provider_answer",
    "provider_client",
    "provider_outcomes",
    "postgres_statements",
    "redis_scripts",
    "retry_after",
    "short_bench",
    "sketch",
}


def _shown(page):
    return DIRECTIVE.findall((ROOT / "docs" / "api" / f"{page}.md").read_text("utf-8"))


def _resolved(path):
    """What a directive names; a module is none, for it would show what is inside."""
    home, _, attribute = path.rpartition(".")
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(path)
    return getattr(importlib.import_module(home), attribute)


@pytest.mark.parametrize(("page", "package"), WHOLE.items())
def test_every_public_name_is_shown(page, package):
    """All of `__all__`, each once."""
    shown = _shown(page)
    public = importlib.import_module(package).__all__

    assert len(set(shown)) == len(shown)
    assert set(public) <= {path.rpartition(".")[2] for path in shown}


@pytest.mark.parametrize("page", [*WHOLE, "adapters"])
def test_what_is_shown_is_public(page):
    """Each directive names something that its own module lists."""
    for path in _shown(page):
        home, _, attribute = path.rpartition(".")

        assert _resolved(path) is not None
        assert attribute in importlib.import_module(home).__all__


def test_every_adapter_is_shown():
    """A module of the adapters is on the page, on one of its own, or a mere part."""
    there = {module.name for module in pkgutil.iter_modules(adapters.__path__)}
    shown = {path.split(".")[2] for path in _shown("adapters")}

    assert there == shown | ELSEWHERE | PARTS
