"""Whether a request may proceed, and as whom.

Theory: the app's `authorize` decides where there is one. Otherwise the signed cookie
does, and who comes without a valid one is given a new subject, which owns nothing yet.
A browser sends its cookies whoever made the page, so a request that changes something
on a cookie's word must also show its Origin (`Guards` has matched it).

What is counted against the rate is the subject, or the peer's address where the subject
is new. Only a turn that was counted is given a cookie: neither asking without one, nor
collecting many, is a way around the limit.

Off loopback the cookie's name begins with ``__Host-``: browsers take such a cookie from
this very host alone, so that no neighbour below the same domain can have a visitor go on
as a subject of the neighbour's choice, and read what they say.
"""

from collections.abc import Awaitable
from typing import Final

from attrs import frozen
from starlette.requests import Request
from starlette.responses import Response

from maelstrom.adapters.server.guards import is_loopback
from maelstrom.adapters.server.rate import RateLimit
from maelstrom.adapters.server.refusal import refusal
from maelstrom.adapters.server.settings import Authorize, Settings
from maelstrom.adapters.server.subject import (
    COOKIE,
    COOKIE_AGE_SECONDS,
    CookieSigner,
)

__all__ = ["Access", "Admitted"]

_SAFE: Final = frozenset({"GET", "HEAD"})


@frozen
class Admitted:
    """A request that may proceed; ``cookie`` is set where the subject is new."""

    subject: str
    rate_key: str
    cookie: str | None = None


class Access:
    """Finds the subject of a request, and counts its turns."""

    def __init__(self, settings: Settings, rate: RateLimit) -> None:
        self._authorize = settings.authorize
        self._signer = CookieSigner(settings.secret)
        self._rate = rate

    async def admit(self, request: Request, session_id: str) -> Admitted | Response:
        """The subject, or the answer that refuses it."""
        if self._authorize is not None:
            return await _ask(self._authorize, request, session_id)
        subject = self._signer.read(request.cookies.get(_cookie_name(request)))
        if subject is None:
            fresh, cookie = self._signer.issue()
            peer = request.client.host if request.client else "unknown"
            return Admitted(fresh, f"peer {peer}", cookie)
        return _forged(request) or Admitted(subject, f"subject {subject}")

    def charge(self, admitted: Admitted) -> Response | None:
        """Count one turn, or refuse it with the wait that it takes."""
        wait = self._rate.wait(admitted.rate_key)
        if not wait:
            return None
        return refusal("rate_limited", "too many turns a minute", wait=wait)

    @staticmethod
    def remember(request: Request, admitted: Admitted, response: Response) -> Response:
        """Send the cookie along where it is new."""
        if admitted.cookie is not None:
            response.set_cookie(
                _cookie_name(request),
                admitted.cookie,
                max_age=COOKIE_AGE_SECONDS,
                httponly=True,
                secure=not _is_loopback(request),
                samesite="strict",
            )
        return response


def _is_loopback(request: Request) -> bool:
    return is_loopback(request.headers.get("host", ""))


def _cookie_name(request: Request) -> str:
    return COOKIE if _is_loopback(request) else f"__Host-{COOKIE}"


async def _ask(
    authorize: Authorize, request: Request, session_id: str
) -> Admitted | Response:
    named = "authorization" in request.headers
    if not named and (refused := _forged(request)):
        return refused
    subject = authorize(request, session_id)
    if isinstance(subject, Awaitable):
        subject = await subject
    if isinstance(subject, str) and subject:  # "" is what a missing header often gives
        return Admitted(subject, f"subject {subject}")
    if named:
        return refusal("forbidden", "not for this subject")
    scheme = {"www-authenticate": "Bearer"}
    return refusal("unauthorized", "say who you are", scheme)


def _forged(request: Request) -> Response | None:
    """The answer to a change that any page could have had a browser ask for."""
    if request.method in _SAFE or "cookie" not in request.headers:
        return None
    if "origin" in request.headers:
        return None
    return refusal("forbidden", "a change on a cookie's word needs an Origin")
