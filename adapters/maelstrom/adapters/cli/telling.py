"""A recorded turn in words: what was asked, what was said, what became of it and why.

Pure: passages of plain lines, for a terminal to show. All that people and models wrote
is made printable first, so that no recording can move a cursor or colour a screen.

In step with: `maelstrom.core.reasons` for what a reason means, and the tables below for
what a decision and a severity do.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Final

from attrs import frozen

from maelstrom.adapters.cli.sizes import sizes
from maelstrom.core.completion import ModelCall
from maelstrom.core.diagnostics import Attempt, Diagnostics
from maelstrom.core.healed import Drop, Healed, Repair, Skip
from maelstrom.core.healed import Warning as HealWarning
from maelstrom.core.json_value import Path
from maelstrom.core.messages import EngineMessage
from maelstrom.core.prune import placed
from maelstrom.core.reasons import DROPS, REPAIRS, SKIPS, WARNINGS
from maelstrom.core.recording import Recording, Tally
from maelstrom.core.request import (
    ChartRequest,
    ChartResize,
    UpdateReason,
    UserIntent,
)
from maelstrom.core.wire_results import ERRORS

__all__ = ["Passage", "outcome", "printable", "tell", "tell_attempt"]

_DECISIONS: Final = MappingProxyType(
    {
        # decision: what it means
        "served": "the answer is what survived of attempt {served}",
        "reflowed": "nothing was recoverable, so the chart was made to fit as it was, "
        "and the plan was left out",
        "replayed": "this message was answered before, and the recorded answer was "
        "given again",
        "failed": "there is no answer",
    }
)
_SEVERITIES: Final = MappingProxyType(
    {
        # severity: what it means
        "none": "nothing was lost",
        "low": "some of it was dropped, skipped or changed",
        "medium": "of the plan nothing survived",
        "unrecoverable": "of the layout nothing survived",
    }
)
_NOTES: Final = MappingProxyType(
    {
        # note: what it means
        "history_not_loaded": "the history could not be read, so the turn went without",
        "turn_not_recorded": "the answer was returned, and not recorded in the history",
    }
)
_MEANINGS: Final = MappingProxyType(
    {
        record: MappingProxyType({row.name: row.meaning for row in table})
        for record, table in (
            (Drop, DROPS),
            (Skip, SKIPS),
            (Repair, REPAIRS),
            (HealWarning, WARNINGS),
        )
    }
)
_MOST: Final = 2_000
"""Characters of a text that are shown: an intent may have 16,000."""
_NO_CONTENT: Final = (
    "What was asked, the prompt and the model's own words are not in this recording: "
    "record_to(folder, content=True) keeps them."
)


@frozen
class Passage:
    """A heading, and the lines under it."""

    heading: str
    lines: tuple[str, ...]


def tell(recording: Recording) -> tuple[Passage, ...]:
    """All that is known of a turn but its attempts' charts, in order."""
    turn = recording.diagnostics
    return (
        Passage("turn", tuple(_turn(recording))),
        Passage("asked", tuple(_asked(recording))),
        *(
            tell_attempt(attempt, tally, turn.message)
            for attempt, tally in zip(turn.attempts, recording.tallies, strict=True)
        ),
        Passage("outcome", tuple(outcome(turn))),
    )


def tell_attempt(
    attempt: Attempt, tally: Tally | None, message: EngineMessage | None
) -> Passage:
    """What was called in an attempt, what it said, and what healing made of it."""
    lines = (
        *(line for call in attempt.calls for line in _called(call)),
        *_said(attempt),
        *_kept(tally),
        *_mended(attempt, message),
    )
    return Passage(f"attempt {attempt.number}", tuple(lines))


def outcome(turn: Diagnostics) -> Iterator[str]:
    """How a turn ended."""
    yield f"{turn.decision}: {_DECISIONS[turn.decision].format(served=turn.served)}"
    if turn.error is not None:
        kind = ERRORS[turn.error.__class__][0]
        yield f"{kind}: {printable(turn.error.message)}"
    yield from (_NOTES.get(note, printable(note)) for note in turn.notes)
    if turn.output is not None:
        response = turn.output.payload
        yield f'the user was told: "{printable(response.user_message)}"'
        shown = ", ".join(map(printable, placed(response.layout)))
        yield f"the chart shows: {shown or 'nothing'}"
        for entry in response.execution_plan:
            yield f"to run: {printable(entry.action)} on {printable(entry.instance_id)}"


def printable(text: str) -> str:
    r"""Text on one line, with escapes for what would move or colour a terminal.

    >>> printable("a\nb \x1b[31mc")
    'a b \\x1b[31mc'
    """
    cut = text if len(text) <= _MOST else text[:_MOST] + "…"
    flat = " ".join(cut.split())
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode()
        for one in flat
    )


# ---------------------------------------------------------------- what was asked


def _turn(recording: Recording) -> Iterator[str]:
    turn = recording.diagnostics
    if recording.id is None:
        yield "a message whose ids could not be read"
    else:
        session = printable(recording.session_id or "")
        yield f"message {printable(recording.id)} of session {session}"
    yield f"{_time(turn.started)}, {turn.finished - turn.started} ms"


def _time(milliseconds: int) -> str:
    """A time of the clock in UTC; one that is no date stays a number."""
    try:
        epoch = datetime(1970, 1, 1, tzinfo=UTC)
        moment = epoch + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return f"{milliseconds} ms since 1970"
    return moment.strftime("%Y-%m-%d %H:%M:%S UTC")


def _asked(recording: Recording) -> Iterator[str]:
    message = recording.diagnostics.message
    if message is not None:
        yield from _request(message.payload)
        return
    if recording.reasons:
        yield f"because of: {', '.join(map(printable, recording.reasons))}"
    if recording.content:
        yield "the message could not be decoded"
    else:
        yield _NO_CONTENT


def _request(request: ChartRequest) -> Iterator[str]:
    yield from (_because(reason) for reason in request.context.update_reasons)
    size = request.context.chart_dimensions
    where = f"{request.context.layout_mode} of {size.columns} x {size.rows}"
    shown = frozenset(placed(request.layout))
    for word, there in (("showing", True), ("parked", False)):
        names = ", ".join(
            f"{printable(one.instance_id)} ({printable(one.variant)})"
            for one in request.instances
            if (one.instance_id in shown) is there
        )
        where += f", {word} {names}" if names else ""
    yield f"on a {where}" if request.instances else f"on an empty {where}"
    vessels = ", ".join(printable(one.id) for one in request.vessels)
    yield f"the app has: {vessels or 'nothing'}"


def _because(reason: UpdateReason) -> str:
    if isinstance(reason, UserIntent):
        return f'the user said: "{printable(reason.intent)}"'
    if isinstance(reason, ChartResize):
        before = reason.previous
        was = "" if before is None else f", which was {before.columns} x {before.rows}"
        return f"the chart was resized{was}"
    words = f": {printable(reason.description)}" if reason.description else ""
    return f"{printable(reason.instance_id)} changed{words}"


# ---------------------------------------------------------------- an attempt


def _called(call: ModelCall) -> Iterator[str]:
    names = f"{printable(call.provider)} {printable(call.model)}"
    facts = [f"{call.milliseconds} ms"]
    completion = call.completion
    if completion is not None:
        usage = completion.usage
        if usage.input_tokens is not None:
            facts.append(f"{usage.input_tokens} tokens in")
        if usage.output_tokens is not None:
            facts.append(f"{usage.output_tokens} out")
        if completion.finish_reason != "stop":
            facts.append(f"ended by {printable(completion.finish_reason)}")
    yield f"asked {names}: {', '.join(facts)}"
    parts = [*call.prompt.system, *(p for m in call.prompt.messages for p in m.parts)]
    if parts:
        yield f"the prompt: {', '.join(_part(part.name, part.text) for part in parts)}"
    if call.error is not None:
        kind = ERRORS[call.error.__class__][0]
        yield f"{kind}: {printable(call.error.message)}"


def _part(name: str, text: str) -> str:
    return f"{printable(name)} ({len(text)})" if text else printable(name)


def _said(attempt: Attempt) -> Iterator[str]:
    candidate = attempt.candidate
    if candidate is not None:
        yield f'it said: "{printable(candidate.user_message)}"'
        if candidate.rationale:
            yield f'its reasons: "{printable(candidate.rationale)}"'
    elif attempt.calls and attempt.calls[-1].completion is not None:
        text = attempt.calls[-1].completion.text
        if text and attempt.healed is None:
            yield f"what it wrote could not be used: {printable(text)}"
    reported = bool(attempt.calls) and attempt.calls[-1].error == attempt.error
    if attempt.error is not None and not reported:
        kind = ERRORS[attempt.error.__class__][0]
        yield f"{kind}: {printable(attempt.error.message)}"


def _kept(tally: Tally | None) -> Iterator[str]:
    if tally is None:
        return
    yield (
        f"kept {tally.shown} of {tally.proposed} pieces and {tally.ran} of "
        f"{tally.planned} plan entries"
    )


def _mended(attempt: Attempt, message: EngineMessage | None) -> Iterator[str]:
    healed, candidate = attempt.healed, attempt.candidate
    if healed is None:
        return
    read = frozenset(candidate.repairs if candidate else ())
    small = sizes(message.payload, candidate) if message and candidate else {}
    for drop in healed.drops:
        yield f"dropped {_who(drop.instance_id, drop.path)}: {_why(drop)}"
        if drop.reason == "size_below_minimum" and drop.path in small:
            yield f"  {small[drop.path]}"
    for skip in healed.skips:
        yield f"skipped {_entry(skip)}: {_why(skip)}"
    for repair in healed.repairs:
        loss = "" if repair.lossless else ", not as it was meant"
        where = _who(repair.instance_id, repair.path)
        what = "read" if repair in read or not repair.path else "repaired"
        yield f"{what} {where}: {_why(repair)}{loss}"
    for warning in healed.warnings:
        yield f"noted at {_where(warning.path)}: {_why(warning)}"
    yield _verdict(healed)


def _verdict(healed: Healed) -> str:
    again = "; another attempt is worth its wait" if healed.retry else ""
    return f"severity {healed.severity}: {_SEVERITIES[healed.severity]}{again}"


def _why(record: Drop | Skip | Repair | HealWarning) -> str:
    meaning = _MEANINGS[record.__class__].get(record.reason, "")
    detail = record.detail if isinstance(record, Skip) else None
    more = f", {printable(detail)}" if detail else ""
    return f"{meaning} [{printable(record.reason)}{more}]"


def _who(instance_id: str | None, path: Path) -> str:
    if instance_id is None:
        return _where(path)
    return f"{printable(instance_id)} at {_where(path)}"


def _entry(skip: Skip) -> str:
    where = _where(("executionPlan", skip.index))
    if skip.action is None or skip.instance_id is None:
        return where
    return f"{printable(skip.action)} on {printable(skip.instance_id)} at {where}"


def _where(path: Path) -> str:
    """A path as one would write it in code; the whole answer where it is empty.

    >>> _where(("layout", "positions", 3))
    'layout.positions[3]'
    """
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{printable(part)}"
    return text.removeprefix(".") or "the answer"
