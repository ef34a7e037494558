"""What came of a call to a provider, as a Completion or a ProviderError.

Theory of operation. Each model adapter has one literal table of rows
``(source, sign, outcome)`` at the top of its file; `Outcomes` interprets it. Sources:

- ``code``: a word of the provider's own in the body of an error
- ``status``: the HTTP status of an error
- ``raised``: the class of an exception, looked up along its bases, the closest first
- ``answer``: what an answer of status 200 lacks, or holds in place of a text
- ``finish``: the provider's word for why the model stopped

An error is looked up by code, then by status; an exception that knows no status by
class. An answer is judged in this order: an error inside it, a blocked prompt, a
refusal, the finish reason, the text. A finish reason that no row names counts as
``stop``: whoever decodes the text will find out.

Warts. Providers put prompts, and even parts of keys, in the texts of their errors. So
their text is quoted only for the kinds in `QUOTED`, where a developer cannot mend the
request without it, and goes through `redacted`; elsewhere an error says its kind, its
status and the provider's code.

Keep in step: docs/providers.md (a test compares it with the tables).
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from attrs import frozen
from returns.result import Failure, Result, Success

from maelstrom.adapters.provider_answer import Answer, count, dig, word
from maelstrom.adapters.retry_after import retry_after_ms
from maelstrom.core.completion import Completion
from maelstrom.core.errors import KINDS, ProviderError, ProviderErrorKind
from maelstrom.core.json_value import Json

__all__ = [
    "COMMON",
    "QUOTED",
    "WORDS",
    "Outcome",
    "Outcomes",
    "Row",
    "Source",
    "redacted",
]

Outcome: TypeAlias = Literal["stop", "length"] | ProviderErrorKind
Source: TypeAlias = Literal["code", "status", "raised", "answer", "finish"]
Row: TypeAlias = tuple[Source, str | int, Outcome]

COMMON: Final[tuple[Row, ...]] = (
    # Redirects are not followed: the key goes where it was meant to go, and nowhere else.
    ("status", 301, "bad_request"),
    ("status", 302, "bad_request"),
    ("status", 307, "bad_request"),
    ("status", 308, "bad_request"),
    ("status", 400, "bad_request"),
    ("status", 401, "auth"),
    ("status", 402, "auth"),  # the account behind the key has no credit
    ("status", 403, "auth"),
    ("status", 404, "bad_request"),  # no such model, or a wrong base_url
    ("status", 408, "timeout"),
    ("status", 409, "unavailable"),
    ("status", 413, "bad_request"),
    ("status", 422, "bad_request"),
    ("status", 425, "unavailable"),
    ("status", 429, "rate_limited"),
    ("status", 500, "unavailable"),
    ("status", 502, "unavailable"),
    ("status", 503, "overloaded"),
    ("status", 504, "timeout"),
    ("status", 529, "overloaded"),
    ("status", "other 4xx", "bad_request"),
    ("status", "other", "unavailable"),
    ("answer", "no JSON object", "unavailable"),  # HTML, nothing: some proxy answered
    ("answer", "blocked prompt", "blocked"),
    ("answer", "refusal", "refused"),
    ("answer", "tool call", "tool_call"),
    ("answer", "no text", "empty"),
    ("raised", "httpx2.TimeoutException", "timeout"),
    ("raised", "httpx2.TransportError", "transport"),
    ("raised", "builtins.TimeoutError", "timeout"),
    ("raised", "builtins.OSError", "transport"),
    ("raised", "json.JSONDecodeError", "unavailable"),
    ("raised", "builtins.UnicodeDecodeError", "unavailable"),
    ("raised", "builtins.ValueError", "bad_request"),  # nothing was sent, as with the
    ("raised", "builtins.TypeError", "bad_request"),  # next: the SDK refused to
    ("raised", "builtins.Exception", "unavailable"),
)
"""The rows that hold for every provider."""

WORDS: Final = MappingProxyType(
    {
        "transport": "the connection failed",
        "timeout": "there was no answer in time",
        "rate_limited": "the rate limit is reached",
        "overloaded": "the provider is overloaded",
        "auth": "the key was not accepted",
        "bad_request": "the request was not accepted",
        "blocked": "the provider's policy blocked the answer",
        "refused": "the model refused to answer",
        "truncated": "the answer was cut off",
        "empty": "the answer holds no text",
        "tool_call": "the model called a tool in place of answering",
        "malformed_json": "the model's answer was malformed",
        "schema_violation": "the answer does not fit the schema",
        "unavailable": "the provider gave no usable answer",
    }
)
"""What is said of each kind."""

QUOTED: Final = frozenset({"bad_request", "rate_limited"})
_LONGEST_QUOTE = 300  # characters: enough for a reason, too few for a prompt
_MASK = "[redacted]"
_CODE = re.compile(r"[A-Za-z0-9_.\-]{1,64}")
_MASKED = re.compile(r"\S*(?:\*{3,}|\.{4,}|…)\S*")  # sk-ab****yz: a key, half hidden
_CLIENT_ERRORS = range(400, 500)
_SUCCESSES = range(200, 300)


@frozen
class Outcomes:
    """The table of one provider, and what it makes of answers and of errors."""

    provider: str
    rows: tuple[Row, ...]

    def settle(
        self, answer: Answer | None, model: str, secret: str
    ) -> Result[Completion, ProviderError]:
        """Judge an answer of status 200; None is a body that holds no JSON object.

        ``model`` is the one asked for, ``secret`` the key, which no message may hold.
        """
        if answer is None:
            return Failure(self._lacking("no JSON object"))
        outcome = self._of("finish", answer.finish) or "stop"
        error = self._withheld(answer, secret) or self._unfinished(answer, outcome)
        if error is not None:
            return Failure(error)
        return Success(
            Completion(
                text=answer.text or "",
                model=answer.model or model,
                response_id=answer.response_id,
                finish_reason=outcome,
                usage=answer.usage,
            )
        )

    def raised(self, error: Exception, *, secret: str, now: float) -> ProviderError:
        """What an exception stands for; ``now`` is in seconds since the epoch.

        The SDKs' status errors bear the status as ``status_code`` or ``code``, and the
        body as ``body`` or ``details``.
        """
        status = count(getattr(error, "status_code", getattr(error, "code", None)))
        if status is None:
            names = [_name(base) for base in type(error).__mro__]
            kinds = self._kinds("raised", names)
            return self.error(kinds[0], type(error).__name__)
        body = getattr(error, "body", getattr(error, "details", None))
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
        return self.faulty(body, status, headers, secret=secret, now=now)

    def faulty(
        self,
        body: Json,
        status: int | None = None,
        headers: Mapping[str, str] = MappingProxyType({}),
        *,
        secret: str,
        now: float = 0.0,
    ) -> ProviderError:
        """What a provider's error body, with its status and headers, stands for."""
        fault = _fault(body)
        codes = _codes(fault)
        if status is None or status in _SUCCESSES:
            status = count(dig(fault, "code")) or status
        kinds = self._kinds("code", codes)
        kind = kinds[0] if kinds else self._kind_of_status(status)
        quote = word(dig(fault, "message")) if kind in QUOTED else None
        return self.error(
            kind,
            codes[0] if codes else None,
            status=status,
            quote=redacted(quote, secret) if quote else None,
            hint=retry_after_ms(headers, fault, now),
        )

    def error(
        self,
        kind: ProviderErrorKind,
        sign: str | None = None,
        *,
        status: int | None = None,
        quote: str | None = None,
        hint: int | None = None,
    ) -> ProviderError:
        """An error in our words; ``sign`` is named if it is a mere code."""
        signs = [] if status is None else [str(status)]
        if sign is not None and _CODE.fullmatch(sign):
            signs.append(sign)
        said = f" ({' '.join(signs)})" if signs else ""
        return ProviderError(
            kind=kind,
            provider=self.provider,
            message=WORDS[kind] + said + (f": {quote}" if quote else ""),
            status=status,
            retry_after_ms=hint if KINDS[kind] else None,
        )

    def _withheld(self, answer: Answer, secret: str) -> ProviderError | None:
        """Why there is no answer to speak of."""
        if answer.fault is not None:
            return self.faulty(answer.fault, secret=secret)
        if answer.blocked is not None:
            return self._lacking("blocked prompt", answer.blocked)
        return self._lacking("refusal") if answer.refused else None

    def _unfinished(self, answer: Answer, outcome: Outcome) -> ProviderError | None:
        """Why the answer that came is none; one cut off is left to its reader."""
        if outcome == "length":
            return None
        if outcome != "stop":
            return self.error(outcome, answer.finish)
        if (answer.text or "").strip():
            return None
        return self._lacking("tool call" if answer.tool_call else "no text")

    def _lacking(self, sign: str, said: str | None = None) -> ProviderError:
        kind = self._kind("answer", sign) or "unavailable"
        return self.error(kind, said, quote=sign if kind == "unavailable" else None)

    def _kind_of_status(self, status: int | None) -> ProviderErrorKind:
        other = "other 4xx" if status in _CLIENT_ERRORS else "other"
        found = self._kind("status", status) or self._kind("status", other)
        return found or "unavailable"

    def _kinds(self, source: Source, signs: Iterable[str]) -> list[ProviderErrorKind]:
        kinds: list[ProviderErrorKind] = []
        for sign in signs:
            kind = self._kind(source, sign)
            if kind is not None:
                kinds.append(kind)
        return kinds

    def _kind(self, source: Source, sign: str | int | None) -> ProviderErrorKind | None:
        outcome = self._of(source, sign)
        return None if outcome == "stop" or outcome == "length" else outcome  # noqa: PLR1714  narrows for mypy

    def _of(self, source: Source, sign: str | int | None) -> Outcome | None:
        for row_source, row_sign, outcome in self.rows:
            if (row_source, row_sign) == (source, sign):
                return outcome
        return None


def redacted(text: str, secret: str) -> str:
    """A provider's text without the key, masked words, and more than a line of it.

    >>> redacted("no such key: k-123456, or sk-ab****yz", "k-123456")
    'no such key: [redacted], or [redacted]'
    """
    if secret:
        text = text.replace(secret, _MASK)
    line = " ".join(_MASKED.sub(_MASK, text).split())
    printable = "".join(letter for letter in line if letter.isprintable())
    return printable[:_LONGEST_QUOTE]


def _fault(body: Json) -> Json:
    """The error itself: some wrap it, one in a list; a mere text is its message."""
    body = body[0] if isinstance(body, list) and body else body
    inner = dig(body, "error")
    if isinstance(inner, dict):
        return inner
    message = word(inner) or word(dig(body, "detail")) or word(body)
    if message is None:
        return body
    return {} if message.lstrip().startswith("<") else {"message": message}


def _codes(fault: Json) -> list[str]:
    details = dig(fault, "details")
    reasons = (
        [dig(detail, "reason") for detail in details]
        if isinstance(details, list)
        else []
    )
    named = [dig(fault, key) for key in ("code", "type", "status")]
    return [code for code in (*reasons, *named) if isinstance(code, str) and code]


def _name(cls: type) -> str:
    return f"{cls.__module__.partition('.')[0]}.{cls.__qualname__}"
