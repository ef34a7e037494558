"""How much the engine takes, in one record. The defaults are the protocol's.

Each says what it bounds and why there; the documentation's table is made of that.
"""

from typing import Final

from attrs import field, frozen

from maelstrom.core.whole_number import whole

__all__ = ["MAX_INTEGER", "Limits"]

MAX_INTEGER: Final = 2**53 - 1
"""The largest integer on the wire: past it a double, and so JavaScript, rounds."""


def _limit(default: int) -> int:
    return field(default=default, validator=whole(1))


@frozen(kw_only=True)
class Limits:
    """Upper bounds, each at least 1; counts unless a unit is named.

    >>> Limits().columns
    1000
    """

    message_bytes: int = _limit(4 * 1024 * 1024)
    """Bytes of a message's JSON text. Ten vessels and fifty instances take 35 kB."""
    nesting: int = _limit(64)
    """Objects and lists within each other, in a message or in an answer. A message is
    nine deep where a parameter schema begins; the rest is the schema's."""
    columns: int = _limit(1_000)
    """Columns of a chart. Healing keeps a bit for each cell: a million at most."""
    rows: int = _limit(1_000)
    """Rows of a chart, likewise."""
    prompt_characters: int = _limit(400_000)
    """Characters of a prompt: about 100,000 tokens, at four characters a token. Past
    it no model is asked, and the message is refused."""
    instances: int = _limit(5_000)
    """Instances of a request; positions or leaves of a layout. More than a screen can
    show, and healing them takes seconds at the worst."""
    tree_nodes: int = _limit(10_000)
    """Nodes of a tree: as many leaves as instances, and splits of two or more children
    to hold them."""
    vessels: int = _limit(500)
    """Vessels of a request. Each is told in the prompt, which has its own bound."""
    variants: int = _limit(64)
    """Variants of one vessel, likewise."""
    actions: int = _limit(128)
    """Actions of one variant, likewise."""
    update_reasons: int = _limit(64)
    """Reasons of one request. A client that waits for an answer merges what arises."""
    plan_entries: int = _limit(200)
    """Entries of a plan. A model that plans more repeats itself."""
    id_characters: int = _limit(128)
    """Characters of an id: a UUID (36), a prefix and room."""
    text_characters: int = _limit(8_000)
    """Characters of a description or of a mutation's text: a few pages."""
    intent_characters: int = _limit(16_000)
    """Characters of what a user says, who may paste a document."""
    answer_bytes: int = _limit(1024 * 1024)
    """Bytes of a model's answer in UTF-8. As many positions as are taken need 0.6 MB."""
    meta_bytes: int = _limit(4_000)
    """Bytes of `meta` as compact JSON in UTF-8: a few facts, no store."""
