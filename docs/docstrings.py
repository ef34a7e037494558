"""How the reference pages read the code: an extension of griffe for `mkdocs build`.

Two things that our docstrings leave to the reader's eye need a mark in Markdown: an
example (``>>>``) becomes a fenced block, and a record of attrs is shown with the
signature that attrs gives it, which stands nowhere in its source.
"""

import inspect
import re
from importlib import import_module
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^(?P<indent> *)>>> .*(?:\n(?!\s*$).*)*", re.MULTILINE)


def fenced(text: str) -> str:
    """A docstring with its examples, up to the next empty line, as blocks of code."""

    def block(found: re.Match[str]) -> str:
        fence = f"{found['indent']}```"
        return f"{fence}pycon\n{found[0]}\n{fence}"

    return _EXAMPLE.sub(block, text)


def _signature(record: griffe.Class) -> inspect.Signature | None:
    """The signature that attrs made, None where it made none."""
    kind: Any = import_module(record.module.path)
    for part in record.path.removeprefix(f"{record.module.path}.").split("."):
        kind = getattr(kind, part)
    made = "__attrs_attrs__" in vars(kind) and "__init__" not in record.members
    return inspect.signature(kind) if made else None


def _default(parameter: inspect.Parameter) -> str | None:
    if parameter.default is inspect.Parameter.empty:
        return None
    value = repr(parameter.default)
    return "..." if value.startswith(("<", "NOTHING")) else value


class Docstrings(griffe.Extension):
    """Examples in fences, and signatures of attrs."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Mark the examples of a docstring."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """Show what a default is rather than the private name that holds it."""
        for parameter in func.parameters:
            name = str(parameter.default)
            held = func.module.members.get(name) if name.startswith("_") else None
            if isinstance(held, griffe.Attribute):
                parameter.default = str(held.value)

    def on_class(self, *, cls: griffe.Class, **_: Any) -> None:
        """Give a record the constructor that attrs makes for it."""
        signature = _signature(cls)
        if signature is None:
            return
        parameters = [griffe.Parameter("self")]
        for name, parameter in signature.parameters.items():
            field = cls.members.get(name) or cls.members.get(f"_{name}")
            if isinstance(field, griffe.Attribute):
                field.value = None  # the signature says it, in plain words
            parameters.append(
                griffe.Parameter(
                    name,
                    annotation=getattr(field, "annotation", None),
                    kind=griffe.ParameterKind(parameter.kind.description),
                    default=_default(parameter),
                )
            )
        init = griffe.Function("__init__", parameters=griffe.Parameters(*parameters))
        cls.set_member("__init__", init)
