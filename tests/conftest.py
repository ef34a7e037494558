"""Test-wide rules: hypothesis profiles, and no socket but to loopback."""

import os
import sys

from hypothesis import HealthCheck, settings

settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile(
    "ci",
    max_examples=200,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "deep",
    max_examples=1_000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev")
)

_LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")


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
