"""The core is pure: no I/O, clock, randomness or hidden state, by its syntax."""

import ast

import pytest

from tests.architecture.sources import CORE, files, name, tree

ALLOWED = frozenset(
    {
        "attrs",
        "bisect",
        "cattrs",
        "collections",
        "enum",
        "fractions",
        "functools",
        "hashlib",
        "heapq",
        "itertools",
        "json",
        "jsonschema_rs",
        "maelstrom.core",
        "marshal",
        "math",
        "operator",
        "re",
        "returns.pipeline",
        "returns.result",
        "string",
        "types",
        "typing",
        "unicodedata",
        "weakref",
    }
)
"""All that a file of the core may import."""

PARSES_NATIVELY = "json_parser.py"
"""The one file that may import orjson besides, which is optional and decides nothing:
`docs/decisions/orjson.md`."""

FORBIDDEN_CALLS = frozenset(
    {
        "breakpoint",
        "compile",
        "eval",
        "exec",
        "globals",
        "hash",
        "id",
        "input",
        "open",
        "print",
        "__import__",
    }
)

GENERATE_CODE = ("wire_hook_source.py", "wire_write.py")
"""The files that may call `exec`: they make functions of our own tables, as cattrs and
attrs do. Nothing from outside reaches the generated text."""

MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)

core_files = pytest.mark.parametrize("path", files(CORE), ids=name)


def _allowed(module: str) -> bool:
    parts = module.split(".")
    return any(".".join(parts[: n + 1]) in ALLOWED for n in range(len(parts)))


@core_files
def test_core_imports_only_what_is_pure(path) -> None:
    """A file of the core imports from the allow-list alone."""
    imported = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            imported += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            imported.append(node.module or "")

    if path.name == PARSES_NATIVELY:
        imported.remove("orjson")
    assert [module for module in imported if not _allowed(module)] == []


@core_files
def test_core_has_no_effects_in_its_syntax(path) -> None:
    """No async, global state, or call of a builtin that reaches the world."""
    effects = (
        ast.AsyncFunctionDef,
        ast.AsyncFor,
        ast.AsyncWith,
        ast.Await,
        ast.Global,
        ast.Nonlocal,
    )
    found = [node for node in ast.walk(tree(path)) if isinstance(node, effects)]
    calls = [
        node.func.id
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in FORBIDDEN_CALLS
        and not (node.func.id == "exec" and path.name in GENERATE_CODE)
    ]

    assert (found, calls) == ([], [])


@core_files
def test_core_holds_no_mutable_state(path) -> None:
    """What stands at the top of a module cannot change."""
    mutable = [
        node.lineno
        for node in tree(path).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and isinstance(node.value, MUTABLE)
        and not _is_all(node)
    ]

    assert mutable == []


def _is_all(node: ast.Assign | ast.AnnAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [getattr(target, "id", "") for target in targets] == ["__all__"]
