"""The tables of docs/protocol.md, each from the table of the code that it shows."""

import ast
import inspect
from collections.abc import Iterable
from itertools import pairwise

import attrs

from maelstrom.adapters.provider_outcomes import WORDS
from maelstrom.adapters.respond import STATUSES
from maelstrom.core.errors import ISSUES, KINDS, RequestValidationError
from maelstrom.core.limits import Limits
from maelstrom.core.reasons import DROPS, REPAIRS, SKIPS, WARNINGS, Reason
from maelstrom.core.wire_results import ERRORS
from tests.docs.marked import table
from tests.docs.record_tables import record_tables

__all__ = ["protocol_tables"]


def protocol_tables() -> dict[str, str]:
    """Each table of the page, by the name that its mark has."""
    return {
        **record_tables(),
        "issues": table(
            ("code", "what is wrong"), ((f"`{code}`", ISSUES[code]) for code in ISSUES)
        ),
        "errors": table(("type", "what it is", "it carries"), _errors()),
        "provider kinds": table(
            ("kind", "what it is", "again"),
            ((f"`{kind}`", WORDS[kind], _yes(KINDS[kind])) for kind in KINDS),
        ),
        "statuses": table(
            ("type", "detail", "status"),
            (
                (f"`{kind}`", f"`{detail}`" if detail else "else", str(status))
                for (kind, detail), status in STATUSES.items()
            ),
        ),
        "drops": table(("reason", "meaning"), _reasons(DROPS)),
        "skips": table(
            ("reason", "meaning", "avoidable"),
            ((*row, _yes(one.fixable)) for row, one in _beside(SKIPS)),
        ),
        "repairs": table(
            ("reason", "meaning", "lossless"),
            ((*row, _yes(one.lossless)) for row, one in _beside(REPAIRS)),
        ),
        "warnings": table(("reason", "meaning"), _reasons(WARNINGS)),
        "limits": table(
            ("limit", "default", "what it bounds, and why there"), _limits()
        ),
    }


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"


def _reasons(reasons: Iterable[Reason]) -> list[tuple[str, str]]:
    return [(f"`{one.name}`", one.meaning) for one in reasons]


def _beside(reasons: tuple[Reason, ...]) -> Iterable[tuple[tuple[str, str], Reason]]:
    return zip(_reasons(reasons), reasons, strict=True)


def _errors() -> Iterable[tuple[str, str, str]]:
    for record, (name, carried) in ERRORS.items():
        optional = {one.name for one in attrs.fields(record) if one.default is None}
        keys = [f"{key}?" if at in optional else key for key, at in carried]
        if record is RequestValidationError:
            keys = ["issues"]
        summary = (inspect.getdoc(record) or "").splitlines()[0]
        yield f"`{name}`", summary, ", ".join(f"`{key}`" for key in keys)


def _limits() -> Iterable[tuple[str, str, str]]:
    """The limits, in the words that stand under each field."""
    body = ast.parse(inspect.getsource(Limits)).body[0]
    assert isinstance(body, ast.ClassDef)
    for field, words in pairwise(body.body):
        if isinstance(field, ast.AnnAssign) and isinstance(words, ast.Expr):
            assert isinstance(field.target, ast.Name)
            text = " ".join(ast.literal_eval(words.value).split())
            yield (
                f"`{field.target.id}`",
                f"{getattr(Limits(), field.target.id):,}",
                text,
            )
