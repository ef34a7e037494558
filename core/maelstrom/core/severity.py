"""How bad a healed answer is, and whether another attempt is worth its wait.

Theory: another attempt costs the user seconds, so it is recommended only where they
would otherwise see a no-op: nothing of a proposed layout survived, or nothing of a plan
for a reason that a model could avoid. A partial answer beats waiting.

The rule is a list of questions, asked from the worst down. A retry that cannot mend
anything, since the variants in question need more than the whole chart, is never
recommended.

To keep in step: part 2.5 and the end of 2.3 of the protocol; `reasons.FIXABLE`.
"""

from collections.abc import Callable

from attrs import frozen

from maelstrom.core.healed import Drop, Repair, Severity, Skip
from maelstrom.core.healed import Warning as HealWarning
from maelstrom.core.layout import GridLayout
from maelstrom.core.reasons import FIXABLE
from maelstrom.core.request import ChartRequest
from maelstrom.core.resize import is_resize_only
from maelstrom.core.vessel import Size

__all__ = ["Balance", "judge"]


@frozen
class Balance:
    """What was proposed and what is left of it.

    ``proposed`` says whether the candidate's layout had a position or node, ``planned``
    whether its plan had an entry; ``shown`` and ``ran`` what survived of the two.
    """

    proposed: bool
    shown: bool
    planned: bool
    ran: bool
    drops: tuple[Drop, ...] = ()
    skips: tuple[Skip, ...] = ()
    repairs: tuple[Repair, ...] = ()
    warnings: tuple[HealWarning, ...] = ()


def judge(
    request: ChartRequest, balance: Balance, minimum: Callable[[str], Size]
) -> tuple[Severity, bool]:
    """The severity, and whether a retry is recommended.

    ``minimum`` gives the minSize of an instance of the request after the plan.
    """
    if _is_unrecoverable(request, balance):
        return "unrecoverable", not _is_beyond_retry(request, balance, minimum)
    nothing_ran = balance.planned and not balance.ran
    if nothing_ran and any(FIXABLE[skip.reason] for skip in balance.skips):
        return "medium", True
    if balance.drops or balance.skips:
        return "low", False
    if any(not repair.lossless for repair in balance.repairs):
        return "low", False
    return "none", False


def _is_unrecoverable(request: ChartRequest, balance: Balance) -> bool:
    if balance.shown:
        return False
    return balance.proposed or (is_resize_only(request) and _had_pieces(request))


def _had_pieces(request: ChartRequest) -> bool:
    layout = request.layout
    return bool(layout.positions if isinstance(layout, GridLayout) else layout.nodes)


def _is_beyond_retry(
    request: ChartRequest, balance: Balance, minimum: Callable[[str], Size]
) -> bool:
    """Whether all that was lost, or all that could be shown, exceeds the chart."""
    exceeding = {
        warning.path
        for warning in balance.warnings
        if warning.reason == "minimum_exceeds_chart"
    }
    if balance.drops and all(drop.path in exceeding for drop in balance.drops):
        return True
    layout = request.layout
    if not isinstance(layout, GridLayout) or not is_resize_only(request):
        return False
    chart = request.context.chart_dimensions
    return not any(
        size.width <= chart.columns and size.height <= chart.rows
        for size in (minimum(piece.instance_id) for piece in layout.positions)
    )
