"""Grid healing and reflow once more, from the specification alone.

Naive on purpose: sets of cells, every place and every size tried. Small charts only.
It shares the records with the real thing, and who is who; no rule of the grid.
"""

import re

from attrs import frozen

from maelstrom.core.catalogue import Catalogue
from maelstrom.core.identity import Claim, identify, read_id, read_stated
from maelstrom.core.request import ChartResize

GENTLE = {"overlap": "relocate", "overflow": "relocate", "undersize": "grow"}
BIGGEST = 9007199254740991


@frozen
class Expected:
    """What is expected of healing, in plain values; an index stands for its path."""

    positions: list  # (id, vesselId, variant, row, column, width, height)
    drops: list  # (index, reason, id)
    repairs: list  # (index, reason, lossless)
    warnings: list  # index


def whole(value):
    """The integer and whether it was coerced, or None."""
    if type(value) is int:
        number, coerced = value, False
    elif type(value) is float and -1e18 < value < 1e18:
        if value != round(value):
            return None
        number, coerced = round(value), True
    elif type(value) is str and re.match(r"\A-?[0-9]{1,16}(\.0+)?\Z", value):
        number, coerced = int(value.split(".")[0]), True
    else:
        return None
    return None if abs(number) > BIGGEST else (number, coerced)


def cells(row, column, width, height):
    """Every cell of a piece."""
    return {
        (row + down, column + right) for down in range(height) for right in range(width)
    }


def every_place(chart, width, height):
    """Every top-left cell at which a piece of this size is inside the chart."""
    return [
        (row, column)
        for row in range(chart.rows - height + 1)
        for column in range(chart.columns - width + 1)
    ]


def nearest(chart, taken, width, height, wish):
    """The free place nearest the wish, or None."""
    free = [
        (abs(row - wish[0]) + abs(column - wish[1]), row, column)
        for row, column in every_place(chart, width, height)
        if not cells(row, column, width, height) & taken
    ]
    return min(free)[1:] if free else None


def best_place(chart, taken, least, most, corner):
    """Same size first, else the largest free one: (row, column, width, height)."""
    row, column = corner
    wish = (
        max(0, min(row, chart.rows - most[1])),
        max(0, min(column, chart.columns - most[0])),
    )
    smaller = [
        (width, height)
        for width in range(least[0], min(most[0], chart.columns) + 1)
        for height in range(least[1], min(most[1], chart.rows) + 1)
    ]
    smaller.sort(key=lambda size: (-size[0] * size[1], -size[0]))
    for width, height in (most, *smaller):
        if width > chart.columns or height > chart.rows:
            continue
        place = nearest(chart, taken, width, height, wish)
        if place is not None:
            return (*place, width, height)
    return None


def read(entry, limits):
    """(id, raw geometry, flattened), with None for a geometry that is not all there."""
    if type(entry) is not dict:
        return None, None, False
    name = read_id(entry.get("instanceId"), limits)
    raw, flat = [], False
    for part, keys in (("position", ("row", "column")), ("size", ("width", "height"))):
        holder = entry.get(part)
        if type(holder) is not dict:
            holder, flat = entry, True
        for key in keys:
            if key not in holder:
                return name, None, False
            raw.append(holder[key])
    return name, (raw if name is not None else None), flat


def heal(layout, request, after, policy, limits):
    """What healing must come to, by the letter."""
    chart = request.context.chart_dimensions
    reasons = request.context.update_reasons
    resize_only = all(isinstance(reason, ChartResize) for reason in reasons)
    known_ids = {instance.instance_id for instance in request.instances}
    given_rules = {
        "overlap": policy.overlap,
        "overflow": policy.overflow,
        "undersize": policy.undersize,
    }
    entries = [read(entry, limits) for entry in layout["positions"]]
    claimed = [
        index
        for index, (_, raw, _) in enumerate(entries)
        if raw is not None and index < limits.instances
    ]
    claims = [
        Claim(
            ("layout", "positions", index),
            entries[index][0],
            read_stated(layout["positions"][index].get("vesselId")),
            read_stated(layout["positions"][index].get("variant")),
        )
        for index in claimed
    ]
    verdicts = identify(request.instances, claims, Catalogue(request.vessels)).verdicts
    who = dict(zip(claimed, verdicts, strict=True))

    fallen, stands, losers, numbers, notes = {}, {}, {}, {}, {}
    kept, taken, late = set(), set(), set()
    for index, (name, raw, flat) in enumerate(entries):
        if raw is None:
            fallen[index] = "malformed_position"
            continue
        if index >= limits.instances:
            fallen[index] = "too_many_positions"
            continue
        if isinstance(who[index], str):
            fallen[index] = who[index]
            continue
        late.add(index)
        rules = given_rules
        if resize_only and name in known_ids:
            rules = GENTLE | ({"overlap": "keep"} if policy.overlap == "keep" else {})
        values = [whole(value) for value in raw]
        if None in values:
            fallen[index] = "geometry_not_integer"
            continue
        row, column, width, height = numbers[index] = [value[0] for value in values]
        notes[index] = (flat, any(value[1] for value in values))
        least = after[name].min_size.width, after[name].min_size.height
        if width < max(1, least[0]) or height < max(1, least[1]):
            fallen[index] = "size_below_minimum"
            if rules["undersize"] == "grow":
                losers[index] = (max(width, least[0], 1), max(height, least[1], 1))
        elif not (
            row >= 0
            and column >= 0
            and row + height <= chart.rows
            and column + width <= chart.columns
        ):
            fallen[index] = "position_overflow"
            if rules["overflow"] == "relocate":
                losers[index] = (
                    max(least[0], min(width, chart.columns)),
                    max(least[1], min(height, chart.rows)),
                )
        elif name in kept:
            fallen[index] = "duplicate_instance_id"
        elif cells(row, column, width, height) & taken and rules["overlap"] != "keep":
            fallen[index] = "position_overlap"
            if rules["overlap"] == "relocate":
                losers[index] = (width, height)
        else:
            kept.add(name)
            taken |= cells(row, column, width, height)
            stands[index] = (row, column, width, height)
    for index, most in losers.items():
        name = entries[index][0]
        if name in kept:
            fallen[index] = "duplicate_instance_id"
            continue
        least = after[name].min_size
        least = (max(1, least.width), max(1, least.height))
        place = best_place(chart, taken, least, most, numbers[index][:2])
        if place is not None:
            del fallen[index]
            kept.add(name)
            taken |= cells(*place)
            stands[index] = place

    positions, repairs = [], []
    for index, place in sorted(stands.items()):
        one, name = who[index], entries[index][0]
        declared = (one.vessel.id, one.variant) if one.fresh else (None, None)
        positions.append((name, *declared, *place))
        row, column, width, height = numbers[index]
        other = one.other_variant is not None and one.other_variant != after[name].id
        flat, coerced = notes[index]
        for reason, holds, lossless in (
            ("geometry_flattened", flat, True),
            ("variant_ignored", other, True),
            ("variant_defaulted", one.defaulted, True),
            ("number_coerced", coerced, True),
            ("size_grown", place[2] > width or place[3] > height, False),
            ("position_relocated", place[:2] != (row, column), False),
            ("size_reduced", place[2] < width or place[3] < height, False),
        ):
            if holds:
                repairs.append((index, reason, lossless))
    drops = [
        (index, reason, entries[index][0]) for index, reason in sorted(fallen.items())
    ]
    warnings = [
        index
        for index in sorted(fallen)
        if index in late
        and (
            after[entries[index][0]].min_size.width > chart.columns
            or after[entries[index][0]].min_size.height > chart.rows
        )
    ]
    return Expected(positions, drops, repairs, warnings)


def reflow(request, policy, limits):
    """(id, row, column, width, height) of each position of a reflowed grid."""
    chart = request.context.chart_dimensions
    catalogue = Catalogue(request.vessels)
    variants = {
        one.instance_id: catalogue.variant(
            catalogue.vessels[one.vessel_id], one.variant
        )
        for one in request.instances
    }
    resizes = [r for r in request.context.update_reasons if isinstance(r, ChartResize)]
    before = resizes[0].previous if len(resizes) == 1 else None
    entries = []
    for piece in request.layout.positions:
        at, size = piece.position, piece.size
        least = variants[piece.instance_id].min_size
        row, column, width, height = at.row, at.column, size.width, size.height
        if before is not None:
            # What scales past the wire's integers is as far out at the last of them.
            row = min(BIGGEST, row * chart.rows // before.rows)
            column = min(BIGGEST, column * chart.columns // before.columns)
            width = max(width * chart.columns // before.columns, least.width)
            width = min(BIGGEST, width)
            height = max(height * chart.rows // before.rows, least.height)
            height = min(BIGGEST, height)
        entries.append(
            {
                "instanceId": piece.instance_id,
                "position": {"row": row, "column": column},
                "size": {"width": width, "height": height},
            }
        )
    overlap = "keep" if policy.overlap == "keep" else "relocate"
    gentle = type(policy)(overlap=overlap, overflow="relocate", undersize="grow")
    mended = heal({"positions": entries}, request, variants, gentle, limits)
    placed = [(name, *place) for name, _, _, *place in mended.positions]
    taken = {cell for _, *place in placed for cell in cells(*place)}
    shown = {piece.instance_id for piece in request.layout.positions}
    for one in request.instances:
        if one.instance_id in shown:
            continue
        size = variants[one.instance_id].min_size
        place = nearest(chart, taken, size.width, size.height, (0, 0))
        if place is not None:
            placed.append((one.instance_id, *place, size.width, size.height))
            taken |= cells(*place, size.width, size.height)
    return placed
