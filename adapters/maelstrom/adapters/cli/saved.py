"""Saved files as records: requests, answers, policies and recorded turns.

A file at fault ends the command with one line that names it.
"""

import json
from typing import Final

from attrs import fields
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from maelstrom.adapters.cli.exits import USAGE, AtFaultError
from maelstrom.adapters.cli.streams import read_bytes
from maelstrom.adapters.recorder import read_recording
from maelstrom.core.errors import RequestValidationError
from maelstrom.core.json_text import JsonRules, parse_json
from maelstrom.core.json_value import Json
from maelstrom.core.messages import EngineMessage
from maelstrom.core.policy import HealPolicy
from maelstrom.core.recording import Recording, record
from maelstrom.core.replay import answered
from maelstrom.core.wire import decode_message, decode_request

__all__ = ["given_policy", "message_in", "policy_from", "turn_in"]

_PRESETS: Final = ("reference", "gentle")
_LINE: Final = 200
"""Characters of an error, which may quote what the user wrote."""


def given_policy(text: str) -> HealPolicy:
    """The policy of a command's option: a preset, or JSON of the fields that differ."""
    value: Json = text
    if text not in _PRESETS:
        try:
            value = json.loads(text)
        except ValueError:
            raise AtFaultError(
                f"--policy: {text!r} is neither {' nor '.join(_PRESETS)} nor JSON",
                USAGE,
            ) from None
    policy = policy_from(value)
    if not is_successful(policy):
        raise AtFaultError(policy.failure(), USAGE)
    return policy.unwrap()


def policy_from(value: Json) -> Result[HealPolicy, str]:
    """A policy by the name of a preset, or by the fields that differ; null for none."""
    if value is None or value == "reference":
        return Success(HealPolicy.reference())
    if value == "gentle":
        return Success(HealPolicy.gentle())
    if not isinstance(value, dict):
        return Failure("policy: not an object")
    known = [each.name for each in fields(HealPolicy)]
    unknown = next((name for name in value if name not in known), None)
    if unknown is not None:
        names = ", ".join(known)
        return Failure(f"policy: no field {unknown[:80]!r}; there are {names}")
    try:
        return Success(HealPolicy(**value))
    except ValueError as error:
        return Failure(f"policy: {error}"[:_LINE])


def message_in(name: str) -> EngineMessage:
    """The request in a file, with its envelope; one is made where it has none."""
    content = read_bytes(name)
    read = parse_json(content, JsonRules())
    value = read.unwrap().value if is_successful(read) else None
    if isinstance(value, dict) and "payload" in value:
        message = decode_message(content)
        if is_successful(message):
            return message.unwrap()
        raise _refused(name, message.failure())
    request = decode_request(content)
    if is_successful(request):
        return EngineMessage("saved", "saved", 0, request.unwrap())
    raise _refused(name, request.failure())


def _refused(name: str, error: RequestValidationError) -> AtFaultError:
    return AtFaultError(f"{name}: {error.message}")


def turn_in(name: str, answer: str | None, policy: HealPolicy | None) -> Recording:
    """The recorded turn in a file, or that of a saved request and its answer.

    Args:
        name: A recording; where an answer is given, the request that it answers.
        answer: A file with a model's raw answer.
        policy: What healing may do with a saved answer.
    """
    if answer is None:
        recording = read_recording(read_bytes(name))
        if not is_successful(recording):
            raise AtFaultError(f"{name}: {recording.failure()}")
        return recording.unwrap()
    if name == answer == "-":
        raise AtFaultError("only one of the two can be stdin", USAGE)
    message = message_in(name)
    text = read_bytes(answer).decode("utf-8", "replace")
    return record(answered(message, text, policy), content=True)
