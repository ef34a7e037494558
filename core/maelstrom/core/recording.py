"""What is kept of a turn to explain it later, with its content or without.

Theory: content is what people and models wrote: the request, the prompt, the raw
answer, and all that was read of it. Without it a recording still says what happened:
who was asked and how long it took, what was dropped, skipped and repaired and why, how
many pieces survived. An id that the request did not know was made up by the model, so
it is content too, and so is an action that no vessel has.

What a recording without content lacks: `message`, `output` and every `candidate` are
None, healed layouts and plans are empty (a `Tally` counts what they held), sections of
prompts keep their names and lose their texts.
"""

from attrs import evolve, frozen

from maelstrom.core.completion import ModelCall
from maelstrom.core.diagnostics import Attempt, Diagnostics
from maelstrom.core.errors import EngineError, RequestValidationError
from maelstrom.core.healed import Drop, Healed, Repair, Skip
from maelstrom.core.json_value import Json
from maelstrom.core.layout import GridLayout, Layout, Leaf, TilingLayout
from maelstrom.core.prompt import Message, Prompt, Section
from maelstrom.core.request import (
    ChartRequest,
    ChartResize,
    UpdateReason,
    UserIntent,
)

__all__ = ["Recording", "Tally", "record", "tally"]


@frozen
class Tally:
    """How many pieces and plan entries an attempt proposed, and how many survived.

    A piece shows an instance: a position, or a leaf.
    """

    proposed: int
    shown: int
    planned: int
    ran: int


@frozen(kw_only=True)
class Recording:
    """A turn as it is kept; ``tallies`` has one an attempt, None where it failed.

    ``reasons`` are the types of the update reasons, ``user_intent`` say. The ids are
    None where the message could not be decoded.
    """

    content: bool
    session_id: str | None
    id: str | None
    reasons: tuple[str, ...]
    tallies: tuple[Tally | None, ...]
    diagnostics: Diagnostics


def record(diagnostics: Diagnostics, content: bool = False) -> Recording:
    """A turn's recording.

    Args:
        diagnostics: What the `on_turn` observer was given.
        content: Whether to keep what people and models wrote.

    >>> record(Diagnostics(None, 0, 3, "failed")).reasons
    ()
    """
    message = diagnostics.message
    named = diagnostics.error if message is None else message
    reasons = () if message is None else message.payload.context.update_reasons
    return Recording(
        content=content,
        session_id=None if named is None else named.session_id,
        id=None if named is None else named.id,
        reasons=tuple(_type(reason) for reason in reasons),
        tallies=tuple(tally(attempt) for attempt in diagnostics.attempts),
        diagnostics=diagnostics if content else _without_content(diagnostics),
    )


def _type(reason: UpdateReason) -> str:
    if isinstance(reason, UserIntent):
        return "user_intent"
    return "chart_resize" if isinstance(reason, ChartResize) else "vessel_mutation"


def tally(attempt: Attempt) -> Tally | None:
    """What an attempt proposed and what survived; None where it failed."""
    if attempt.candidate is None or attempt.healed is None:
        return None
    return Tally(
        _proposed(attempt.candidate.layout),
        _shown(attempt.healed.layout),
        len(attempt.candidate.execution_plan),
        len(attempt.healed.plan),
    )


def _shown(layout: Layout) -> int:
    if isinstance(layout, GridLayout):
        return len(layout.positions)
    return sum(isinstance(node, Leaf) for node in layout.nodes)


def _proposed(layout: Json) -> int:
    """The pieces of a raw layout, however it nests; each entry of a grid is one."""
    if not isinstance(layout, dict):
        return 0
    positions = layout.get("positions")
    if isinstance(positions, list):
        return len(positions)
    found = 0
    work: list[Json] = [layout.get("nodes"), layout.get("root")]
    while work:
        item = work.pop()
        if isinstance(item, list):
            work.extend(item)
        elif isinstance(item, dict):
            found += item.get("kind") == "leaf"
            work.append(item.get("children"))
    return found


# ---------------------------------------------------------------- without content


def _without_content(diagnostics: Diagnostics) -> Diagnostics:
    known = _known(diagnostics)
    return evolve(
        diagnostics,
        message=None,
        output=None,
        attempts=tuple(_bare(attempt, known) for attempt in diagnostics.attempts),
        error=_wordless(diagnostics.error),
    )


@frozen
class _Known:
    """The app's own names."""

    instances: frozenset[str]
    actions: frozenset[str]

    def instance(self, instance_id: str | None) -> str | None:
        return instance_id if instance_id in self.instances else None

    def action(self, action: str | None) -> str | None:
        return action if action in self.actions else None


def _known(diagnostics: Diagnostics) -> _Known:
    if diagnostics.message is None:
        return _Known(frozenset(), frozenset())
    request: ChartRequest = diagnostics.message.payload
    return _Known(
        frozenset(one.instance_id for one in request.instances),
        frozenset(
            action.id
            for vessel in request.vessels
            for variant in vessel.variants
            for action in variant.actions
        ),
    )


def _bare(attempt: Attempt, known: _Known) -> Attempt:
    return evolve(
        attempt,
        calls=tuple(_unspoken(call) for call in attempt.calls),
        candidate=None,
        healed=None if attempt.healed is None else _emptied(attempt.healed, known),
        error=_wordless(attempt.error),
    )


def _unspoken(call: ModelCall) -> ModelCall:
    prompt = Prompt(
        _named(call.prompt.system),
        tuple(Message(one.role, _named(one.parts)) for one in call.prompt.messages),
    )
    said = call.completion
    completion = None if said is None else evolve(said, text="")
    return evolve(
        call, prompt=prompt, completion=completion, error=_wordless(call.error)
    )


def _named(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    return tuple(Section(section.name, "") for section in sections)


def _emptied(healed: Healed, known: _Known) -> Healed:
    grid = isinstance(healed.layout, GridLayout)

    def anonymous(one: Drop | Repair) -> str | None:
        return known.instance(one.instance_id)

    return evolve(
        healed,
        layout=GridLayout() if grid else TilingLayout(),
        plan=(),
        new_instances=(),
        drops=tuple(evolve(one, instance_id=anonymous(one)) for one in healed.drops),
        skips=tuple(_nameless(one, known) for one in healed.skips),
        repairs=tuple(
            evolve(one, instance_id=anonymous(one)) for one in healed.repairs
        ),
    )


def _nameless(skip: Skip, known: _Known) -> Skip:
    return evolve(
        skip,
        instance_id=known.instance(skip.instance_id),
        action=known.action(skip.action),
    )


def _wordless(error: EngineError | None) -> EngineError | None:
    """An issue's words quote the value at fault; its code says the rule."""
    if not isinstance(error, RequestValidationError):
        return error
    issues = tuple(evolve(issue, message=issue.code) for issue in error.issues)
    return evolve(error, issues=issues)
