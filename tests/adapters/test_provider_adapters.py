"""What holds for every SDK adapter, through the real SDKs and a real socket."""

import asyncio
import logging
import subprocess
import sys
from contextlib import AbstractContextManager, contextmanager

import pytest

from maelstrom.adapters.testing.contracts_adapter import (
    PROMPT,
    SCHEMA,
    ModelAdapterContract,
)
from maelstrom.core.completion import ModelOptions, Usage
from maelstrom.core.errors import ProviderError
from maelstrom.core.prompt import Message, Prompt, Section
from maelstrom.effects.config_error import ConfigError
from tests.adapters.provider_kit import KEY, KITS, LAST, TEXT, Kit
from tests.adapters.provider_server import ProviderServer, Reply

DEFAULTS = ModelOptions()
EACH = pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)

# status: the kind of error it makes, whoever answers it
STATUSES = {
    302: "bad_request",
    307: "bad_request",
    400: "bad_request",
    401: "auth",
    402: "auth",
    403: "auth",
    404: "bad_request",
    408: "timeout",
    409: "unavailable",
    413: "bad_request",
    418: "bad_request",
    422: "bad_request",
    429: "rate_limited",
    500: "unavailable",
    502: "unavailable",
    503: "overloaded",
    504: "timeout",
    507: "unavailable",
    529: "overloaded",
}

# the text as the model wrote it, which passes through
TEXTS = (
    TEXT,
    f"```json\n{TEXT}\n```",
    f"Here you are:\n{TEXT}\nEnjoy!",
    f"<think>hm</think>{TEXT}",
    "no JSON at all, é 漢 \U0001f600",
    '{"rationale": ',
)


def outcomes(kit, replies):
    """What one adapter makes of these replies, in turn, and the server it asked."""
    with kit.serving(*replies) as (adapter, server):

        async def scenario():
            results = [
                await adapter.complete(PROMPT, SCHEMA, ModelOptions(), 30.0)
                for _ in replies
            ]
            await adapter.aclose()
            return results

        return asyncio.run(scenario()), server


def ask(adapter, prompt=PROMPT, options=DEFAULTS, timeout=30.0):
    """One call on a loop of its own, the adapter closed after it."""

    async def scenario():
        try:
            return await adapter.complete(prompt, SCHEMA, options, timeout)
        finally:
            await adapter.aclose()

    return asyncio.run(scenario())


class _Contract(ModelAdapterContract):
    kit: Kit

    def answering(self) -> AbstractContextManager:
        return self._serving(Reply(body=self.kit.good(TEXT), headers=LAST))

    def failing(self) -> AbstractContextManager:
        return self.kit.refused()

    def stuck(self) -> AbstractContextManager:
        return self._serving(Reply(way="hang"))

    @contextmanager
    def _serving(self, reply):
        with self.kit.serving(reply) as (adapter, _):
            yield adapter


class TestGeminiContract(_Contract):
    kit = KITS[0]


class TestOpenAIContract(_Contract):
    kit = KITS[1]


class TestAnthropicContract(_Contract):
    kit = KITS[2]


del _Contract  # pytest would collect it


@EACH
def test_text_passes_through(kit):
    """The model's text is the completion's, fences, prose and all."""
    results, _ = outcomes(kit, [Reply(body=kit.good(text)) for text in TEXTS])
    completions = [result.unwrap() for result in results]

    assert [completion.text for completion in completions] == list(TEXTS)
    assert {completion.finish_reason for completion in completions} == {"stop"}
    assert {completion.response_id for completion in completions} == {"r-1"}
    assert all(completion.model.endswith("-test-001") for completion in completions)
    assert {completion.usage for completion in completions} == {Usage(3, 2)}


@EACH
@pytest.mark.parametrize("page", ["<html>Bad gateway</html>", "", [], None])
def test_statuses(kit, page):
    """A status makes its kind of error, whatever its body; it is asked once."""
    body = kit.error("because") if page is None else page
    headers = {"location": "/elsewhere"}
    results, server = outcomes(
        kit, [Reply(status, body, headers) for status in STATUSES]
    )
    errors = [result.failure() for result in results]

    assert {error.status: error.kind for error in errors} == STATUSES
    assert len(server.requests) == len(STATUSES)
    for error in errors:
        quoted = page is None and error.kind in {"bad_request", "rate_limited"}
        assert ("because" in error.message) == quoted


@EACH
def test_no_json_object_with_status_200(kit):
    """What is no JSON object did not come from the provider: unavailable."""
    bodies = ("<html>", "", "[]", "null", "{", '"text"', "[" * 100_000, "9" * 5_000)
    results, _ = outcomes(kit, [Reply(body=body) for body in bodies])
    errors = {result.failure() for result in results}

    (error,) = errors
    assert (error.kind, error.retryable) == ("unavailable", True)
    assert error.message == "the provider gave no usable answer: no JSON object"


@EACH
def test_answers_that_hold_nothing(kit):
    """An answer of any shape that holds no text is empty, and worth another try."""
    bodies = (
        {},
        {"candidates": 1, "choices": 1, "content": 1},
        {"candidates": [[]], "choices": [None], "content": [7]},
        {"usage": "?", "usageMetadata": [1]},
        kit.good(""),
        kit.good(" \n\n\n "),
    )
    results, _ = outcomes(kit, [Reply(body=body) for body in bodies])

    assert {result.failure().kind for result in results} == {"empty"}
    assert all(result.failure().retryable for result in results)


@EACH
def test_connection_that_ends_early(kit):
    """A body that ends before its length is a failure of the transport."""
    with kit.serving(Reply(body=kit.good(TEXT), way="cut")) as (adapter, server):
        error = ask(adapter).failure()

    assert (error.kind, error.retryable) == ("transport", True)
    assert len(server.requests) == 1


@EACH
def test_refused_connection(kit):
    """Where nobody listens, the transport failed."""
    with kit.refused() as adapter:
        assert ask(adapter).failure().kind == "transport"


@EACH
def test_read_timeout_of_the_sdk(kit):
    """Where the provider says nothing, the SDK's own timeout makes a timeout."""
    with kit.serving(Reply(way="hang")) as (adapter, server):
        error = ask(adapter, timeout=0.05).failure()

    assert (error.kind, error.retryable) == ("timeout", True)
    assert len(server.requests) == 1


@EACH
@pytest.mark.parametrize("way", ["drip", "hang"])
def test_the_callers_deadline_closes_the_socket(kit, way):
    """A drip outlives every read timeout; the caller's deadline ends call and socket."""
    with kit.serving(Reply(body="{", way=way)) as (adapter, server):

        async def scenario():
            task = asyncio.ensure_future(
                adapter.complete(PROMPT, SCHEMA, ModelOptions(), 30.0)
            )
            await asyncio.to_thread(server.arrived.wait)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0):
                    await task
            hung_up = await asyncio.to_thread(server.hung_up.wait, 10)
            await adapter.aclose()
            return hung_up

        assert asyncio.run(scenario())


@EACH
def test_cancelling_closes_the_socket(kit):
    """A cancelled call leaves no request running at the provider."""
    with kit.serving(Reply(way="hang")) as (adapter, server):

        async def scenario():
            task = asyncio.ensure_future(
                adapter.complete(PROMPT, SCHEMA, ModelOptions(), 30.0)
            )
            await asyncio.to_thread(server.arrived.wait)
            task.cancel()
            hung_up = await asyncio.to_thread(server.hung_up.wait, 10)
            await asyncio.wait([task])
            await adapter.aclose()
            return task.cancelled(), hung_up

        assert asyncio.run(scenario()) == (True, True)


# headers of a 429: the hint in milliseconds
HINTS = (
    ({"retry-after": "2"}, 2_000),
    ({"retry-after": "0.25"}, 250),
    ({"retry-after-ms": "120", "retry-after": "9"}, 120),
    ({"retry-after": "Fri, 31 Dec 2100 23:59:59 GMT"}, 86_400_000),
    ({"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}, 0),
    ({"retry-after": "3600"}, 3_600_000),
    ({"retry-after": "-1"}, None),
    ({"retry-after": "soon"}, None),
    ({}, None),
)


@EACH
def test_retry_after(kit):
    """A hint reaches the error in milliseconds; nobody waits for it here."""
    replies = [Reply(429, kit.error("slow down"), headers) for headers, _ in HINTS]
    results, server = outcomes(kit, replies)

    hints = [result.failure().retry_after_ms for result in results]
    assert hints == [expected for _, expected in HINTS]
    assert len(server.requests) == len(HINTS)


@EACH
def test_no_hint_where_waiting_does_not_help(kit):
    """An error that is not retryable bears no hint."""
    reply = Reply(401, kit.error("no"), {"retry-after": "1"})
    with kit.serving(reply) as (adapter, _):
        assert ask(adapter).failure().retry_after_ms is None


@EACH
def test_the_schema_travels_untouched(kit):
    """The schema on the wire is the caller's, key for key."""
    with kit.serving(Reply(body=kit.good(TEXT))) as (adapter, server):
        ask(adapter)

    body = server.requests[0].body
    sent = {
        "gemini": lambda: body["generationConfig"]["responseJsonSchema"],
        "openai": lambda: body["response_format"]["json_schema"]["schema"],
        "anthropic": lambda: body["output_config"]["format"]["schema"],
    }[kit.name]()
    assert sent == SCHEMA
    assert list(sent) == list(SCHEMA)


@EACH
def test_the_prefix_stays_the_same(kit):
    """Two prompts that differ in their last message alone share the rest to the byte."""
    later = Prompt(
        PROMPT.system,
        (*PROMPT.messages[:-1], Message("user", (Section("chart", "LATER"),))),
    )
    with kit.serving(Reply(body=kit.good(TEXT))) as (adapter, server):

        async def scenario():
            for prompt in (PROMPT, later):
                await adapter.complete(prompt, SCHEMA, ModelOptions(), 30.0)
            await adapter.aclose()

        asyncio.run(scenario())

    first, second = (request.body for request in server.requests)
    key = "contents" if kit.name == "gemini" else "messages"
    assert first[key].pop() != second[key].pop()
    assert first == second


@EACH
def test_blank_sections_are_left_out(kit):
    """A section without text is not sent, nor a message or a system prompt of such."""
    blank = Section("role", " ")
    prompt = Prompt(
        (blank,),
        (
            Message("user", (blank, Section("chart", "hello"))),
            Message("assistant", (blank,)),
        ),
    )
    with kit.serving(Reply(body=kit.good(TEXT))) as (adapter, server):
        ask(adapter, prompt)

    body = server.requests[0].body
    assert len(body.get("contents") or body["messages"]) == 1
    assert not {"system", "systemInstruction"} & set(body)


@pytest.mark.parametrize("kit", KITS[1:], ids=lambda kit: kit.name)
def test_text_that_cannot_be_sent(kit):
    """A lone surrogate fails for good, but with Gemini's SDK, which escapes it."""
    prompt = Prompt((), (Message("user", (Section("chart", "\ud83d"),)),))
    with kit.serving(Reply(body=kit.good(TEXT))) as (adapter, server):
        error = ask(adapter, prompt).failure()

    assert (error.kind, server.requests) == ("bad_request", [])


@EACH
def test_a_missing_key_is_named(kit, monkeypatch):
    """Without a key construction fails, and names the variable to set."""
    for variable in kit.variables:
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(ConfigError) as raised:
        kit.adapter("http://127.0.0.1:1", key=None)

    assert raised.value.field == " or ".join(kit.variables)


@EACH
def test_the_key_comes_from_the_variable(kit, monkeypatch):
    """The SDK's documented variable is read where no key is given."""
    monkeypatch.setenv(kit.variables[0], KEY)
    with ProviderServer(Reply(body=kit.good(TEXT))) as server:
        ask(kit.adapter(server.url, key=None))

    assert KEY in str(server.requests[0].headers)


@EACH
@pytest.mark.parametrize("key", ["two\nlines", "naïve", 7])
def test_a_key_that_no_header_can_carry(kit, key):
    """Such a key fails at construction, and the error does not repeat it."""
    with pytest.raises(ConfigError) as raised:
        kit.adapter("http://127.0.0.1:1", key=key)

    assert str(key) not in str(raised.value)


@EACH
@pytest.mark.parametrize("url", ["nonsense", "ftp://host", "http://"])
def test_an_address_that_is_none(kit, url):
    """A base_url without http and host fails at construction."""
    with pytest.raises(ConfigError) as raised:
        kit.adapter(url)

    assert raised.value.field == "base_url"


@EACH
def test_the_key_is_in_no_error_and_no_log(kit, caplog):
    """Whatever comes, the key stands in no error, no log line and no repr."""
    caplog.set_level(logging.DEBUG)
    echo = f"your key {KEY} and sk-pr****6789 is wrong"
    replies = [Reply(status, kit.error(echo)) for status in STATUSES]
    replies += [Reply(200, kit.error(echo)), Reply(body=kit.good(TEXT))]
    with kit.serving(*replies) as (adapter, _):

        async def scenario():
            results = [
                await adapter.complete(PROMPT, SCHEMA, ModelOptions(), 30.0)
                for _ in replies
            ]
            await adapter.aclose()
            return results

        results = asyncio.run(scenario())

    said = repr((results, adapter))
    assert KEY not in said
    assert "****" not in said
    assert "[redacted]" in said
    # An SDK may log, at debug, what the server said: the server said it, not we.
    assert [line for line in caplog.messages if KEY in line.replace(echo, "")] == []


@EACH
def test_a_missing_extra_names_the_pip_command(kit):
    """Where the SDK is not installed, ImportError says what to install."""
    script = (
        f"import sys; sys.modules[{kit.module!r}] = None\n"
        f"from maelstrom.adapters.{kit.name} import {kit.name}\n"
        f"try: {kit.name}('model', api_key='k')\n"
        "except ImportError as error: print(error)\n"
    )
    assert f"pip install 'maelstrom-engine[{kit.name}]'" in _python(script)


@EACH
def test_importing_the_module_loads_no_sdk(kit):
    """The SDK is imported when an adapter is built, not before."""
    script = (
        f"import sys, maelstrom.adapters.{kit.name}\n"
        "print({'openai', 'anthropic', 'google.genai', 'httpx2'} & set(sys.modules))\n"
    )
    assert _python(script) == "set()"


def _python(script: str) -> str:
    command = [
        sys.executable,
        "-c",
        f"import sys; sys.path[:0] = {sys.path!r}\n{script}",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@EACH
def test_an_error_of_the_sdk_itself_is_a_value(kit):
    """Whatever an SDK raises before it sends becomes an error, not an exception."""
    with kit.serving(Reply(body=kit.good(TEXT))) as (adapter, server):
        error = ask(adapter, options=ModelOptions(max_tokens=object())).failure()

    assert isinstance(error, ProviderError)
    assert (error.kind, error.provider) == ("bad_request", adapter.provider)
    assert server.requests == []
