"""The one predicate of a turn that nobody asked for.

On a resize-only turn the model sees the state before an action that it already ran, and
cannot tell a first run from a replay. The guard of the plan, the treatment of known
pieces in a grid, the severity and the prompt all ask here, so that they never differ.
"""

from maelstrom.core.request import ChartRequest, ChartResize

__all__ = ["is_resize_only"]


def is_resize_only(request: ChartRequest) -> bool:
    """Whether every update reason is a resize of the chart.

    A resize batched with any other reason is an ordinary turn.
    """
    return all(
        isinstance(reason, ChartResize) for reason in request.context.update_reasons
    )
