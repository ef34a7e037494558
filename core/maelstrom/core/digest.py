"""What a message asks for, as a fingerprint: the same id must ask for the same.

Theory of operation: the catalogue is the largest part of a request and the same from
turn to turn, often the same records. Its canonical text is kept for those, and put
where it belongs: ``vessels`` comes last among a request's keys, which canonical JSON
sorts. Records are told apart by identity, so nothing is taken for its equal.

Wart: a parameter schema that is changed inside a record has its old text here, as in
prompts; nothing of ours does that.
"""

from hashlib import sha256
from typing import Final

from attrs import evolve

from maelstrom.core.request import ChartRequest
from maelstrom.core.vessel import Vessel
from maelstrom.core.wire_fields import REQUEST, VESSELS
from maelstrom.core.wire_write import write_canonical

__all__ = ["digest"]

_MOST_CATALOGUES: Final = 4
"""An app has one catalogue, and a server few; what is kept is up to 400 kB each."""

_NO_VESSELS: Final = "[]}"
"""How the canonical text of a request without a catalogue ends."""


def digest(request: ChartRequest) -> str:
    """The SHA-256, in hex, of the canonical JSON of a decoded payload.

    ``meta`` is not part of it. Two texts that decode to the same request, whatever
    their white space, the order of their keys or the defaults they spell out, have the
    same digest.
    """
    rest = write_canonical(REQUEST, evolve(request, vessels=()))
    catalogue = _CATALOGUES.text_of(request)
    text = f"{rest.removesuffix(_NO_VESSELS)}{catalogue}}}"
    return sha256(text.encode()).hexdigest()


class _Catalogues:
    """The texts of the catalogues that were digested last, the newest first.

    All of it is one tuple that is replaced as a whole, so threads need no lock.
    """

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: tuple[tuple[tuple[Vessel, ...], str], ...] = ()

    def text_of(self, request: ChartRequest) -> str:
        kept, vessels = self._kept, request.vessels
        for known, text in kept:
            if known is vessels:
                return text
        text = write_canonical(VESSELS, vessels)
        self._kept = ((vessels, text), *kept[: _MOST_CATALOGUES - 1])
        return text


_CATALOGUES: Final = _Catalogues()
