"""The reference pages show every public name."""

import ast
import importlib
import inspect
import pkgutil
import re
import textwrap
from typing import TypeVar

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
ALIASES = {
    name
    for package in ("core", "effects", "adapters")
    for file in (ROOT / package / "maelstrom").rglob("*.py")
    for name in re.findall(
        r"^([A-Z]\w+): TypeAlias", file.read_text("utf-8"), re.MULTILINE
    )
}
UNTOLD = {
    "Configuration",  # what create_engine makes of its options,
    "PromptTemplate",  # what llm_planner makes of a prompt's customizers
    "Resource",  # and hands to the engine with
    "Sessions",  # what it shares with its copies
    "Scenario",  # a contract's own test: who inherits those writes none
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


@pytest.mark.parametrize("page", [*WHOLE, "adapters"])
def test_what_a_signature_names_is_shown(page):
    """A reader meets no type of ours that no page tells of."""
    told = {
        path.rpartition(".")[2]
        for each in [*WHOLE, "adapters"]
        for path in _shown(each)
    }

    for path in _shown(page):
        assert _named_by(_resolved(path)) <= told | UNTOLD, path


def _named_by(shown):
    """The types of ours in the signatures and fields of a function or a class."""
    module = inspect.getmodule(shown)
    if module is None or not (inspect.isfunction(shown) or inspect.isclass(shown)):
        return frozenset()
    try:
        definition = ast.parse(textwrap.dedent(inspect.getsource(shown))).body[0]
    except (OSError, TypeError):  # what a decorator made
        return frozenset()
    names = {
        name.id
        for annotation in _annotations(definition)
        for name in ast.walk(annotation)
        if isinstance(name, ast.Name) and not name.id.startswith("_")
    }
    return frozenset(name for name in names if _is_ours(module, name))


def _annotations(definition):
    """Those of public methods and fields, or of a function."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    body = getattr(definition, "body", [])
    inner = [definition] if isinstance(definition, functions) else body
    for each in inner:
        if isinstance(each, functions) and not re.match("_(?!_init__)", each.name):
            given = each.args.posonlyargs + each.args.args + each.args.kwonlyargs
            yield from (one.annotation for one in given if one.annotation)
            yield from [each.returns] if each.returns else []
        if isinstance(each, ast.AnnAssign):
            yield each.annotation


def _is_ours(module, name):
    found = getattr(module, name, None)
    if isinstance(found, TypeVar):
        return False
    return name in ALIASES or getattr(found, "__module__", "").startswith("maelstrom")


def test_every_adapter_is_shown():
    """A module of the adapters is on the page, on one of its own, or a mere part."""
    there = {module.name for module in pkgutil.iter_modules(adapters.__path__)}
    shown = {path.split(".")[2] for path in _shown("adapters")}

    assert there == shown | ELSEWHERE | PARTS
