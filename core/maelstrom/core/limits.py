"""How much the engine takes, in one record. The defaults are the protocol's."""

from typing import Final

from attrs import field, frozen, validators

__all__ = ["MAX_INTEGER", "Limits"]

MAX_INTEGER: Final = 2**53 - 1
"""The largest integer on the wire: past it a double, and so JavaScript, rounds."""


def _limit(default: int) -> int:
    at_least_one = [validators.instance_of(int), validators.ge(1)]
    return field(default=default, validator=at_least_one)


@frozen(kw_only=True)
class Limits:
    """Upper bounds, each at least 1; counts unless a unit is named.

    >>> Limits().columns
    1000
    """

    message_bytes: int = _limit(4 * 1024 * 1024)
    """Bytes of a message's JSON text."""
    nesting: int = _limit(64)
    """Objects and arrays within each other, in a message or in an answer."""
    columns: int = _limit(1_000)
    rows: int = _limit(1_000)
    prompt_characters: int = _limit(400_000)
    instances: int = _limit(5_000)
    """Instances of a request; positions or leaves of a layout."""
    tree_nodes: int = _limit(10_000)
    vessels: int = _limit(500)
    variants: int = _limit(64)
    """Variants of one vessel."""
    actions: int = _limit(128)
    """Actions of one variant."""
    update_reasons: int = _limit(64)
    plan_entries: int = _limit(200)
    id_characters: int = _limit(128)
    text_characters: int = _limit(8_000)
    """Characters of a description or of a mutation's text."""
    intent_characters: int = _limit(16_000)
    answer_bytes: int = _limit(1024 * 1024)
    """Bytes of a model's answer in UTF-8."""
    meta_bytes: int = _limit(4_000)
    """Bytes of `meta` as compact JSON in UTF-8."""
