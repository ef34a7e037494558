"""The test kit as its users meet it: lazy names, a plugin, apps of their own."""

import ast
import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from returns.pipeline import is_successful

from maelstrom.adapters import testing
from maelstrom.adapters.demo import VESSELS
from maelstrom.adapters.testing.samples import sample_params
from maelstrom.core.schema_guard import check_params
from maelstrom.core.wire import decode_request, encode_request
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.registry import Registry

ROOT = Path(__file__).parents[3]
ROOTS = ":".join(str(ROOT / root) for root in ("core", "effects", "adapters"))

WITHOUT_HYPOTHESIS = """
import sys
sys.modules["hypothesis"] = None
sys.modules["pytest"] = None
from maelstrom.adapters.testing import (
    EngineContract, HistoryContract, LockContract, ManualClock, MemoryHistory,
    ModelAdapterContract, RecordingInstrument, RecordingLogger, RecordingObserver,
    assert_heal_laws, assert_unchanged, sample_message, scripted_adapter,
    scripted_planner,
)
try:
    from maelstrom.adapters.testing import requests
except ImportError as error:
    print("only strategies need it")
"""

PLUGIN_TEST = """
import asyncio
from maelstrom.adapters.testing import sample_message
from maelstrom.core import ProviderError

def test_an_outage(maelstrom_engine, maelstrom_observer, maelstrom_logger):
    engine = maelstrom_engine(ProviderError("overloaded", "test", "busy"))
    result = asyncio.run(engine.handle(sample_message("s")))
    assert result.failure().kind == "overloaded"
    assert len(maelstrom_observer.turns) == 1
    assert maelstrom_logger.records

def test_words(maelstrom_engine, maelstrom_clock, maelstrom_history, maelstrom_instrument):
    async def scenario():
        engine = maelstrom_engine(turn_timeout=5)
        output = (await engine.handle(sample_message("s"))).unwrap()
        assert output.timestamp == maelstrom_clock.now()
        assert len((await maelstrom_history.load("s", 5)).unwrap().turns) == 1
    asyncio.run(scenario())
    assert maelstrom_instrument.names
"""


def test_every_public_name_is_there():
    """What `__all__` lists is loaded, and what it does not is an AttributeError."""
    for name in testing.__all__:
        assert getattr(testing, name).__name__ == name
    assert dir(testing) == testing.__all__
    with pytest.raises(AttributeError):
        testing.nothing  # noqa: B018  asking is the test


def test_type_checkers_are_told_the_same():
    """The imports under TYPE_CHECKING name each public name where it lives."""
    module = ast.parse(Path(testing.__file__).read_text("utf-8"))
    told = {
        (node.module, alias.name)
        for block in module.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    loaded = {(home, name) for home, names in testing._HOMES.items() for name in names}

    assert told == loaded
    assert {name for _, name in loaded} == set(testing.__all__)


def test_only_strategies_need_hypothesis():
    """All else is imported without it, and without pytest."""
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_HYPOTHESIS],
        env={"PYTHONPATH": ROOTS},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )

    assert ran.stdout == "only strategies need it\n"


def test_the_plugin_gives_an_engine_to_test_with(tmp_path):
    """Fixtures for time, store and telemetry, and an engine over them."""
    (tmp_path / "test_app.py").write_text(PLUGIN_TEST, "utf-8")
    installed = entry_points(group="pytest11", name="maelstrom")
    plugin = () if installed else ("-p", "maelstrom.adapters.testing.plugin")
    quiet = ("-q", "-p", "no:cacheprovider")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *quiet, *plugin, "test_app.py"],
        env={"PYTHONPATH": ROOTS},
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert "2 passed" in ran.stdout, ran.stdout


@given(st.data())
def test_apps_of_ones_own_are_drawn(data):
    """Requests with given vessels are valid, and valid answers pass unchanged."""
    request = data.draw(testing.requests(registered=VESSELS))

    assert request.vessels == VESSELS
    assert decode_request(encode_request(request)).unwrap() == request
    testing.assert_unchanged(request, data.draw(testing.candidates(request)))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"n": {"type": "integer", "minimum": 5}}},
        {"properties": {"n": {"type": "integer", "exclusiveMinimum": 5}}},
        {"properties": {"n": {"type": "number", "maximum": -5, "minimum": -9}}},
        {"properties": {"n": {"enum": ["a", "b"]}}},
        {"properties": {"n": {"const": 4}}},
        {"properties": {"n": {"type": "boolean"}}},
        {"properties": {"n": {"type": "string", "format": "date"}}},
        {"properties": {"n": {"type": "string", "format": "date-time"}}},
        {"properties": {"n": {"anyOf": [{"type": "string"}, {"type": "null"}]}}},
        {"properties": {"n": {"type": "array", "items": {"const": 1}, "minItems": 2}}},
        {"properties": {"n": {"type": "array", "prefixItems": [{"type": "string"}]}}},
        {"properties": {"n": {"type": "object", "required": ["m"]}}},
        {"properties": {"n": True}},
    ],
)
def test_everyday_schemas_have_samples(schema):
    """The required property is there, in a value that the validator takes."""
    whole = {"type": "object", "required": ["n"], **schema}
    samples = sample_params(whole)

    assert samples
    assert all(is_successful(check_params(whole, sample)) for sample in samples)


def test_a_schema_out_of_reach_has_no_sample():
    """Such an action is left out of drawn answers, and nothing breaks."""
    odd = {"type": "string", "pattern": "^[0-9]{4}$"}
    whole = {"type": "object", "properties": {"n": odd}, "required": ["n"]}

    assert sample_params(whole) == ()


def test_without_hypothesis_the_command_is_named():
    """Strategies alone need it, and say how to get it."""
    script = """
import sys
sys.modules["hypothesis"] = None
from maelstrom.adapters.testing import scripted_planner
try:
    from maelstrom.adapters.testing import requests
except ImportError as error:
    print(error)
"""
    ran = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    told = "hypothesis is missing: pip install 'maelstrom-engine[testing]'"
    assert ran.stdout.strip() == told


@given(st.data())
def test_registered_vessels_are_a_list(data):
    """A registry or a vessel in its place is told what it has to be."""
    for odd in (Registry(VESSELS), VESSELS[0]):
        with pytest.raises(
            ConfigError, match=r"a list of Vessel, as registry\.vessels"
        ):
            data.draw(testing.requests(registered=odd))


@pytest.mark.parametrize("script", [testing.scripted_planner, testing.scripted_adapter])
@pytest.mark.parametrize("replies", ['{"rationale": ""}', b"{}", None, object()])
def test_a_script_is_a_list(script, replies):
    """A single text would be a reply a character: it is refused as it is given."""
    with pytest.raises(ConfigError, match="replies: must be a list of replies, not "):
        script(replies)
