"""What commands read and write: files, standard input and output."""

import json
import sys
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from maelstrom.adapters.cli.exits import USAGE, AtFaultError
from maelstrom.core.json_value import Json

__all__ = ["pretty", "read_bytes", "say", "say_error", "standard_input", "use_utf8"]


def use_utf8() -> None:
    """Write UTF-8 whatever the locale; what has no form in it is escaped."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def standard_input() -> BinaryIO:
    """Standard input as bytes: what is in it is decoded where it is judged."""
    return cast("BinaryIO", getattr(sys.stdin, "buffer", sys.stdin))


def read_bytes(name: str) -> bytes:
    """The content of a file; ``-`` is standard input."""
    if name == "-":
        return standard_input().read()
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise AtFaultError(f"{name}: {reason}", USAGE) from None


def say(text: str) -> None:
    """A line on stdout."""
    _write(sys.stdout, text)


def say_error(text: str, code: int) -> int:
    """One line on stderr; gives the exit code back."""
    _write(sys.stderr, f"maelstrom: {' '.join(text.split())}")
    return code


def pretty(value: Json) -> str:
    """JSON for people to read; ASCII alone where a text has no form in UTF-8."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, indent=2)
    return text


def _write(stream: TextIO, text: str) -> None:
    stream.write(text + "\n")
