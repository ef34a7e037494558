"""How much of a payload two A2UI libraries let through; called by survival.py.

Reads one JSON value a line, {components, wanted, text?}, writes one a line, {library:
survivors}: how many of the wanted components reach the renderer. Runs in an environment of its own,
in which one of the two may be missing: its column is then null.
"""

import json
import logging
import sys

LEAF = "Text"
SURFACE = {
    "version": "v0.9",
    "createSurface": {"surfaceId": "main", "catalogId": ""},
}


def agent_sdk():  # noqa: C901  three small functions over one catalogue
    """a2ui-agent-sdk: the whole answer at once, and as a stream of small chunks."""
    from a2ui.core.basic_catalog import BasicCatalog
    from a2ui.inference_formats.direct_json.parser import DirectJsonParser

    catalog = BasicCatalog("v0.9")
    catalog_id = catalog.catalog_id

    def answer(components, text):
        if text is not None:
            return text
        create = {**SURFACE, "createSurface": {"surfaceId": "main"}}
        create["createSurface"]["catalogId"] = catalog_id
        update = {"surfaceId": "main", "components": components}
        messages = [create, {"version": "v0.9", "updateComponents": update}]
        return f"<a2ui-json>\n{json.dumps(messages)}\n</a2ui-json>"

    def leaves(parts, found):
        for part in parts:
            inner = getattr(part, "part", part)
            for message in getattr(inner, "a2ui", None) or ():
                update = getattr(message, "update_components", None)
                for one in getattr(update, "components", None) or ():
                    found.add(field(one, "id"))
        return found

    def whole(components, text):
        parser = DirectJsonParser([catalog])
        try:
            return leaves(parser.parse_response(answer(components, text)), set())
        except Exception:  # noqa: BLE001  whatever it raises, nothing is painted
            return set()

    def stream(components, text):
        parser = DirectJsonParser([catalog])
        said, found = answer(components, text), set()
        try:
            for start in range(0, len(said), 64):
                leaves(parser.parse_chunk(said[start : start + 64]), found)
        except Exception:  # noqa: BLE001  what was emitted before is on the screen
            return found
        return found

    return catalog_id, {"a2ui-agent-sdk": whole, "a2ui-agent-sdk, streamed": stream}


def field(record, name):
    return record.get(name) if isinstance(record, dict) else getattr(record, name, None)


def toolkit():
    """ag-ui-a2ui-toolkit: its validation decides whether anything is painted."""
    from ag_ui_a2ui_toolkit import run_a2ui_generation_with_recovery

    schema = {"required": ["text"], "properties": {"text": {"type": "string"}}}
    lists = {"required": ["children"]}
    catalog = {"components": {LEAF: schema, "Column": lists, "Row": lists}}

    def whole(components, text):
        if text is not None:
            return None  # it is given a tool call's arguments, and reads no text
        try:
            ran = run_a2ui_generation_with_recovery(
                base_prompt="",
                invoke_subagent=lambda _prompt, _attempt: {"components": components},
                build_envelope=json.dumps,
                catalog=catalog,
                config={"maxAttempts": 1},
            )
        except Exception:  # noqa: BLE001  a crash paints nothing
            return set()
        return {one["id"] for one in components} if ran["ok"] else set()

    return {"ag-ui-a2ui-toolkit": whole}


def main():
    logging.disable(logging.CRITICAL)
    contestants, catalog_id = {}, None
    try:
        catalog_id, found = agent_sdk()
        contestants |= found
    except ImportError:
        contestants |= {"a2ui-agent-sdk": None, "a2ui-agent-sdk, streamed": None}
    try:
        contestants |= toolkit()
    except ImportError:
        contestants["ag-ui-a2ui-toolkit"] = None
    print(json.dumps({"catalogId": catalog_id, "names": list(contestants)}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        wanted = set(asked["wanted"])
        survived = {}
        for name, run in contestants.items():
            kept = run(asked["components"], asked.get("text")) if run else None
            survived[name] = None if kept is None else len(kept & wanted)
        print(json.dumps(survived), flush=True)


if __name__ == "__main__":
    main()
