"""What an import loads: no vendor's library before the adapter of it is built."""

import subprocess
import sys
import tomllib

from tests.architecture.sources import ROOT

_CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"][
    "importlinter"
]["contracts"]
VENDORS = next(one["forbidden_modules"] for one in _CONTRACTS if one["id"] == "vendors")


def _loaded(modules, wanted):
    """Which of some modules an interpreter holds after it imported others."""
    lines = [f"import {module}" for module in modules]
    script = "\n".join(
        [
            f"import sys; sys.path[:0] = {sys.path!r}",
            *lines,
            f"print(*sorted(set({wanted!r}) & set(sys.modules)))",
        ]
    )
    command = [sys.executable, "-c", script]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return ran.stdout.split()


def test_vendors_wait_until_an_adapter_is_built():
    """Importing the library and its adapters loads none, but for server and drawing."""
    found = (ROOT / "adapters/maelstrom/adapters").glob("*.py")
    adapters = sorted(
        f"maelstrom.adapters.{path.stem}" for path in found if path.stem != "draw"
    )
    assert "maelstrom.adapters.openai" in adapters
    assert _loaded(["maelstrom.effects", *adapters], VENDORS) == []


def test_an_engine_waits_for_what_few_messages_need():
    """Zones, the validator of parameters, command lines: none is loaded with it."""
    rare = ["zoneinfo", "jsonschema_rs", "argparse", "sqlite3", "hypothesis", "pytest"]
    assert _loaded(["maelstrom.effects"], rare) == []
