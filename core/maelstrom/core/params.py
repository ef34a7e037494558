"""Reading the parameters of a plan entry in every form that models emit them.

Theory: parameters arrive as JSON text (``paramsJson``, the only form that all
providers' schemas can ask for) or as an object (``params``), and the first of the two
that is not *none* counts. None is what is absent, or decodes to null, ``{}`` or blank
text. A text may stand in a code fence, and may hold JSON text once more.

What is not none is emitted, readable or not: that alone matters to the guard of
resize-only turns, and to an action that takes no parameters.

To keep in step: parameters are bounded as part 1 of the protocol says; what only the
schema and the value can tell is `schema_guard`'s to check.
"""

import re
from typing import Final

from attrs import field, frozen
from returns.pipeline import is_successful

from maelstrom.core.json_surrogates import replace_surrogates
from maelstrom.core.json_text import JsonRules, nests_deeper, parse_json
from maelstrom.core.json_value import Json
from maelstrom.core.schema_guard import MAX_PARAMS_DEPTH

__all__ = ["Emitted", "read_params"]

_RULES: Final = JsonRules(
    max_depth=MAX_PARAMS_DEPTH, overflow=False, replace_surrogates=True
)
_OPENING: Final = re.compile(r"```(?:[\w+.-]*[ \t]*\r?\n|(?:json)?)", re.IGNORECASE)
_FENCE: Final = "```"


@frozen
class Emitted:
    """Parameters that a model emitted; ``fault`` says why they cannot be read."""

    value: Json = field(default=None, hash=False)
    fault: str | None = None


def read_params(entry: dict[str, Json]) -> Emitted | None:
    r"""The parameters of a raw plan entry, None where there are none.

    >>> read_params({"action": "refresh", "paramsJson": " {} "})
    >>> read_params({"paramsJson": "", "params": {"city": "Oslo"}})
    Emitted(value={'city': 'Oslo'}, fault=None)
    >>> read_params({"paramsJson": '```json\n{"city": "Oslo"}\n```'})
    Emitted(value={'city': 'Oslo'}, fault=None)
    >>> read_params({"paramsJson": "{Oslo"})
    Emitted(value=None, fault='malformed_json')
    """
    emitted = _read(entry.get("paramsJson"))
    return _read(entry.get("params")) if emitted is None else emitted


def _read(value: Json) -> Emitted | None:
    for _ in range(2):
        if not isinstance(value, str):
            break
        text = _unfenced(value)
        if not text:
            return None
        parsed = parse_json(text, _RULES)
        if not is_successful(parsed):
            return Emitted(fault=parsed.failure().code)
        value = parsed.unwrap().value
    if value is None or value == {} or (isinstance(value, str) and not value.strip()):
        return None
    if not isinstance(value, dict):
        return Emitted(fault="type")
    if nests_deeper(value, MAX_PARAMS_DEPTH):
        return Emitted(fault="too_deep")
    return Emitted(replace_surrogates(value))


def _unfenced(text: str) -> str:
    """The text without white space around it, and without a code fence."""
    text = text.strip()
    opening = _OPENING.match(text)
    if opening is None or not text.endswith(_FENCE) or len(text) < 2 * len(_FENCE):
        return text
    return text[opening.end() : -len(_FENCE)].strip()
