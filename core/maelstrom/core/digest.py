"""What a message asks for, as a fingerprint: the same id must ask for the same."""

from hashlib import sha256

from maelstrom.core.json_text import canonical_text
from maelstrom.core.request import ChartRequest
from maelstrom.core.wire import encode_request

__all__ = ["digest"]


def digest(request: ChartRequest) -> str:
    """The SHA-256, in hex, of the canonical JSON of a decoded payload.

    ``meta`` is not part of it. Two texts that decode to the same request, whatever
    their white space, the order of their keys or the defaults they spell out, have the
    same digest.
    """
    return sha256(canonical_text(encode_request(request)).encode()).hexdigest()
