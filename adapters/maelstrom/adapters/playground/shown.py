"""Diagnostics as the inspector's JSON.

Not a wire format: it may change with the page that reads it. What the core can encode
(errors, healed answers, reasons) has the form of the wire.
"""

from maelstrom.core.completion import ModelCall
from maelstrom.core.diagnostics import Attempt, Diagnostics
from maelstrom.core.errors import EngineError
from maelstrom.core.json_value import Json
from maelstrom.core.prompt import Section
from maelstrom.core.wire import encode_error, encode_healed, encode_request

__all__ = ["shown"]


def shown(diagnostics: Diagnostics) -> dict[str, Json]:
    """A finished turn: what was asked, each attempt, and what was decided."""
    message = diagnostics.message
    context = {} if message is None else encode_request(message.payload)["context"]
    return {
        "id": message and message.id,
        "context": context,
        "started": diagnostics.started,
        "finished": diagnostics.finished,
        "decision": diagnostics.decision,
        "served": diagnostics.served,
        "error": _error(diagnostics.error),
        "notes": list(diagnostics.notes),
        "attempts": [_attempt(each) for each in diagnostics.attempts],
    }


def _attempt(attempt: Attempt) -> dict[str, Json]:
    candidate, healed = attempt.candidate, attempt.healed
    return {
        "number": attempt.number,
        "calls": [_call(each) for each in attempt.calls],
        "healed": encode_healed(candidate, healed) if candidate and healed else None,
        "error": _error(attempt.error),
    }


def _call(call: ModelCall) -> dict[str, Json]:
    completion = call.completion
    usage = completion and completion.usage
    return {
        "provider": call.provider,
        "model": call.model,
        "milliseconds": call.milliseconds,
        "prompt": [
            *(_section("system", each) for each in call.prompt.system),
            *(
                _section(message.role, each)
                for message in call.prompt.messages
                for each in message.parts
            ),
        ],
        "answer": completion and completion.text,
        "finishReason": completion and completion.finish_reason,
        "inputTokens": usage and usage.input_tokens,
        "outputTokens": usage and usage.output_tokens,
        "cachedTokens": usage and usage.cache_read_tokens,
        "error": _error(call.error),
    }


def _section(role: str, section: Section) -> dict[str, Json]:
    return {"role": role, "name": section.name, "text": section.text}


def _error(error: EngineError | None) -> Json:
    return None if error is None else encode_error(error)
