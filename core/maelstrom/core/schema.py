"""The form that a model's answer is asked in: one constant JSON Schema a layout mode.

Theory of operation: providers take different parts of JSON Schema, and cache prompts
and grammars by it. So the two schemas keep to what all of them take (one root object,
every property required, no additional ones, no null, no union, no bound, no reference,
no recursion, at most five objects and arrays within each other), and nothing in them
depends on the app: ids are plain strings. What a schema cannot say, the prompt says
and heal sees to.

What a field does not need is `""`, `[]`, or the weight 1: `encode_answer` writes a
healed answer in that form, for the past turns of a prompt.

In step with: `maelstrom.core.answer`, which reads this form, the output texts of
`maelstrom.core.prompt_rules`, which describe it, and every provider's subset (the
tests lint both schemas).
"""

from typing import Final

from maelstrom.core.json_value import Json
from maelstrom.core.json_writer import compact_text
from maelstrom.core.layout import GridLayout, Layout, LayoutMode, Leaf, Split
from maelstrom.core.response import ActionExecution

__all__ = ["encode_answer", "response_schema"]

_TEXT: Final = "string"
_INTEGER: Final = "integer"
_NUMBER: Final = "number"


def response_schema(mode: LayoutMode) -> Json:
    """The JSON Schema of an answer in this layout mode, a fresh value each time.

    >>> list(response_schema("grid")["properties"])
    ['rationale', 'executionPlan', 'layout', 'userMessage']
    """
    execution = _object(instanceId=_TEXT, action=_TEXT, paramsJson=_TEXT)
    return _object(
        rationale=_TEXT,
        executionPlan=_list(execution),
        layout=_grid() if mode == "grid" else _tiling(),
        userMessage=_TEXT,
    )


def _grid() -> Json:
    position = _object(
        instanceId=_TEXT,
        vesselId=_TEXT,
        variant=_TEXT,
        position=_object(row=_INTEGER, column=_INTEGER),
        size=_object(width=_INTEGER, height=_INTEGER),
    )
    return _object(type=_one_of("grid"), positions=_list(position))


def _tiling() -> Json:
    node = _object(
        id=_TEXT,
        kind=_one_of("split", "leaf"),
        # No enum: a leaf has no direction, and some refuse an empty text in an enum.
        direction=_TEXT,
        children=_list(_schema(_TEXT)),
        weight=_NUMBER,
        instanceId=_TEXT,
        vesselId=_TEXT,
        variant=_TEXT,
    )
    return _object(type=_one_of("tiling"), root=_TEXT, nodes=_list(node))


def _schema(form: Json) -> Json:
    return {"type": form} if isinstance(form, str) else form


def _object(**properties: Json) -> Json:
    return {
        "type": "object",
        "properties": {name: _schema(form) for name, form in properties.items()},
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Json) -> Json:
    return {"type": "array", "items": items}


def _one_of(*texts: str) -> Json:
    return {"type": "string", "enum": list(texts)}


# ---------------------------------------------------------------- an answer in its form


def encode_answer(
    rationale: str, plan: tuple[ActionExecution, ...], layout: Layout, user_message: str
) -> Json:
    """A healed answer in the response schema's own form.

    >>> answer = encode_answer(
    ...     "Asked.", (ActionExecution("a", "go"),), GridLayout(), "Hi"
    ... )
    >>> answer["executionPlan"]
    [{'instanceId': 'a', 'action': 'go', 'paramsJson': ''}]
    """
    return {
        "rationale": rationale,
        "executionPlan": [_encode_execution(entry) for entry in plan],
        "layout": _encode_layout(layout),
        "userMessage": user_message,
    }


def _encode_execution(entry: ActionExecution) -> Json:
    params = "" if entry.params is None else compact_text(entry.params)
    return {
        "instanceId": entry.instance_id,
        "action": entry.action,
        "paramsJson": params,
    }


def _encode_layout(layout: Layout) -> Json:
    if isinstance(layout, GridLayout):
        positions = [
            {
                "instanceId": piece.instance_id,
                "vesselId": piece.vessel_id or "",
                "variant": piece.variant or "",
                "position": {
                    "row": piece.position.row,
                    "column": piece.position.column,
                },
                "size": {"width": piece.size.width, "height": piece.size.height},
            }
            for piece in layout.positions
        ]
        return {"type": "grid", "positions": positions}
    nodes = [
        _encode_split(node) if isinstance(node, Split) else _encode_leaf(node)
        for node in layout.nodes
    ]
    return {"type": "tiling", "root": layout.root or "", "nodes": nodes}


def _encode_split(node: Split) -> Json:
    return {
        "id": node.id,
        "kind": "split",
        "direction": node.direction,
        "children": list(node.children),
        "weight": 1 if node.weight is None else node.weight,
        "instanceId": "",
        "vesselId": "",
        "variant": "",
    }


def _encode_leaf(node: Leaf) -> Json:
    return {
        "id": node.id,
        "kind": "leaf",
        "direction": "",
        "children": [],
        "weight": 1 if node.weight is None else node.weight,
        "instanceId": node.instance_id,
        "vesselId": node.vessel_id or "",
        "variant": node.variant or "",
    }
