"""Whether a request may proceed, and as whom.

Theory: the app's `authorize` decides where there is one. Otherwise the signed cookie
does, and who comes without a valid one is given a new subject, which owns nothing yet.
A cookie is sent by the browser whoever made the page, so a request that changes
something on the cookie's word must also show its Origin (`Guards` has matched it). What
is counted against the rate is the subject, or the peer's address where the subject is
new: asking without a cookie must not be a way around the limit.
"""

import inspect
import math

from attrs import frozen
from starlette.requests import Request
from starlette.responses import Response

from maelstrom.adapters.server.rate import RateLimit
from maelstrom.adapters.server.refusal import refusal
from maelstrom.adapters.server.settings import Settings
from maelstrom.adapters.server.subject import (
    COOKIE,
    COOKIE_AGE_SECONDS,
    CookieSigner,
    session_name,
)

__all__ = ["Access", "Admitted"]


@frozen
class Admitted:
    """A request that may proceed; ``cookie`` is set where a new one must be sent."""

    subject: str
    rate_key: str
    cookie: str | None = None

    def session(self, session_id: str) -> str:
        """The engine's name of this subject's session."""
        return session_name(self.subject, session_id)


class Access:
    """Finds the subject of a request, and counts its turns."""

    def __init__(self, settings: Settings, rate: RateLimit) -> None:
        self._settings = settings
        self._signer = CookieSigner(settings.secret)
        self._rate = rate

    async def admit(self, request: Request, session_id: str) -> Admitted | Response:
        """The subject, or the answer that refuses it."""
        authorize = self._settings.authorize
        if authorize is None:
            return self._admit_cookie(request)
        subject = authorize(request, session_id)
        if inspect.isawaitable(subject):
            subject = await subject
        if isinstance(subject, str):
            return Admitted(subject, f"subject {subject}")
        if "authorization" not in request.headers:
            return refusal(401, "unauthorized", "say who you are")
        return refusal(403, "forbidden", "not for this subject")

    def _admit_cookie(self, request: Request) -> Admitted | Response:
        subject = self._signer.read(request.cookies.get(COOKIE))
        if subject is None:
            fresh, cookie = self._signer.issue()
            peer = request.client.host if request.client else "unknown"
            return Admitted(fresh, f"peer {peer}", cookie)
        changes = request.method not in {"GET", "HEAD"}
        if changes and "origin" not in request.headers:
            return refusal(
                403, "forbidden", "a request on a cookie's word needs Origin"
            )
        return Admitted(subject, f"subject {subject}")

    def charge(self, admitted: Admitted) -> Response | None:
        """Count one turn, or refuse it with the wait that it takes."""
        wait = self._rate.wait(admitted.rate_key)
        if not wait:
            return None
        headers = {"retry-after": str(math.ceil(wait))}
        return refusal(429, "rate_limited", "too many turns a minute", headers)

    def remember(self, admitted: Admitted, response: Response) -> Response:
        """Send the cookie along where it is new."""
        if admitted.cookie is not None:
            response.set_cookie(
                COOKIE,
                admitted.cookie,
                max_age=COOKIE_AGE_SECONDS,
                httponly=True,
                secure=self._settings.secure_cookie,
                samesite="strict",
            )
        return response
