"""Parameters under a schema, by the native validator: the one file that knows it.

Theory of operation. A schema comes here bounded (`maelstrom.core.schema_guard`), which
imports this file with the first one that it judges: many catalogues have none, and the
validator is a twentieth of the library's import. Patterns run on an engine of linear
time, and a retriever that refuses stands in for the one that opens addresses.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, NoReturn

from jsonschema_rs import (
    Draft202012Validator,
    ReferencingError,
    RegexOptions,
    ValidationError,
)

from maelstrom.core.json_value import Json

__all__ = ["ParamsValidator", "Refusal", "compiled"]


class Refusal(NamedTuple):
    """The kind of what refused, and its keywords and indexes from the schema's top."""

    kind: str
    path: Sequence[str | int]


class ParamsValidator:
    """A schema's validator."""

    __slots__ = ("_native",)

    def __init__(self, native: Draft202012Validator) -> None:
        """Wrap what was compiled."""
        self._native: Final = native

    def refusal(self, params: Json) -> Refusal | None:
        """Why the schema refuses these parameters, None where it does not."""
        try:
            self._native.validate(params)
        except ValidationError as error:
            return Refusal(error.kind.name, error.schema_path)
        return None


def compiled(schema: Json, patterns: Iterable[Json]) -> ParamsValidator | None:
    """A schema's validator; None for no valid schema, or a pattern that cannot run.

    Args:
        schema: JSON Schema 2020-12.
        patterns: All that it holds, those of definitions that nothing names as well.

    >>> compiled({"maximum": 14}, []).refusal(15).kind
    'maximum'
    """
    tried = [{"pattern": each} for each in patterns]
    try:
        if tried:
            _native({"allOf": tried})
        return ParamsValidator(_native(schema))
    except (ValueError, TypeError, OverflowError, ReferencingError):
        return None


def _native(schema: Json) -> Draft202012Validator:
    return Draft202012Validator(
        schema,
        validate_formats=False,
        pattern_options=RegexOptions(),
        retriever=_refuse,
    )


def _refuse(uri: str) -> NoReturn:
    raise ValueError(uri)
