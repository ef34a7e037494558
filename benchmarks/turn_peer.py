"""One step of a2ui-agent-sdk's turn, timed in its own environment; started by turn.py.

Says its catalogue's id, is given the answer's text, says how many components it read,
then runs what it is asked to. The catalogue is built once; the parser once, or for each
answer, as its state is that of one answer's stream.
"""

import json
import sys

from a2ui.core.basic_catalog import BasicCatalog
from a2ui.inference_formats.direct_json.parser import DirectJsonParser

from benchmarks.paired import answer_runs, ballast


def components(parts):
    """How many components stand in the parts of a read answer."""
    messages = [one for part in parts for one in getattr(part, "a2ui", ())]
    updates = [getattr(one, "update_components", None) for one in messages]
    return sum(len(one.components) for one in updates if one is not None)


def main():
    kept = ballast()
    catalog = BasicCatalog("v0.9")
    print(json.dumps(catalog.catalog_id), flush=True)
    answer = json.loads(sys.stdin.readline())
    parser = DirectJsonParser([catalog])
    print(components(parser.parse_response(answer)), flush=True)
    answer_runs(
        {
            "a2ui parse_response": lambda: parser.parse_response(answer),
            "a2ui parse_response, a new parser": lambda: DirectJsonParser(
                [catalog]
            ).parse_response(answer),
        }
    )
    del kept


if __name__ == "__main__":
    main()
