"""How large a proposed piece is, and what the variants of its vessel need.

For the words of a drop: "smaller than its variant allows" leaves open by how much. A
plan may have moved the instance to another variant, so each variant that does not fit
into the piece is named, in the vessel's order.
"""

from collections.abc import Mapping
from typing import Final

from maelstrom.core.candidate import Candidate
from maelstrom.core.catalogue import Catalogue
from maelstrom.core.grid_reading import Geometry, integers, read_positions
from maelstrom.core.identity import identify
from maelstrom.core.json_value import Path
from maelstrom.core.limits import Limits
from maelstrom.core.request import ChartRequest
from maelstrom.core.vessel import Vessel

__all__ = ["sizes"]

_MOST: Final = 3
"""Variants that are named: a vessel may have 64."""


def sizes(request: ChartRequest, candidate: Candidate) -> Mapping[Path, str]:
    """Each piece's size in words, by its path; those alone of which a size is known."""
    catalogue = Catalogue(request.vessels)
    pieces = read_positions(candidate.layout, Limits()).pieces
    words: dict[Path, str] = {}
    verdicts = identify(request.instances, pieces, catalogue).verdicts
    for piece, verdict in zip(pieces, verdicts, strict=True):
        geometry = integers(piece.geometry)
        if isinstance(verdict, str) or geometry is None:
            continue
        words[piece.path] = _compared(geometry, verdict.vessel)
    return words


def _compared(geometry: Geometry, vessel: Vessel) -> str:
    _, _, width, height = geometry
    needs = [
        f"{variant.id} needs {variant.min_size.width} x {variant.min_size.height}"
        for variant in vessel.variants
        if width < variant.min_size.width or height < variant.min_size.height
    ]
    return ", ".join((f"it has {width} x {height}", *needs[:_MOST]))
