"""What every `Engine` keeps: subclass, say how one is made, run with pytest.

    class TestMyEngine(EngineContract):
        def make_engine(self):
            return MyEngine(url)

`make_engine` gives an engine that answers `sample_message`s and remembers sessions; one
that remembers nothing says so in `remembers`.
"""

import asyncio
import uuid
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from returns.pipeline import is_successful
from returns.result import Result

from maelstrom.core.chart_state import ChartState, make_request
from maelstrom.core.client import apply
from maelstrom.core.errors import AbortedError, RequestValidationError
from maelstrom.core.json_writer import compact_text
from maelstrom.core.layout import Cell, GridLayout, Position
from maelstrom.core.messages import EngineMessage
from maelstrom.core.request import (
    ChartRequest,
    Context,
    Dimensions,
    Instance,
    UserIntent,
)
from maelstrom.core.vessel import Size, Variant, Vessel
from maelstrom.core.wire import (
    decode_output,
    decode_request,
    encode_message,
    encode_output,
    encode_request,
)
from maelstrom.effects.ports import Engine

__all__ = ["EngineContract", "sample_message"]

Scenario: TypeAlias = Callable[[Engine, str], Awaitable[None]]


def sample_message(
    session_id: str, message_id: str = "m1", intent: str = "Show my notes"
) -> EngineMessage:
    """A message of an app with notes, one list of them on the chart."""
    notes = Vessel("notes", "Short notes", (Variant("list", "All notes"),))
    request = ChartRequest(
        Context((UserIntent(intent),), Dimensions(6, 4), "grid"),
        (Instance("notes-1", "notes", "list"),),
        (notes,),
        GridLayout((Position("notes-1", Cell(0, 0), Size(2, 2)),)),
    )
    return EngineMessage(session_id, message_id, 1_767_225_600_000, request)


class EngineContract(ABC):
    """The rules of the durable contract: handle and get_history."""

    remembers = True
    """Whether turns are recorded, so that a message sent again is answered again."""

    @abstractmethod
    def make_engine(self) -> Engine:
        """An engine that answers."""

    def run(self, scenario: Scenario) -> None:
        """Play a scenario with a new engine and a new session; close it if it closes."""

        async def play() -> None:
            engine: Any = self.make_engine()
            try:
                await scenario(engine, f"session-{uuid.uuid4().hex}")
            finally:
                if hasattr(engine, "aclose"):
                    await engine.aclose()

        asyncio.run(play())

    def test_an_output_answers_its_message(self) -> None:
        """It repeats the ids, fits the wire, and a client can apply it and ask again."""

        async def scenario(engine: Engine, session: str) -> None:
            message = sample_message(session)
            output = (await engine.handle(message)).unwrap()
            assert (output.session_id, output.id) == (session, message.id)
            assert output.payload.request_id == message.id
            assert output.payload.user_message.strip()
            assert decode_output(encode_output(output)).unwrap() == output
            asked = message.payload
            state = ChartState(
                dimensions=asked.context.chart_dimensions,
                vessels=asked.vessels,
                instances=asked.instances,
                layout=asked.layout,
            )
            applied = apply(state, asked, output.payload)
            assert not applied.skips
            again = make_request(applied.state, (UserIntent("More"),))
            assert decode_request(encode_request(again)).unwrap() == again

        self.run(scenario)

    def test_every_form_of_a_message_is_taken(self) -> None:
        """An EngineMessage, a mapping, text and bytes."""

        async def scenario(engine: Engine, session: str) -> None:
            count = len(_forms(sample_message(session)))
            for number in range(count):
                form = _forms(sample_message(session, f"m{number}"))[number]
                assert is_successful(await engine.handle(form))

        self.run(scenario)

    def test_a_message_that_breaks_the_protocol_is_refused(self) -> None:
        """RequestValidationError with one to sixteen issues; nothing is raised."""

        async def scenario(engine: Engine, session: str) -> None:
            whole = _text(sample_message(session))
            texts = ("", "{", "[]", "null", whole[:-1], whole + "}", "\ufeff" + whole)
            for broken in (*texts, b"\xff", {}, {"sessionId": session}):
                failure = _refused(await engine.handle(broken))
                assert 1 <= len(failure.issues) <= 16  # noqa: PLR2004  the protocol's

        self.run(scenario)

    def test_an_error_names_the_message(self) -> None:
        """It carries sessionId and id wherever they could be read."""

        async def scenario(engine: Engine, session: str) -> None:
            broken = encode_message(sample_message(session, "m7"))
            broken["timestamp"] = "now"
            failure = _refused(await engine.handle(broken))
            assert (failure.session_id, failure.id) == (session, "m7")

        self.run(scenario)

    def test_a_signal_that_is_set_ends_the_turn(self) -> None:
        """AbortedError(signal), and the session's next turn runs normally."""

        async def scenario(engine: Engine, session: str) -> None:
            signal = asyncio.Event()
            signal.set()
            aborted = await engine.handle(sample_message(session), signal)
            failure = aborted.failure()
            assert isinstance(failure, AbortedError)
            assert failure.cause == "signal"
            assert is_successful(await engine.handle(sample_message(session)))

        self.run(scenario)

    def test_turns_of_a_session_do_not_overlap(self) -> None:
        """Many messages of one session at once are all answered, each once."""

        async def scenario(engine: Engine, session: str) -> None:
            messages = [sample_message(session, f"m{n}") for n in range(5)]
            results = await asyncio.gather(*map(engine.handle, messages))
            assert [r.unwrap().id for r in results] == [m.id for m in messages]
            turns = (await engine.get_history(session)).unwrap()
            seqs = [turn.seq for turn in turns]
            assert seqs == ([*range(1, 6)] if self.remembers else [])

        self.run(scenario)

    def test_a_message_sent_again_is_answered_again(self) -> None:
        """With the same output; the same id with another payload is refused."""

        async def scenario(engine: Engine, session: str) -> None:
            message = sample_message(session)
            first = await engine.handle(message)
            if not self.remembers:
                return
            assert await engine.handle(message) == first
            other = sample_message(session, intent="Something else")
            (issue,) = _refused(await engine.handle(other)).issues
            assert (issue.path, issue.code) == (("id",), "duplicate_id")

        self.run(scenario)

    def test_history_is_read_oldest_first(self) -> None:
        """The newest turns, at least one and at most 1,000; none of what is unknown."""

        async def scenario(engine: Engine, session: str) -> None:
            assert (await engine.get_history(session)).unwrap() == ()
            for number in range(3):
                await engine.handle(sample_message(session, f"m{number}"))
            for limit, ids in ((50, "012"), (2, "12"), (0, "2"), (10**9, "012")):
                turns = (await engine.get_history(session, limit)).unwrap()
                wanted = [f"m{n}" for n in ids] if self.remembers else []
                assert [turn.request_id for turn in turns] == wanted

        self.run(scenario)

    def test_sessions_do_not_meet(self) -> None:
        """The same id in another session is another message."""

        async def scenario(engine: Engine, session: str) -> None:
            await engine.handle(sample_message(session))
            other = sample_message(f"{session}-2", intent="Something else")
            assert is_successful(await engine.handle(other))

        self.run(scenario)


def _text(message: EngineMessage) -> str:
    return compact_text(encode_message(message))


def _forms(message: EngineMessage) -> tuple[Any, ...]:
    text = _text(message)
    return message, encode_message(message), text, text.encode()


def _refused(result: Result[Any, Any]) -> RequestValidationError:
    failure = result.failure()
    assert isinstance(failure, RequestValidationError)
    return failure
