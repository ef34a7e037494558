"""The last word to a request that the end of the server cuts short.

Theory: uvicorn cancels what outlasts the drain (a body that is still on its way, a store
that hangs), and answers by itself, in plain text. Here such a request is answered as
the engine answers a turn that it cuts: 503, `AbortedError` (shutdown).
"""

import asyncio

from maelstrom.adapters.respond import answer_error
from maelstrom.adapters.server.guards import App, Message, Receive, Scope, Send, secured
from maelstrom.adapters.server.refusal import sent
from maelstrom.core.errors import AbortedError

__all__ = ["answered"]


def answered(app: App) -> App:
    """The app, where a request that is cancelled before its answer is answered."""
    error = AbortedError("shutdown", "the server is closing")
    closing = secured(sent(answer_error(error)))

    async def answering(scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await app(scope, receive, noted)
        except asyncio.CancelledError:
            if not begun:  # else uvicorn closes the connection in the middle of it
                await closing(scope, receive, send)

    return answering
