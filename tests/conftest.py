"""Test-wide rules: hypothesis profiles, Ctrl-C, and no socket but to loopback."""

import os
import signal
import sys

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile(
    "ci",
    max_examples=120,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("quick", settings.get_profile("ci"), max_examples=20)
settings.register_profile(
    "deep",
    max_examples=1_000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
_PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev")
settings.load_profile(_PROFILE)

_LAW_EXAMPLES = 10_000
"""What a law must survive under the profile `deep`; other properties get 1,000."""

# A shell that starts the tests in the background has them, and the programs that they
# start, ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

_LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the laws their examples under the profile `deep`."""
    if _PROFILE != "deep":
        return
    deeper = settings(max_examples=_LAW_EXAMPLES)
    for item in items:
        if item.get_closest_marker("law") is None:
            continue
        machine = getattr(item, "cls", None)
        if machine is not None and hasattr(machine, "settings"):
            machine.settings = settings(machine.settings, max_examples=_LAW_EXAMPLES)
        elif hasattr(item.obj, "hypothesis"):
            deeper(getattr(item.obj, "__func__", item.obj))


def _refuse_outside(event: str, args: tuple[object, ...]) -> None:
    if event == "socket.connect":
        address = args[1]
    elif event == "socket.getaddrinfo":
        address = (args[0],)
    else:
        return
    if not isinstance(address, tuple):  # a Unix socket
        return
    host = address[0]
    host = host.decode() if isinstance(host, bytes) else host
    if host is not None and not str(host).startswith(_LOOPBACK):
        message = f"tests talk to loopback alone, not to {host!r}"
        raise RuntimeError(message)


sys.addaudithook(_refuse_outside)
