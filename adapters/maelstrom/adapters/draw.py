"""A chart drawn with characters, in both layout modes.

Theory: a layout becomes boxes on a canvas of terminal cells (`boxes`, pure), a grid by
its lines, a tree by the weights of its splits; the canvas takes them in order, so what
overlaps is covered, as it would be on a screen. Characters that are two cells wide take
two. Only `chart_text` knows rich, for colours.
"""

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Final

from attrs import frozen
from rich.cells import cell_len
from rich.text import Text

from maelstrom.core.chart_state import ChartState, variant_of
from maelstrom.core.layout import GridLayout, Layout, Leaf, Split, TilingNode
from maelstrom.core.prune import placed
from maelstrom.core.request import Dimensions, Instance

__all__ = ["Box", "boxes", "chart_text", "parked"]

_COLOURS: Final = ("cyan", "yellow", "green", "magenta", "blue", "red")
_EMPTY: Final = "·"
_GAP: Final = 2
"""Cells of a box that its two borders take."""


@frozen
class Box:
    """An instance's place on the canvas: its left top cell, and its size in cells."""

    instance_id: str
    left: int
    top: int
    width: int
    height: int


def boxes(
    layout: Layout, chart: Dimensions, width: int, height: int
) -> tuple[Box, ...]:
    """Where each instance of a layout stands on a canvas.

    >>> from maelstrom.core.layout import TilingLayout
    >>> boxes(TilingLayout("a", (Leaf("a", "n-1"),)), Dimensions(4, 2), 40, 8)
    (Box(instance_id='n-1', left=0, top=0, width=40, height=8),)
    """
    if isinstance(layout, GridLayout):
        return tuple(
            Box(
                one.instance_id,
                left := one.position.column * width // chart.columns,
                top := one.position.row * height // chart.rows,
                (one.position.column + one.size.width) * width // chart.columns - left,
                (one.position.row + one.size.height) * height // chart.rows - top,
            )
            for one in layout.positions
        )
    table = {node.id: node for node in layout.nodes}
    found: list[Box] = []
    stack = [(layout.root, (0, 0, width, height))]
    while stack:
        node_id, area = stack.pop()
        node = table.get(node_id or "")
        if isinstance(node, Leaf):
            found.append(Box(node.instance_id, *area))
        elif isinstance(node, Split):
            stack.extend(reversed(_shared(node, table, area)))
    return tuple(found)


def _shared(
    split: Split, table: Mapping[str, TilingNode], area: tuple[int, int, int, int]
) -> list[tuple[str | None, tuple[int, int, int, int]]]:
    """A split's children, each with its share of the area; shares leave no gap."""
    left, top, width, height = area
    weights = [table[child].weight or 1 for child in split.children]
    whole = sum(weights)
    room = width if split.direction == "row" else height
    edges = [round(room * sum(weights[:i]) / whole) for i in range(len(weights) + 1)]
    shares: list[tuple[str | None, tuple[int, int, int, int]]] = []
    for child, start, end in zip(split.children, edges, edges[1:], strict=False):
        if split.direction == "row":
            shares.append((child, (left + start, top, end - start, height)))
        else:
            shares.append((child, (left, top + start, width, end - start)))
    return shares


def parked(state: ChartState) -> tuple[str, ...]:
    """The instances that are known and not shown."""
    shown = frozenset(placed(state.layout))
    ids = (one.instance_id for one in state.instances)
    return tuple(one for one in ids if one not in shown)


def chart_text(
    state: ChartState,
    width: int,
    height: int,
    contents: Mapping[str, Iterable[str]] | None = None,
) -> Text:
    """The chart as coloured text of ``height`` lines, each ``width`` cells wide.

    Args:
        state: What to draw.
        width: Terminal cells across; at least one a column of the chart reads well.
        height: Lines.
        contents: What each instance shows, by its id; what its variant is, elsewhere.
    """
    canvas = [
        [(_EMPTY if x % 4 == 0 else " ", "dim") for x in range(width)]
        for _ in range(height)
    ]
    instances = {one.instance_id: one for one in state.instances}
    order = {one.instance_id: n for n, one in enumerate(state.instances)}
    for box in boxes(state.layout, state.dimensions, width, height):
        style = _COLOURS[order.get(box.instance_id, 0) % len(_COLOURS)]
        given = (contents or {}).get(box.instance_id)
        lines = (
            _described(state, instances.get(box.instance_id))
            if given is None
            else given
        )
        _paint(canvas, box, style, lines)
    text = Text(no_wrap=True, overflow="crop")
    for n, row in enumerate(canvas):
        if n:
            text.append("\n")
        for style, run in groupby(row, key=itemgetter(1)):
            text.append("".join(character for character, _ in run), style)
    return text


def _described(state: ChartState, instance: Instance | None) -> tuple[str, ...]:
    if instance is None:
        return ()
    vessel = next((v for v in state.vessels if v.id == instance.vessel_id), None)
    variant = vessel and variant_of(vessel, instance.variant)
    description = variant.description if variant else ""
    return (instance.variant, description)


def _paint(
    canvas: list[list[tuple[str, str]]], box: Box, style: str, lines: Iterable[str]
) -> None:
    """Draw one box with its title and its lines, clipped to the canvas."""
    right, bottom = box.width - 1, box.height - 1
    if box.width < 1 or box.height < 1:
        return
    for y in range(box.height):
        for x in range(box.width):
            _put(canvas, box.left + x, box.top + y, _border(x, y, right, bottom), style)
    inside = box.width - _GAP
    title = (
        f" {box.instance_id} "
        if inside > cell_len(box.instance_id) + 1
        else box.instance_id
    )
    _write(canvas, (box.left + 1, box.top), title, inside, f"bold {style}")
    for y, line in zip(range(1, box.height - 1), lines, strict=False):
        _write(
            canvas,
            (box.left + 2, box.top + y),
            line,
            inside - _GAP,
            style if y == 1 else "",
        )


def _border(x: int, y: int, right: int, bottom: int) -> str:
    across, down = x in {0, right}, y in {0, bottom}
    if across and down:
        corners = {(0, 0): "╭", (right, 0): "╮", (0, bottom): "╰", (right, bottom): "╯"}
        return corners[x, y]
    return "│" if across else "─" if down else " "


def _put(
    canvas: list[list[tuple[str, str]]], x: int, y: int, character: str, style: str
) -> None:
    if 0 <= y < len(canvas) and 0 <= x < len(canvas[y]):
        canvas[y][x] = (character, style)


def _write(
    canvas: list[list[tuple[str, str]]],
    at: tuple[int, int],
    text: str,
    room: int,
    style: str,
) -> None:
    """A line of text, cut to its room; a wide character takes the cell after it too."""
    x, y = at
    if cell_len(text) > room:
        text = _cut(text, room - 1) + "…" if room > 0 else ""
    for character in text:
        wide = cell_len(character)
        if wide == 0 or not character.isprintable():
            continue
        _put(canvas, x, y, character, style)
        if wide > 1:
            _put(canvas, x + 1, y, "", style)
        x += wide


def _cut(text: str, room: int) -> str:
    taken = 0
    for index, character in enumerate(text):
        taken += cell_len(character)
        if taken > room:
            return text[:index]
    return text
