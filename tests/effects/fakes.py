"""What the tests of planners are made of: a context, an adapter with scripted replies."""

import asyncio

from attrs import define, field
from returns.result import Success

from maelstrom.adapters.testing.clock import ManualClock
from maelstrom.core.completion import Completion
from maelstrom.effects.ports import TurnContext


@define
class Recorder:
    """A logger and an instrument that keep what they are told."""

    logged: list = field(factory=list)
    events: list = field(factory=list)
    wrapped: list = field(factory=list)

    def debug(self, message, *, extra):
        self.logged.append(("debug", message, extra))

    def info(self, message, *, extra):
        self.logged.append(("info", message, extra))

    def warning(self, message, *, extra):
        self.logged.append(("warning", message, extra))

    def error(self, message, *, extra):
        self.logged.append(("error", message, extra))

    def event(self, name, attributes):
        self.events.append((name, attributes))

    def stage(self, name, stage):
        self.wrapped.append(name)
        return stage


@define
class FakeAdapter:
    """An adapter that gives its replies in turn, and keeps what it was asked."""

    replies: list = field(factory=list)
    options: frozenset = frozenset({"temperature", "max_tokens"})
    provider: str = "fake"
    model: str = "fake-1"
    asked: list = field(factory=list)
    closed: int = 0

    async def complete(self, prompt, schema, options, timeout):  # noqa: ASYNC109  the port's
        self.asked.append((prompt, schema, options, timeout))
        reply = self.replies.pop(0)
        if reply is None:
            await asyncio.Event().wait()
        if isinstance(reply, BaseException):
            raise reply
        if isinstance(reply, str):
            return Success(Completion(reply, "fake-1-001"))
        return reply

    async def aclose(self):
        self.closed += 1


def context(clock=None, *, recorder=None, calls=None, deadline=None, log_content=False):
    """One turn's context; it records calls in `calls`."""
    recorder = recorder or Recorder()
    return TurnContext(
        "session",
        "message",
        recorder,
        recorder,
        clock or ManualClock(auto=True),
        lambda: "id",
        (calls if calls is not None else []).append,
        deadline,
        log_content,
    )
