"""The demo's conversation: the client's half of every turn, on a terminal.

Theory: whatever happens is an event in one queue: a line typed, the terminal resized,
the end of input. A line becomes an intent, a resize goes through the `ChartSizer`, and
both go out through the `Outbox`, one turn at a time. The chart is drawn after each turn
as `apply` left it.
"""

import logging
from typing import Final

from returns.pipeline import is_successful
from returns.result import Result
from rich.console import Console
from rich.text import Text

from maelstrom.adapters.cli.drawing import CELL, Screen, draw_chart
from maelstrom.adapters.cli.exits import PROVIDER, WELL, AtFaultError
from maelstrom.adapters.cli.terminal import RESIZED, Terminal
from maelstrom.adapters.demo import VESSELS, demo_chart
from maelstrom.adapters.history_memory import MemoryHistory
from maelstrom.core.chart_sizer import ChartSizer
from maelstrom.core.chart_state import state_from
from maelstrom.core.client import Effect, apply
from maelstrom.core.errors import EngineError
from maelstrom.core.layout import LayoutMode
from maelstrom.core.messages import EngineMessage, EngineOutput
from maelstrom.core.outbox import Outbox
from maelstrom.core.request import ChartResize, UserIntent
from maelstrom.core.response import MaelstromResponse
from maelstrom.effects.clock import SystemClock
from maelstrom.effects.create import create_engine
from maelstrom.effects.ids import random_id
from maelstrom.effects.ports import HistoryStore, Planner

__all__ = ["Chat", "converse"]

_SESSION: Final = "demo"
_REMEMBERED: Final = 4
"""Calls that an instance shows of those that it was given: what fits in a panel."""

_PROMPT: Final = "> "

_HINT: Final = (
    'Try "show my calendar and the weather", "add a task: buy milk", '
    '"only the notes", /tiling, /quit.'
)


class Chat:
    """One conversation: chart, outbox, engine and terminal.

    Args:
        planner: Plans the turns.
        mode: The layout mode to start in; the last chat's, or grid, where None.
        history: A file to keep the chat in; None for memory.
        resumes: Whether to go on with the chat in that file, which is else forgotten.
        slow: Whether a turn may take seconds: then a terminal shows that it does.
    """

    def __init__(
        self,
        planner: Planner,
        mode: LayoutMode | None = None,
        history: str | None = None,
        *,
        resumes: bool = False,
        slow: bool = False,
    ) -> None:
        self.slow = slow
        quiet = logging.getLogger("maelstrom")
        quiet.addHandler(logging.NullHandler())  # the chat says what went wrong
        self.engine = create_engine(planner=planner, history=_history(history))
        self.history = history
        self.resumes = resumes
        self.console = Console(highlight=False, soft_wrap=True)
        self.sizer = ChartSizer(*CELL)
        self.clock = SystemClock()
        self.mode: LayoutMode | None = mode
        self.state = demo_chart(mode or "grid")
        self.outbox = Outbox()
        self.told: dict[str, tuple[str, ...]] = {}
        self.turns = 0

    async def begin(self) -> None:
        """Go on where the history ends, or forget it; on a chart of the terminal's size."""
        if self.resumes:
            await self._restore()
        else:
            forgotten = await self.engine.delete_session(_SESSION)
            if not is_successful(forgotten):
                raise self._lost(forgotten.failure())
        self.resize()

    async def _restore(self) -> None:
        turns = await self.engine.get_history(_SESSION, 1)
        if not is_successful(turns):
            raise self._lost(turns.failure())
        if last := turns.unwrap():
            self.state = state_from(last[-1], VESSELS)
            if self.mode is not None:
                self.state = self.state.in_mode(self.mode)

    def _lost(self, error: EngineError) -> AtFaultError:
        return AtFaultError(f"{self.history}: {error.message}", PROVIDER)

    def greet(self) -> None:
        """Show where the last chat ended, and what can be said."""
        if self.state.instances:
            draw_chart(self.console, self.state, self.contents())
        self.console.print(Text(_HINT, "dim"))

    def resize(self) -> float | None:
        """Measure the terminal; seconds until it is to be measured again, if at all."""
        if not self.console.is_terminal:
            return None
        now = self.clock.now()
        screen = Screen.of(self.console)
        self.sizer, change = self.sizer.measure(screen.width, screen.chart_height, now)
        size = self.sizer.dimensions
        if change is not None and size is not None and size != self.state.dimensions:
            before = self.state.dimensions
            self.state = self.state.resized(size)
            if self.state.instances:
                self.outbox = self.outbox.add(ChartResize(before))
        return None if self.sizer.due is None else (self.sizer.due - now) / 1000

    def say(self, line: str) -> bool:
        """Take a typed line; whether the chat goes on."""
        match line.strip():
            case "":
                pass
            case "/quit" | "/exit":
                return False
            case "/grid" | "/tiling" as command:
                mode: LayoutMode = "grid" if command == "/grid" else "tiling"
                self.state = self.state.in_mode(mode)
                self.outbox = self.outbox.add(ChartResize())
            case intent:
                self.outbox = self.outbox.add(UserIntent(intent))
        return True

    async def flush(self) -> int:
        """Run the turns that are due, one after the other; the exit code of the last."""
        code = WELL
        while True:
            message_id = random_id()
            self.outbox, request = self.outbox.send(message_id, self.state)
            if request is None:
                return code
            message = EngineMessage(_SESSION, message_id, self.clock.now(), request)
            self.turns += 1
            result = await self._handled(message)
            if is_successful(result):
                self.take(result.unwrap().payload)
                code = WELL
            else:
                self.outbox = self.outbox.fail(message_id)
                error = result.failure()
                self.console.print(Text(f"{error.message}", "red"))
                code = PROVIDER

    async def _handled(
        self, message: EngineMessage
    ) -> Result[EngineOutput, EngineError]:
        """What the engine makes of a message; where slow, the terminal says so."""
        if not (self.slow and self.console.is_terminal):
            return await self.engine.handle(message)
        with self.console.status("thinking"):
            return await self.engine.handle(message)

    def take(self, response: MaelstromResponse) -> None:
        """Apply a response, draw the chart, say what the engine says."""
        self.outbox, request = self.outbox.receive(response.request_id)
        if request is None:
            return
        applied = apply(self.state, request, response)
        self.state = applied.state
        for effect in applied.effects:
            self.run(effect)
        draw_chart(self.console, self.state, self.contents())
        self.console.print(Text(response.user_message, "bold"))

    def run(self, effect: Effect) -> None:
        """What the example app does with a call: it shows it."""
        values = ", ".join(str(value) for value in (effect.params or {}).values())
        if values:
            told = (
                *self.told.get(effect.instance_id, ()),
                f"{effect.action}: {values}",
            )
            self.told[effect.instance_id] = told[-_REMEMBERED:]

    def contents(self) -> dict[str, tuple[str, ...]]:
        """What each instance shows: its variant, and what it was told."""
        descriptions = {
            (vessel.id, variant.id): variant.description
            for vessel in self.state.vessels
            for variant in vessel.variants
        }
        return {
            one.instance_id: (
                one.variant,
                descriptions.get((one.vessel_id, one.variant), ""),
                *self.told.get(one.instance_id, ()),
            )
            for one in self.state.instances
        }


async def converse(chat: Chat, intent: str | None, *, interactive: bool) -> int:
    """Hold a conversation until it ends; its exit code.

    Args:
        chat: The conversation.
        intent: What is said first; where nobody types, it is all that is said.
        interactive: Whether somebody types: then there is a prompt, and a resized
            terminal is a turn of its own.
    """
    try:
        await chat.begin()
        code = WELL
        if intent is not None:
            chat.say(intent)
            code = await chat.flush()
            if not interactive:
                return code
        elif interactive:
            chat.greet()
        code = max(code, await _listen(chat, interactive=interactive))
        return WELL if interactive else code
    finally:
        await chat.engine.aclose()


async def _listen(chat: Chat, *, interactive: bool) -> int:
    """Take what happens at the terminal until it ends; the last turn's exit code."""
    code = WELL
    with Terminal(watched=interactive) as terminal:
        prompted = False
        while True:
            if interactive and not prompted:
                chat.console.print(Text(_PROMPT, "bold"), end="")
            event = await terminal.next()
            if event is RESIZED:
                again = chat.resize()
                if again is not None:
                    terminal.look_again(again)
            elif event is None or not chat.say(event):
                return code
            turns = chat.turns
            code = await chat.flush()
            prompted = event is RESIZED and chat.turns == turns


def _history(path: str | None) -> HistoryStore:
    if path is None:
        return MemoryHistory()
    from maelstrom.adapters.history_sqlite import SqliteHistory

    return SqliteHistory(path)
