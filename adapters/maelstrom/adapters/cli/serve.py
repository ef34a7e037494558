"""`maelstrom serve`: an engine on HTTP, with the playground."""

import argparse
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from maelstrom.adapters.cli.exits import PROVIDER, USAGE, WELL, AtFaultError
from maelstrom.adapters.cli.logs import log_to_stderr
from maelstrom.adapters.cli.planners import PLANNERS
from maelstrom.adapters.cli.stores import (
    data_file,
    is_shared,
    open_history,
    open_lock,
)
from maelstrom.adapters.cli.streams import say, say_error
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.create import create_engine
from maelstrom.effects.ports import ManagedEngine, Observer

__all__ = ["add_to"]

_DESCRIPTION: Final = (
    "Serve turns on HTTP until SIGTERM or Ctrl-C, which let the running ones finish. "
    "For an engine of your own there is maelstrom.adapters.server.serve."
)


def add_to(commands: Any) -> None:
    """Add the command to the parser's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "serve",
        help="an engine on HTTP, with the playground",
        description=_DESCRIPTION,
    )
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="the address to bind (%(default)s)")
    add("--port", type=int, default=8000, help="0 for a free one (%(default)s)")
    add("--planner", choices=tuple(PLANNERS), default="keyword", help="who plans")
    add("--model", help="the model that the planner asks")
    add(
        "--history",
        metavar="URL",
        help="a redis:// or postgresql:// URL, or a SQLite file; a file in your data "
        "folder by default",
    )
    add("--lock", metavar="URL", help="a redis:// or postgresql:// URL")
    add("--workers", type=int, default=1, help="processes (%(default)s)")
    add(
        "--secret-file",
        metavar="PATH",
        help="what signs the cookies, 16 bytes or more; required with several workers",
    )
    add(
        "--allow-host",
        action="append",
        default=[],
        metavar="HOST",
        help="a value of the Host header to serve, instead of the address's own",
    )
    add(
        "--trust-proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="a proxy whose X-Forwarded headers are believed",
    )
    add("--no-playground", action="store_true", help="serve the API alone")
    parser.set_defaults(run=_run)


def _run(chosen: argparse.Namespace) -> int:
    try:
        from maelstrom.adapters.server import serve

        _serve(chosen, serve)
    except (ConfigError, ImportError) as error:
        raise AtFaultError(str(error), USAGE) from None
    except ChildProcessError as error:
        return say_error(str(error), PROVIDER)
    except OSError as error:
        where = f"{chosen.host}:{chosen.port}"
        raise AtFaultError(f"{where}: {error.strerror or error}", USAGE) from None
    return WELL


def _serve(chosen: argparse.Namespace, serve: Callable[..., None]) -> None:
    shared = is_shared(chosen.history) and is_shared(chosen.lock)
    if chosen.workers > 1 and not shared:
        words = "several workers share sessions through --history and --lock URLs"
        raise AtFaultError(words, USAGE)
    if chosen.workers > 1 and chosen.secret_file is None:
        words = "several workers must share a secret: --secret-file"
        raise AtFaultError(words, USAGE)
    if chosen.lock is not None and not is_shared(chosen.lock):
        raise AtFaultError("--lock is a redis:// or postgresql:// URL", USAGE)
    history = chosen.history or os.fspath(data_file("server.sqlite3"))
    build = partial(_build, chosen.planner, chosen.model, history, chosen.lock)
    serve(
        build,
        host=chosen.host,
        port=chosen.port,
        workers=chosen.workers,
        secret=_secret(chosen.secret_file),
        hosts=tuple(chosen.allow_host),
        proxies=tuple(chosen.trust_proxy),
        playground=not chosen.no_playground,
        started=lambda url: say(f"Maelstrom serves at {url}"),
    )


def _build(
    planner: str,
    model: str | None,
    history: str,
    lock: str | None,
    on_turn: Observer | None,
) -> ManagedEngine:
    """A worker's engine; what its turns fail of is told on stderr."""
    from maelstrom.adapters.server.serve import MAX_CONCURRENT_TURNS

    engine = create_engine(
        planner=PLANNERS[planner](model),
        history=open_history(history),
        lock=open_lock(lock),
        max_concurrent_turns=MAX_CONCURRENT_TURNS,
        on_turn=on_turn,
    )
    log_to_stderr()
    return engine


def _secret(path: str | None) -> bytes:
    """The named file's content; else the user's own, made where there is none.

    A secret that outlives the server lets its visitors find their charts again.
    """
    if path is not None:
        try:
            return Path(path).read_bytes().strip()
        except OSError as error:
            raise AtFaultError(f"{path}: {error.strerror}", USAGE) from None
    own = data_file("server.secret")
    try:
        made = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return own.read_bytes()
    with os.fdopen(made, "wb") as file:
        file.write(os.urandom(32))
    return own.read_bytes()
