"""The house style, as far as a syntax tree can tell."""

import ast
import re

import pytest

from tests.architecture.sources import PACKAGES, ROOT, files, name, tree

MOST_LINES = 400
MOST_LINES_OF_A_FUNCTION = 40
VAGUE = frozenset({"utils", "util", "helpers", "common", "manager", "misc"})
OWN_FILES = [*files(*PACKAGES), *files(ROOT / "tests", ROOT / "benchmarks")]

every_source = pytest.mark.parametrize("path", files(*PACKAGES), ids=name)
every_test = pytest.mark.parametrize(
    "path",
    [path for path in files(ROOT / "tests") if path.stem.startswith("test_")],
    ids=name,
)


def _functions(path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node for node in ast.walk(tree(path)) if isinstance(node, kinds)]


def _body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body
    if ast.get_docstring(function) is not None:
        body = body[1:]
    if not body:
        return 0
    return (body[-1].end_lineno or 0) - body[0].lineno + 1


@every_source
def test_files_are_small(path) -> None:
    """A file has one noun, and fewer than 400 lines."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES
    assert path.stem not in VAGUE


@every_source
def test_functions_fit_a_screen(path) -> None:
    """A function has at most 40 lines below its docstring."""
    long = {
        function.name: _body_lines(function)
        for function in _functions(path)
        if _body_lines(function) > MOST_LINES_OF_A_FUNCTION
    }

    assert long == {}


@every_source
def test_files_say_what_they_are(path) -> None:
    """Each file opens with a docstring; public names are listed."""
    module = tree(path)

    assert ast.get_docstring(module)
    defines = any(
        isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
        for node in module.body
    )
    lists_names = any(
        isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__"
        for node in module.body
    )
    assert lists_names or not defines


@every_test
def test_tests_say_what_they_show(path) -> None:
    """Each test has a docstring that states the behaviour."""
    silent = [
        function.name
        for function in _functions(path)
        if function.name.startswith("test_") and ast.get_docstring(function) is None
    ]

    assert silent == []


def test_the_project_speaks_of_itself_alone() -> None:
    """No file names a path of a machine, or marks work as left undone."""
    forbidden = re.compile(
        r"(?:^|[^\w./:-])/(?:home|root|work)/[\w.-]+"
        r"|\b(?:TO"
        r"DO|FIX"
        r"ME|XX"
        r"X)\b"
    )
    found = [
        f"{name(path)}:{number}"
        for path in [*OWN_FILES, *ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if forbidden.search(line)
    ]

    assert found == []
