"""Waiting for a task that must come to its end, whoever is cancelled meanwhile."""

import asyncio
from typing import Any

__all__ = ["settled"]


async def settled(task: asyncio.Task[Any]) -> None:
    """Wait until ``task`` is done; a cancel of the waiter waits for it, then passes."""
    cut: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as cancel:
            cut = cancel
    if cut is not None:
        raise cut
