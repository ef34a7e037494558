"""Several workers behind one socket, which share sessions through a server."""

import os
import signal
from contextlib import contextmanager
from functools import partial

import httpx
import pytest

from maelstrom.adapters.server import serve
from maelstrom.adapters.server.workers import run_workers
from maelstrom.effects.config_error import ConfigError
from tests.adapters.server.kit import engine, message
from tests.adapters.server.served import PATIENCE, served


@pytest.fixture(params=["redis_server", "postgres_server"])
def url(request):
    """Where the workers share their sessions."""
    return request.getfixturevalue(request.param).url


def test_a_session_goes_on_at_whichever_worker(url):
    """While one worker is held, the other goes on with the session, and forgets it."""
    options = {"workers": 2, "secret": "shared by the workers", "url": url}
    with served(**options) as server:
        here = f"http://{server.address}"
        headers = {"origin": here, "connection": "close"}  # each finds its own worker
        with httpx.Client(base_url=here, headers=headers, timeout=PATIENCE) as browser:
            first = turn(browser, server, "m-1")
            with stopped(first):
                second = turn(browser, server, "m-2")
            with stopped(second):
                assert seen(browser) == [("m-1", 1), ("m-2", 2)]
                assert turn(browser, server, "m-3") == first
                assert browser.delete("/v1/sessions/shared").status_code == 204
            with stopped(first):
                assert seen(browser) == []
        assert first != second
        with httpx.Client(base_url=here, timeout=PATIENCE) as other:
            assert seen(other) == []
        assert server.stop() == 0


def turn(browser, server, name):
    """Take a turn, and say which worker it was that took it."""
    answer = browser.post("/v1/messages", json=message("shared", name, "who"))
    assert answer.status_code == 200
    return int(server.line())


def seen(browser):
    """The turns of the session, by id and number."""
    history = browser.get("/v1/sessions/shared/history")
    return [(one["requestId"], one["seq"]) for one in history.json()["turns"]]


@contextmanager
def stopped(process):
    """Hold a worker still, so that another has to answer."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"workers": 2}, "secret"),
        ({"workers": 0}, "workers"),
        ({"port": 70_000}, "port"),
        ({"secret": b"short"}, "secret"),
        ({"secret": "a text, and no bytes"}, "secret"),
        ({"host": "0.0.0.0"}, "hosts"),
        ({"grace": -1}, "grace"),
        ({"per_minute": 0}, "per_minute"),
        ({"burst": "many"}, "burst"),
    ],
)
def test_options_are_checked_before_anything_is_bound(options, field):
    """A ConfigError names the option."""
    with pytest.raises(ConfigError) as raised:
        serve(lambda _: engine(), **{"port": 0, **options})

    assert raised.value.field == field


def test_a_worker_that_cannot_start_ends_them_all():
    """Starting it again and again would help nobody."""
    with pytest.raises(ChildProcessError, match="ended at its start"):
        run_workers(2, ending, lambda: pytest.fail("nothing is ready"))


def ending(ready):
    """A worker that does not live."""
    raise SystemExit(7)


def test_it_is_ready_once_when_every_worker_is(tmp_path):
    """Nobody is sent to a server that may still fail to start."""
    ready = []

    def stop():
        ready.append(sorted(each.name for each in tmp_path.iterdir()))
        os.kill(os.getpid(), signal.SIGTERM)

    run_workers(2, partial(waiting, tmp_path), stop)

    assert [len(names) for names in ready] == [2]


def waiting(folder, ready):
    """A worker that leaves a file, is ready, and waits for its end."""
    (folder / str(os.getpid())).touch()
    ready()
    signal.pause()
