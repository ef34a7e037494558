"""The seams of the engine: what it needs from outside, as Protocols.

A port, its adapters and its fake share a word. Everything that is not decided by the
core alone comes through one of these: time, ids, models, history, locks, telemetry.
Implementations return errors as values; what they raise all the same ends the turn in
InternalError, and never crosses the boundary of the engine.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, TypeAlias, runtime_checkable

from attrs import frozen
from returns.result import Result

from maelstrom.core.candidate import Candidate
from maelstrom.core.completion import Completion, ModelCall, ModelOptions
from maelstrom.core.diagnostics import Diagnostics
from maelstrom.core.errors import EngineError, HistoryError, ProviderError
from maelstrom.core.history import Loaded, Turn
from maelstrom.core.json_value import Json
from maelstrom.core.messages import EngineMessage, EngineOutput
from maelstrom.core.plan_input import PlanInput
from maelstrom.core.prompt import Prompt

__all__ = [
    "Attributes",
    "Clock",
    "Engine",
    "HistoryStore",
    "Ids",
    "Instrument",
    "Lease",
    "Logger",
    "ManagedEngine",
    "ModelAdapter",
    "Observer",
    "Planner",
    "Resource",
    "SessionLock",
    "Signal",
    "Stage",
    "TurnContext",
]

Attributes: TypeAlias = Mapping[str, str | int | float | bool | tuple[str, ...]]
"""A flat bag of telemetry attributes, keyed by OpenTelemetry names where they apply."""


class Clock(Protocol):
    """Time. Tests hand in one whose time they move themselves."""

    def now(self) -> int:
        """Milliseconds since the Unix epoch."""
        ...

    def monotonic(self) -> float:
        """Seconds from an arbitrary start; never goes back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait that long."""
        ...

    def timeout(self, seconds: float | None) -> AbstractAsyncContextManager[object]:
        """Raise TimeoutError out of the block once that long has passed."""
        ...


class Ids(Protocol):
    """Fresh identifiers."""

    def __call__(self) -> str:
        """An id that nothing else bears."""
        ...


class Logger(Protocol):
    """Anything with these four, sync or async: the standard library's fits."""

    def debug(self, message: str, /, *, extra: Mapping[str, object]) -> object:
        """For a developer who looks closely."""
        ...

    def info(self, message: str, /, *, extra: Mapping[str, object]) -> object:
        """What happened as it should."""
        ...

    def warning(self, message: str, /, *, extra: Mapping[str, object]) -> object:
        """What went on with something missing."""
        ...

    def error(self, message: str, /, *, extra: Mapping[str, object]) -> object:
        """What somebody should look at."""
        ...


Stage: TypeAlias = Callable[[Any, "TurnContext"], Awaitable[Result[Any, EngineError]]]
"""One step of a pipeline: `async (value, TurnContext) -> Result`."""


class Instrument(Protocol):
    """The telemetry seam, sync or async."""

    def stage(self, name: str, stage: Stage) -> Stage:
        """Wrap a stage of a pipeline; called once a turn."""
        ...

    def event(self, name: str, attributes: Attributes) -> object:
        """Something happened."""
        ...


@frozen
class TurnContext:
    """What a planner may use while it plans one turn.

    ``deadline`` is on the clock's monotonic scale, in seconds, None where there is
    none. ``record`` takes each `ModelCall` for the diagnostics.
    """

    session_id: str
    message_id: str
    logger: Logger
    instrument: Instrument
    clock: Clock
    ids: Ids
    record: Callable[[ModelCall], None]
    deadline: float | None = None
    log_content: bool = False


Planner: TypeAlias = Callable[
    [PlanInput, TurnContext], Awaitable[Result[Candidate, EngineError]]
]
"""`async (PlanInput, TurnContext) -> Result[Candidate, EngineError]`.

A planner that holds resources may also have `async aclose()`.
"""


@runtime_checkable
class ModelAdapter(Protocol):
    """One provider of models: one request on the wire per call.

    `ModelAdapterContract` in `maelstrom.adapters.testing` tests one.
    """

    @property
    def provider(self) -> str:
        """The provider's name, as OpenTelemetry's `gen_ai.provider.name` has it."""
        ...

    @property
    def model(self) -> str:
        """The model asked for."""
        ...

    @property
    def options(self) -> frozenset[str]:
        """The names of the `ModelOptions` that this adapter can send."""
        ...

    async def complete(
        self,
        prompt: Prompt,
        schema: Json,
        options: ModelOptions,
        timeout: float | None,  # noqa: ASYNC109  the provider is told, the clock enforces
    ) -> Result[Completion, ProviderError]:
        """Ask once; `schema` is the JSON Schema of the answer, `timeout` in seconds.

        Whatever goes wrong is returned, and nothing raised but CancelledError; after
        `aclose` it is an error that is not retryable.
        """
        ...

    async def aclose(self) -> None:
        """Close what is open; calling it again does nothing."""
        ...


class HistoryStore(Protocol):
    """Recorded turns by session.

    `HistoryContract` in `maelstrom.adapters.testing` tests one.
    """

    async def load(self, session_id: str, limit: int) -> Result[Loaded, HistoryError]:
        """The newest `limit` turns, oldest first, and the last sequence number."""
        ...

    async def find(
        self, session_id: str, request_id: str
    ) -> Result[Turn | None, HistoryError]:
        """The turn that answered this message, if it is still held."""
        ...

    async def append(
        self, session_id: str, turn: Turn, expected_seq: int
    ) -> Result[None, HistoryError]:
        """Record, if the session's sequence number is still `expected_seq`.

        Otherwise HistoryError(conflict), with nothing written; but the same turn found
        at `expected_seq + 1` is success, so trying again is safe.
        """
        ...

    async def delete(self, session_id: str) -> Result[None, HistoryError]:
        """Forget the session, its sequence number included."""
        ...

    async def aclose(self) -> None:
        """Close what is open; calling it again does nothing."""
        ...


@runtime_checkable
class Resource(Protocol):
    """What holds something open: stores, locks, adapters, some planners."""

    async def aclose(self) -> None:
        """Close what is open; calling it again does nothing."""


class Lease(Protocol):
    """A session lock while it is held."""

    def lost(self) -> bool:
        """Whether another process may hold the session by now."""
        ...


class SessionLock(Protocol):
    """One turn at a time per session, first come first served."""

    def hold(self, session_id: str) -> AbstractAsyncContextManager[Lease]:
        """Wait until the session is free, hold it for the block.

        A wait that is cancelled leaves nothing behind. It is the engine that bounds
        the wait, so an implementation whose server is away goes on trying.
        """
        ...

    async def aclose(self) -> None:
        """Close what is open; calling it again does nothing."""
        ...


class Signal(Protocol):
    """The caller's wish to stop: `asyncio.Event` fits."""

    def is_set(self) -> bool:
        """Whether to stop."""
        ...

    async def wait(self) -> object:
        """Return once it is set."""
        ...


Observer: TypeAlias = Callable[[Diagnostics], object]
"""Takes the diagnostics of each finished turn, sync or async."""


class Engine(Protocol):
    """The durable contract. Whoever implements it, a public contract suite tests it."""

    async def handle(
        self,
        message: EngineMessage | Mapping[str, Any] | bytes | str,
        signal: Signal | None = None,
        timeout: float | None = None,  # noqa: ASYNC109  bounds the turn, lock included
    ) -> Result[EngineOutput, EngineError]:
        """Answer one message. Never raises, but for CancelledError."""
        ...

    async def get_history(
        self, session_id: str, limit: int = 50
    ) -> Result[tuple[Turn, ...], HistoryError]:
        """The session's newest turns, oldest first."""
        ...


class ManagedEngine(Engine, Protocol):
    """An engine with a life: what `create_engine` returns."""

    async def delete_session(self, session_id: str) -> Result[None, EngineError]:
        """Forget a session, under its lock."""
        ...

    async def ready(self) -> bool:
        """Whether a turn could run now."""
        ...

    async def aclose(self, grace: float = 0) -> None:
        """Refuse new turns, let running ones finish for `grace` seconds, close."""
        ...
