r"""A value to JSON text, in two forms: compact for the wire, canonical for digests.

Theory: the compact form keeps all but ASCII as it is, for it is shorter, to a model too,
and readable. Where a lone surrogate stands in the way, all is escaped, so that a text
always has a form in UTF-8. The canonical form is the same for equal values.

In step with: `maelstrom.core.wire_write`, which writes both forms for records.
"""

import json
from typing import Final

from maelstrom.core.json_surrogates import holds_surrogate
from maelstrom.core.json_value import Json

__all__ = ["canonical_text", "compact_text", "raw_text"]


def compact_text(value: Json) -> str:
    r"""Compact JSON text, keys in their order, all but ASCII as it is.

    The value is JSON of a bounded depth, with no NaN: what `parse_json` gave, or what
    `maelstrom.core.wire` encoded. A lone surrogate makes all escaped, so that the text
    always has a form in UTF-8.

    >>> compact_text({"b": [1, "é"], "a": None})
    '{"b":[1,"é"],"a":null}'
    """
    text = raw_text(value)
    return _ESCAPED.encode(value) if holds_surrogate(text) else text


def raw_text(value: Json) -> str:
    """Compact JSON text in which a lone surrogate stands as it is."""
    return _COMPACT.encode(value)


def canonical_text(value: Json) -> str:
    r"""JSON text that is the same for equal values: for digests and cache keys.

    >>> canonical_text({"b": 1, "a": "é"})
    '{"a":"\\u00e9","b":1}'
    """
    return _CANONICAL.encode(value)


_COMPACT: Final = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=False
)
_ESCAPED: Final = json.JSONEncoder(
    separators=(",", ":"), allow_nan=False, check_circular=False
)
_CANONICAL: Final = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), allow_nan=False, check_circular=False
)
