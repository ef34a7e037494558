"""The one predicate that says what a resize-only turn is."""

from maelstrom.core.request import ChartRequest, ChartResize

__all__ = ["is_resize_only"]


def is_resize_only(request: ChartRequest) -> bool:
    """Whether every update reason is a ``chart_resize``.

    A resize batched with any other reason is an ordinary turn.
    """
    return all(
        isinstance(reason, ChartResize) for reason in request.context.update_reasons
    )
