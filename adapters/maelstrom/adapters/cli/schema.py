"""`maelstrom schema`: the JSON Schemas of answers and of the protocol."""

import argparse
from typing import Any, Final

from maelstrom.adapters.cli.exits import WELL
from maelstrom.adapters.cli.streams import pretty, say
from maelstrom.core.json_value import Json
from maelstrom.core.schema import response_schema

__all__ = ["add_to"]

_MODES: Final = ("grid", "tiling")


def add_to(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "schema",
        help="the JSON Schemas",
        description="The schema that models answer in, by layout mode; with "
        "--protocol, the schema of messages and outputs.",
    )
    parser.add_argument("--mode", choices=_MODES, help="of one layout mode alone")
    parser.add_argument("--protocol", action="store_true", help="of the wire format")
    parser.set_defaults(run=_run)


def _run(chosen: argparse.Namespace) -> int:
    say(pretty(_schema(chosen.mode, chosen.protocol)))
    return WELL


def _schema(mode: str | None, protocol: bool) -> Json:
    if protocol:
        from maelstrom.core.protocol_schema import protocol_schemas

        return protocol_schemas()
    if mode is not None:
        return response_schema("grid" if mode == "grid" else "tiling")
    return {"grid": response_schema("grid"), "tiling": response_schema("tiling")}
