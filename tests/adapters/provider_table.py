"""One reply a row, with what it makes: how the outcome tables of providers are run."""

import asyncio
from typing import Any

from returns.pipeline import is_successful

from maelstrom.adapters.testing.contracts_adapter import PROMPT, SCHEMA
from maelstrom.core.completion import ModelOptions
from tests.adapters.provider_kit import Kit
from tests.adapters.provider_server import Reply, Request

__all__ = ["run_table", "sent"]

_DEFAULTS = ModelOptions()

Case = tuple[str, Any, str]
"""A name, a reply (or the body of one of status 200), and "stop", "length" or a kind."""


def run_table(kit: Kit, cases: tuple[Case, ...]) -> dict[str, Any]:
    """The results by name, each checked against the table; one request a row."""
    replies = [
        reply if isinstance(reply, Reply) else Reply(body=reply)
        for _, reply, _ in cases
    ]
    with kit.serving(*replies) as (adapter, server):

        async def scenario() -> list[Any]:
            results = [
                await adapter.complete(PROMPT, SCHEMA, ModelOptions(), 30.0)
                for _ in replies
            ]
            await adapter.aclose()
            return results

        results = asyncio.run(scenario())

    assert len(server.requests) == len(cases)
    made = {
        name: result.unwrap().finish_reason
        if is_successful(result)
        else result.failure().kind
        for (name, _, _), result in zip(cases, results, strict=True)
    }
    assert made == {name: outcome for name, _, outcome in cases}
    return {name: result for (name, _, _), result in zip(cases, results, strict=True)}


def sent(kit: Kit, options: ModelOptions = _DEFAULTS, adapter: Any = None) -> Request:
    """The one request that a call with these options puts on the wire."""
    with kit.serving(Reply(body=kit.good("{}"))) as (ours, server):
        asked = ours if adapter is None else adapter(server.url)

        async def scenario() -> None:
            await asked.complete(PROMPT, SCHEMA, options, 3.0)
            await asked.aclose()

        asyncio.run(scenario())

    (request,) = server.requests
    return request
