"""What can go wrong, split by who is to blame.

Errors are values: frozen records in one closed union. Each says what it is, what it is
not, and what the caller should do next. No text in them holds an API key or the raw
output of a model. The table `KINDS` says which failures of a provider are worth
another try; `ProviderError.retryable` and the documentation both read it. The table
`ISSUES` says what each code of a refused message means.

Every error may carry the ids of the message that it answers, whenever they could be
read.
"""

from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import attrs
from attrs import frozen

from maelstrom.core.json_value import Path

__all__ = [
    "ISSUES",
    "KINDS",
    "AbortCause",
    "AbortedError",
    "EngineError",
    "HistoryError",
    "HistoryErrorKind",
    "InternalError",
    "Issue",
    "IssueCode",
    "ParseError",
    "ProviderError",
    "ProviderErrorKind",
    "RequestValidationError",
    "SessionBusyError",
    "ValidationError",
]

IssueCode: TypeAlias = Literal[
    "malformed_json",
    "duplicate_key",
    "too_large",
    "too_deep",
    "missing_field",
    "unknown_field",
    "wrong_type",
    "unknown_tag",
    "empty",
    "out_of_range",
    "too_long",
    "too_many",
    "bad_text",
    "duplicate_id",
    "unknown_reference",
    "layout_mode_mismatch",
    "malformed_tree",
    "invalid_schema",
]

ISSUES: Final = MappingProxyType[IssueCode, str](
    {
        # a code, and what is wrong
        "malformed_json": "not one JSON value in UTF-8, or a byte order mark before it",
        "duplicate_key": "an object names a key twice",
        "too_large": "more bytes, or more characters of a prompt, than are taken",
        "too_deep": "objects and lists within each other past the limit",
        "missing_field": "a required key is absent; the path ends in it",
        "unknown_field": "a key that the record does not have",
        "wrong_type": "a value of another type; nothing is coerced",
        "unknown_tag": "a tag or a word that is none of those listed",
        "empty": "no character that is not white space, or a list without an item",
        "out_of_range": "a number outside its bounds",
        "too_long": "a text over its limit",
        "too_many": "a list over its limit",
        "bad_text": "a lone surrogate, or a control character in an id",
        "duplicate_id": "an id that an earlier one of its kind has",
        "unknown_reference": "an id that names nothing",
        "layout_mode_mismatch": "the layout is of another type than layoutMode says",
        "malformed_tree": "a ring, two parents, a node out of reach, a split of one",
        "invalid_schema": "no JSON Schema of parameters, or one over its bounds",
    }
)
"""What each code means, in the words of the documentation."""

AbortCause: TypeAlias = Literal["signal", "deadline", "shutdown"]
HistoryErrorKind: TypeAlias = Literal[
    "unavailable", "conflict", "corrupt", "newer_version"
]
ProviderErrorKind: TypeAlias = Literal[
    "transport",
    "timeout",
    "rate_limited",
    "overloaded",
    "auth",
    "bad_request",
    "blocked",
    "refused",
    "truncated",
    "empty",
    "tool_call",
    "malformed_json",
    "schema_violation",
    "unavailable",
]

KINDS: Final = MappingProxyType(
    {
        # kind: worth another try
        "transport": True,
        "timeout": True,
        "rate_limited": True,
        "overloaded": True,
        "auth": False,
        "bad_request": False,
        "blocked": False,
        "refused": False,
        "truncated": False,
        "empty": True,
        "tool_call": True,
        "malformed_json": True,
        "schema_violation": True,
        "unavailable": True,
    }
)


@frozen
class Issue:
    """One fault in a message: where it is, which rule it breaks, and in words."""

    path: Path
    code: IssueCode
    message: str


@frozen
class RequestValidationError:
    """The caller's message breaks the protocol; no model was asked.

    Not a failure of the engine: the same message fails again. Mend what `issues` names
    (1 to 16 of them) and send it anew.
    """

    issues: tuple[Issue, ...]
    session_id: str | None = attrs.field(default=None, kw_only=True)
    id: str | None = attrs.field(default=None, kw_only=True)

    @property
    def message(self) -> str:
        """The first issue, in words."""
        first = self.issues[0]
        where = ".".join(str(part) for part in first.path) or "message"
        more = len(self.issues) - 1
        return f"{where}: {first.message}" + (f" (and {more} more)" if more else "")


@frozen
class ValidationError:
    """A prompt customizer of the app failed on this request.

    Not the message's fault. Mend the customizer of the section named.
    """

    section: str
    message: str
    session_id: str | None = attrs.field(default=None, kw_only=True)
    id: str | None = attrs.field(default=None, kw_only=True)


@frozen
class ProviderError:
    """The model, or the way to it, failed.

    Not a fault of the message. Where `retryable`, ask again, not before
    `retry_after_ms` (milliseconds) if it is given.
    """

    kind: ProviderErrorKind
    provider: str
    message: str
    status: int | None = attrs.field(default=None, kw_only=True)
    retry_after_ms: int | None = attrs.field(default=None, kw_only=True)
    session_id: str | None = attrs.field(default=None, kw_only=True)
    id: str | None = attrs.field(default=None, kw_only=True)

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed when it is sent again."""
        return KINDS.get(self.kind, False)  # an adapter may have a kind of its own


@frozen
class ParseError:
    """The answer was well formed, but lacks content that it must have.

    Not a schema violation: the field is there, and empty. Ask again.
    """

    field: str
    message: str
    session_id: str | None = attrs.field(default=None, kw_only=True)
    id: str | None = attrs.field(default=None, kw_only=True)


@frozen
class AbortedError:
    """The turn was ended from outside before it had an answer.

    Not a failure of the model. `cause` says whether the caller's signal, the turn's
    deadline or the engine's closing did it. Nothing was recorded; send it again if it
    still matters.
    """

    cause: AbortCause
    message: str
    session_id: str | None = attrs.field(default=None, kw_only=True)
    id: str | None = attrs.field(default=None, kw_only=True)


@frozen
class HistoryError:
    """The history store failed where history is required, or two turns met.

    On `conflict` another turn of the session was recorded first, and nothing of this
    one was written: send it again.
    """

    kind: HistoryErrorKind
    operation: str
    message: str
    session_id: str | None = attrs.field(default=None, kw_only=True)
    id: str | None = attrs.field(default=None, kw_only=True)

    @property
    def retryable(self) -> bool:
        """Whether the same operation may succeed when it is tried again."""
        return self.kind in {"unavailable", "conflict"}


@frozen
class SessionBusyError:
    """Too many turns wait for the session, or its lock was not had in time.

    Nothing was done. Send it again after `retry_after_ms` milliseconds.
    """

    retry_after_ms: int
    message: str
    session_id: str | None = attrs.field(default=None, kw_only=True)
    id: str | None = attrs.field(default=None, kw_only=True)


@frozen
class InternalError:
    """A bug of ours, or of a plug-in: planner, store, lock.

    The exception is in the log, never here. `stage` says where it happened.
    """

    stage: str
    message: str
    session_id: str | None = attrs.field(default=None, kw_only=True)
    id: str | None = attrs.field(default=None, kw_only=True)


EngineError: TypeAlias = (
    RequestValidationError
    | ValidationError
    | ProviderError
    | ParseError
    | AbortedError
    | HistoryError
    | SessionBusyError
    | InternalError
)
