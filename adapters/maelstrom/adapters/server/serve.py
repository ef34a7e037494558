"""Serving an engine on a socket: `serve`, which `maelstrom serve` calls.

Theory: the parent checks the options and binds the socket; then it serves, or has
workers do so. A worker builds its own engine, and closes it: SIGTERM or Ctrl-C makes it
accept no more, the engine refuse new turns, and the running ones end within `grace`
seconds, by themselves or in `AbortedError(shutdown)`, whose answer is still sent. A
second Ctrl-C ends the grace: what runs is cut, and answered, at once.

Which hosts are served follows from the address: the loopback names with the port, or
the address that was bound. A server bound to all addresses cannot know its names.
"""

import asyncio
import multiprocessing
import signal
import socket
import threading
from collections.abc import Callable, Coroutine
from functools import partial
from types import FrameType
from typing import Any, Final, TypeAlias, cast

import uvicorn
from attrs import evolve, frozen

from maelstrom.adapters.server.app import create_app
from maelstrom.adapters.server.connection import bounded_connection
from maelstrom.adapters.server.cut import answered
from maelstrom.adapters.server.guards import is_loopback
from maelstrom.adapters.server.page import page_recorder
from maelstrom.adapters.server.settings import Authorize, Settings
from maelstrom.adapters.server.workers import Ready, run_workers
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.ports import ManagedEngine, Observer

__all__ = ["MAX_CONCURRENT_TURNS", "Build", "Serving", "serve"]

Build: TypeAlias = Callable[[Observer | None], ManagedEngine]
"""Makes a worker's engine; the observer, where there is one, is its `on_turn`."""

Close: TypeAlias = Callable[[float], Coroutine[Any, Any, None]]

MAX_CONCURRENT_TURNS: Final = 256
"""Of a worker: a turn mostly waits for a model, and holds a megabyte at the worst."""

_CONNECTIONS: Final = 768
"""Of a worker: three a turn that can run, within the 1,024 files of a usual process."""

_HEAD_SECONDS: Final = 10.0
_TAKE_SECONDS: Final = 60.0
"""A megabyte in a minute is slower than any line that a page is read over."""

_KEEP_ALIVE_SECONDS: Final = 15
_LAST_SECONDS: Final = 5
"""For the answers of the turns that the end of the grace ended."""

_CUT_SECONDS: Final = 1
"""For the same, where somebody pressed Ctrl-C a second time."""

_TICK_SECONDS: Final = 0.1
"""How soon a second Ctrl-C is seen."""

_HTTP_PORT: Final = 80
_MOST_PORT: Final = 65_535


@frozen(kw_only=True)
class Serving:
    """How to serve; see `serve`."""

    build: Build
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    secret: bytes | None = None
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    authorize: Authorize | None = None
    per_minute: float = 60
    burst: float = 20
    grace: float = 30
    connections: int = _CONNECTIONS
    head_timeout: float = _HEAD_SECONDS
    take_timeout: float = _TAKE_SECONDS
    body_timeout: float = 20
    playground: bool = False


def serve(
    build: Build,
    *,
    started: Callable[[str], object] | None = None,
    **options: Any,
) -> None:
    """Serve until SIGTERM or SIGINT, then drain.

    Args:
        build: Makes an engine, given its `on_turn` or None; called once a worker, and
            pickled where there are several.
        started: Is told the address, once every worker has its engine.
        **options: The fields of `Serving`: ``host`` and ``port`` (0 for a free one) to
            bind; ``workers``; ``secret`` as in `create_app`, required with several
            workers; ``hosts``, the values of the Host header that are served, required
            where the address is every one; ``proxies``, addresses whose
            X-Forwarded-For and -Proto are believed; ``authorize``, ``per_minute``,
            ``burst`` and ``body_timeout`` as in `create_app`; ``grace`` in seconds;
            ``connections``, the most of a worker; ``head_timeout``, seconds for the
            head of a request, and ``take_timeout`` for its answer to be taken;
            ``playground``.

    Raises:
        ConfigError: An option is missing or out of its range.
        OSError: The address cannot be bound.
        ChildProcessError: A worker could not start.
    """
    serving = _checked(Serving(build=build, **options))
    family = socket.AF_INET6 if ":" in serving.host else socket.AF_INET
    address = (serving.host, serving.port)
    with socket.create_server(address, family=family, backlog=2048) as bound:
        port = bound.getsockname()[1]
        serving = evolve(
            serving, port=port, hosts=serving.hosts or _hosts(serving, port)
        )
        work = partial(_work, serving, bound)
        ready = partial(started or _nobody, f"http://{serving.hosts[0]}")
        if serving.workers == 1:
            work(ready)
        else:
            run_workers(serving.workers, work, ready)


def _checked(serving: Serving) -> Serving:
    if not 0 <= serving.port <= _MOST_PORT:
        raise ConfigError("port", f"must be 0 to {_MOST_PORT}, not {serving.port}")
    if serving.workers < 1:
        raise ConfigError("workers", f"must be at least 1, not {serving.workers}")
    if serving.workers > 1 and serving.secret is None:
        raise ConfigError("secret", "several workers must share one")
    if serving.host in {"", "0.0.0.0", "::"} and not serving.hosts:  # noqa: S104  asked for
        raise ConfigError("hosts", f"name the hosts that {serving.host!r} is to serve")
    if serving.grace < 0:
        raise ConfigError("grace", f"must be at least 0, not {serving.grace}")
    Settings(
        secret=serving.secret,
        hosts=serving.hosts,
        per_minute=serving.per_minute,
        burst=serving.burst,
        body_timeout=serving.body_timeout,
    )
    return serving


def _hosts(serving: Serving, port: int) -> tuple[str, ...]:
    """The values of Host that name the address; browsers leave the port 80 out."""
    own = f"[{serving.host}]" if ":" in serving.host else serving.host
    others = ("localhost", "127.0.0.1", "[::1]") if is_loopback(own) else ()
    names = dict.fromkeys((own, *others))
    with_port = tuple(f"{name}:{port}" for name in names)
    return with_port if port != _HTTP_PORT else (*with_port, *names)


class _Server(uvicorn.Server):
    """uvicorn's, which closes the engine while it drains."""

    def __init__(self, config: uvicorn.Config, close: Close, grace: float) -> None:
        super().__init__(config)
        self._close = close
        self._grace = grace
        self._alone = multiprocessing.parent_process() is None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002  uvicorn's
        """Drain; a second Ctrl-C, which reaches workers by themselves too, cuts."""
        if self.should_exit and sig == signal.SIGINT and self._alone:
            self.force_exit = True
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting; end turns; send their answers."""
        closing = asyncio.create_task(self._close(self._grace))
        draining = asyncio.create_task(super().shutdown(sockets))
        # uvicorn waits for open connections since Python 3.12, also when it is forced.
        while not (draining.done() or self.force_exit):
            await asyncio.wait({draining}, timeout=_TICK_SECONDS)
        if self.force_exit:
            closing.cancel()
            await self._cut()
            await asyncio.wait({draining}, timeout=_CUT_SECONDS)
            draining.cancel()
        await asyncio.wait({closing, draining})
        if not draining.cancelled():
            draining.result()

    async def _cut(self) -> None:
        """End turns now; then requests that are none yet, such as half a body."""
        running = set(self.server_state.tasks)
        closing = asyncio.create_task(self._close(0))
        _, late = await asyncio.wait({closing, *running}, timeout=_CUT_SECONDS)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=_CUT_SECONDS)


def _nobody(_url: str) -> None:
    """Nobody asked to be told."""


def _work(serving: Serving, bound: socket.socket, ready: Ready) -> None:
    """Serve in this process until it is told to stop."""
    observer = _observer(serving)
    engine = serving.build(observer)
    app = create_app(
        engine,
        authorize=serving.authorize,
        secret=serving.secret,
        hosts=serving.hosts,
        per_minute=serving.per_minute,
        burst=serving.burst,
        body_timeout=serving.body_timeout,
        playground=serving.playground,
        diagnostics=observer,
    )
    config = uvicorn.Config(
        cast("Any", answered(app)),
        http=bounded_connection(
            serving.connections, serving.head_timeout, serving.take_timeout
        ),
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=bool(serving.proxies),
        forwarded_allow_ips=list(serving.proxies),
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=int(serving.grace) + _LAST_SECONDS,
    )
    server = _Server(config, engine.aclose, serving.grace)
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, server.handle_exit)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent, server), daemon=True).start()
    ready()
    server.run([bound])


def _follow(parent: Any, server: uvicorn.Server) -> None:
    """Stop where the parent is gone: nobody else would say so."""
    parent.join()
    server.should_exit = True


def _observer(serving: Serving) -> Observer | None:
    """What shows the playground each turn; on loopback, in one process, alone."""
    if not serving.playground or serving.workers > 1:
        return None
    if not all(is_loopback(host) for host in serving.hosts):
        return None
    return page_recorder()
