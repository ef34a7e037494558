"""The stores and locks that a command can be told to use, by URL or path."""

import os
from pathlib import Path
from typing import Final

from maelstrom.adapters.cli.exits import USAGE, AtFaultError
from maelstrom.adapters.cli.extras import needs_cli
from maelstrom.effects.ports import HistoryStore, SessionLock

__all__ = ["data_file", "is_shared", "open_history", "open_lock"]

_REDIS: Final = ("redis://", "rediss://", "unix://")
_POSTGRES: Final = ("postgresql://", "postgres://")
_OWN_ONLY: Final = 0o700
"""What users said is theirs."""


def is_shared(name: str | None) -> bool:
    """Whether it names a server, which several processes can share."""
    return name is not None and name.startswith((*_REDIS, *_POSTGRES))


def data_file(name: str) -> Path:
    """A file in the user's data folder, which is made where it is missing."""
    with needs_cli("your data folder"):
        from platformdirs import user_data_path

    folder = user_data_path("maelstrom", appauthor=False)
    folder.mkdir(mode=_OWN_ONLY, parents=True, exist_ok=True)
    return folder / name


def open_history(name: str | os.PathLike[str]) -> HistoryStore:
    """The store of a `redis://` or `postgresql://` URL, or a SQLite file.

    Raises:
        AtFaultError: The file's folder is not there.
    """
    text = os.fspath(name)
    if text.startswith(_REDIS):
        from maelstrom.adapters.history_redis import RedisHistory

        return RedisHistory(text)
    if text.startswith(_POSTGRES):
        from maelstrom.adapters.history_postgres import PostgresHistory

        return PostgresHistory(text)
    from maelstrom.adapters.history_sqlite import SqliteHistory

    if not Path(text).absolute().parent.is_dir():
        raise AtFaultError(f"--history {text}: its folder is not there", USAGE)
    return SqliteHistory(text)


def open_lock(url: str | None) -> SessionLock | None:
    """The lock of a URL; None for the engine's own, within one process."""
    if url is None:
        return None
    if url.startswith(_POSTGRES):
        from maelstrom.adapters.lock_postgres import PostgresLock

        return PostgresLock(url)
    from maelstrom.adapters.lock_redis import RedisLock

    return RedisLock(url)
