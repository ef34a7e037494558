"""An engine for synchronous code: scripts, sync views, threads.

Theory: an engine lives on one event loop. A `SyncEngine` gives it one, in a thread of
its own that starts with the first call, and every call waits there for its result. So
any number of threads may use one `SyncEngine`; the engine sees tasks of one loop.

Warts. A thread does not survive a fork: where workers are forked from a loaded parent,
make the first call in the worker. What was given as a planner or a store must not have
been used on another loop before.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import CancelledError, Future
from inspect import iscoroutine
from types import TracebackType
from typing import Any, Self, TypeVar

from returns.result import Failure, Result

from maelstrom.core.errors import (
    AbortedError,
    EngineError,
    HistoryError,
    InternalError,
)
from maelstrom.core.history import Turn
from maelstrom.core.messages import EngineMessage, EngineOutput
from maelstrom.effects.engine_check import check_engine
from maelstrom.effects.ports import ManagedEngine

__all__ = ["SyncEngine", "UnavailableError"]

T = TypeVar("T")


class SyncEngine:
    """A `ManagedEngine`, called from threads; errors are values here as well.

    Args:
        engine: What `create_engine` gave; it is closed with this.

    Raises:
        ConfigError: ``engine`` is none.

    >>> from maelstrom.effects import create_engine, keyword_planner
    >>> with SyncEngine(create_engine(planner=keyword_planner())) as engine:
    ...     engine.handle("{").failure().issues[0].code
    'malformed_json'
    """

    def __init__(self, engine: ManagedEngine) -> None:
        check_engine(engine, "aclose")
        self._engine = engine
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._closed = False

    def handle(
        self,
        message: EngineMessage | Mapping[str, Any] | bytes | str,
        timeout: float | None = None,
    ) -> Result[EngineOutput, EngineError]:
        """Answer one message; `timeout` is in seconds, for the whole turn."""
        try:
            return self.run(lambda: self._engine.handle(message, None, timeout))
        except UnavailableError as error:
            return Failure(error.error)

    def get_history(
        self, session_id: str, limit: int = 50
    ) -> Result[tuple[Turn, ...], HistoryError]:
        """The session's newest turns, oldest first."""
        try:
            return self.run(lambda: self._engine.get_history(session_id, limit))
        except UnavailableError as error:
            words = error.error.message
            return Failure(HistoryError("unavailable", "get_history", words))

    def delete_session(self, session_id: str) -> Result[None, EngineError]:
        """Forget a session, once no turn of it runs."""
        try:
            return self.run(lambda: self._engine.delete_session(session_id))
        except UnavailableError as error:
            return Failure(error.error)

    def run(self, call: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run something async on the engine's loop, and wait for its result.

        What a `Conversation` needs in synchronous code:
        ``engine.run(lambda: conversation.say("my calendar"))``, where the conversation
        was made with the engine that this one was given.

        Raises:
            UnavailableError: After `close`, or from within the loop itself.
            TypeError: ``call`` is no function.
        """
        _check_function(call)
        future = self._submit(call)
        try:
            return future.result()
        except CancelledError as error:
            raise UnavailableError(_closed()) from error
        except BaseException:
            future.cancel()  # KeyboardInterrupt here ends the turn there
            raise

    def close(self, grace: float = 0) -> None:
        """Refuse new calls, let turns finish for `grace` seconds, close the engine.

        Turns that still run end in AbortedError(shutdown). Calling it again waits
        until it is done, and does nothing.

        Raises:
            UnavailableError: From within the engine's own loop.
        """
        with self._guard:
            thread, loop, stop = self._started()
            if thread is threading.current_thread():
                raise UnavailableError(_own_loop())
            first, self._closed = not self._closed, True
        try:
            if first:
                closing = self._engine.aclose(grace)
                asyncio.run_coroutine_threadsafe(closing, loop).result()
        finally:
            if first:
                loop.call_soon_threadsafe(stop.set)
            thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _submit(self, call: Callable[[], Coroutine[Any, Any, T]]) -> "Future[T]":
        with self._guard:
            if self._closed:
                raise UnavailableError(_closed())
            thread, loop, _ = self._started()
            if thread is threading.current_thread():
                raise UnavailableError(_own_loop())
            return asyncio.run_coroutine_threadsafe(call(), loop)

    def _started(
        self,
    ) -> tuple[threading.Thread, asyncio.AbstractEventLoop, asyncio.Event]:
        if self._thread is None or self._loop is None or self._stop is None:
            ready = threading.Event()
            self._thread = threading.Thread(
                target=lambda: asyncio.run(self._live(ready)),
                name="maelstrom-engine",
                daemon=True,
            )
            self._thread.start()
            ready.wait()
        assert self._loop is not None
        assert self._stop is not None
        return self._thread, self._loop, self._stop

    async def _live(self, ready: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        ready.set()
        await self._stop.wait()


class UnavailableError(RuntimeError):
    """A call that `SyncEngine` could not make; ``error`` is the value that says why."""

    def __init__(self, error: AbortedError | InternalError) -> None:
        super().__init__(error.message)
        self.error = error


def _check_function(call: object) -> None:
    if callable(call):
        return
    if iscoroutine(call):
        call.close()  # or Python warns that nobody awaited it
    raise TypeError("run takes a function: run(lambda: conversation.say(...))")


def _closed() -> AbortedError:
    return AbortedError("shutdown", "the engine is closed")


def _own_loop() -> InternalError:
    words = "called from the engine's own loop: await the engine itself"
    return InternalError("loop", words)
