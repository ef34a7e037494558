"""Who asks, and what a session is called inside the engine.

Theory: a client chooses its session ids, so an id alone proves nothing. Inside the
engine a session is named by the SHA-256 of (length of the subject, subject, sessionId):
no two subjects meet, whatever ids they choose, and the length keeps ("ab", "c") apart
from ("a", "bc"). Outputs, errors and histories carry the client's own id again.

Without an `authorize` of the app, the subject is a random text in a signed cookie: the
browser is the subject. The signature is an HMAC-SHA-256 over the text, with a secret
that several workers must share.
"""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from typing import Final

from attrs import frozen

__all__ = [
    "COOKIE",
    "COOKIE_AGE_SECONDS",
    "LEAST_SECRET_BYTES",
    "CookieSigner",
    "session_name",
]

COOKIE: Final = "maelstrom_subject"
COOKIE_AGE_SECONDS: Final = 365 * 24 * 3600
"""A year: who comes back within it finds their chart."""

_SUBJECT_BYTES: Final = 24
"""192 bits: nobody guesses another's subject."""

LEAST_SECRET_BYTES: Final = 16
"""128 bits: fewer could be searched for, given one cookie."""


def session_name(subject: str, session_id: str) -> str:
    """The engine's name of a subject's session, 64 hex digits.

    >>> session_name("ab", "c") == session_name("a", "bc")
    False
    """
    subject_bytes = subject.encode("utf-8", "surrogatepass")
    head = len(subject_bytes).to_bytes(8, "big")
    tail = session_id.encode("utf-8", "surrogatepass")
    return hashlib.sha256(head + subject_bytes + tail).hexdigest()


@frozen
class CookieSigner:
    """Makes and checks the cookie ``SUBJECT.SIGNATURE``."""

    secret: bytes

    def issue(self) -> tuple[str, str]:
        """A new subject, and the cookie value that proves it."""
        subject = secrets.token_urlsafe(_SUBJECT_BYTES)
        return subject, f"{subject}.{self._signature(subject)}"

    def read(self, cookie: str | None) -> str | None:
        """The subject of a cookie whose signature holds, else None."""
        subject, dot, signature = (cookie or "").rpartition(".")
        if not dot or not subject.isascii() or not signature.isascii():
            return None
        right = hmac.compare_digest(signature, self._signature(subject))
        return subject if right else None

    def _signature(self, subject: str) -> str:
        digest = hmac.new(self.secret, subject.encode(), hashlib.sha256).digest()
        return urlsafe_b64encode(digest).rstrip(b"=").decode()
