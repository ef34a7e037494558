"""Several workers behind one socket, which share sessions through Redis."""

import httpx
import pytest

from maelstrom.adapters.server import serve
from maelstrom.adapters.server.workers import run_workers
from maelstrom.effects.config_error import ConfigError
from tests.adapters.server.kit import engine, message
from tests.adapters.server.served import PATIENCE, served


def test_a_session_goes_on_at_whichever_worker(redis_server):
    """Turns over fresh connections meet both workers, and make one history."""
    options = {"workers": 2, "secret": "shared by the workers", "url": redis_server.url}
    with served(**options) as server:
        here = f"http://{server.address}"
        with httpx.Client(
            base_url=here, headers={"origin": here}, timeout=PATIENCE
        ) as browser:
            for n in range(12):
                answer = browser.post(
                    "/v1/messages",
                    json=message("shared", f"m-{n}"),
                    headers={"connection": "close"},
                )
                assert answer.status_code == 200
            turns = browser.get("/v1/sessions/shared/history").json()["turns"]
            assert [turn["requestId"] for turn in turns] == [
                f"m-{n}" for n in range(12)
            ]
            assert [turn["seq"] for turn in turns] == list(range(1, 13))
        with httpx.Client(base_url=here) as other:
            assert other.get("/v1/sessions/shared/history").json() == {"turns": []}
        assert server.stop() == 0


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"workers": 2}, "secret"),
        ({"workers": 0}, "workers"),
        ({"port": 70_000}, "port"),
        ({"secret": b"short"}, "secret"),
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
        run_workers(2, ending)


def ending(ready):
    """A worker that does not live."""
    raise SystemExit(7)
