"""An evaluation on the terminal: a row a case, and the figures under it."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from maelstrom.adapters.cli.telling import printable
from maelstrom.adapters.evaluation import Scored, Summary

__all__ = ["show_scores"]


def show_scores(scores: Sequence[Scored], summary: Summary) -> None:
    """Print the cases and what they come to."""
    console = Console(highlight=False)
    table = Table("case", "met", "pieces", "what failed", box=None, pad_edge=False)
    for one in scores:
        met = Text("yes", "green") if one.met else Text("no", "red")
        pieces = f"{one.shown}/{one.proposed}"
        failed = printable("; ".join(one.failures))
        table.add_row(Text(printable(one.name)), met, pieces, Text(failed))
    console.print(table)
    figures = Table(box=None, pad_edge=False, show_header=False)
    for name, value in (
        ("cases met", f"{summary.met} of {summary.cases}, {_share(summary.met_share)}"),
        ("parse rate", _share(summary.parse_rate)),
        ("surviving pieces", _share(summary.surviving_pieces)),
        ("retry rate", _share(summary.retry_rate)),
        ("tokens in", _count(summary.input_tokens)),
        ("tokens out", _count(summary.output_tokens)),
        ("median turn", _milliseconds(summary.median_milliseconds)),
    ):
        figures.add_row(Text(name, "bold"), value)
    console.print()
    console.print(figures)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _count(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _milliseconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f} ms"
