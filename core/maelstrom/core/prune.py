"""A layout without some of its instances, everything else as it stood.

Theory: a grid loses the positions alone. A tree loses the leaves, then, upward, each
split that is left with no child; a split left with one child gives that child its place
and its weight (rules T9 and T10 of healing). Numbers are never touched.

To keep in step: `heal_tiling` applies the same two rules to a model's answer, with
records of what it did.
"""

from collections.abc import Container, Mapping

from attrs import evolve

from maelstrom.core.layout import (
    GridLayout,
    Layout,
    Leaf,
    Split,
    TilingLayout,
    TilingNode,
)

__all__ = ["bare", "placed", "prune"]


def placed(layout: Layout) -> tuple[str, ...]:
    """The instances that a layout shows, in its order.

    >>> placed(TilingLayout("a", (Leaf("a", "notes-1"),)))
    ('notes-1',)
    """
    if isinstance(layout, GridLayout):
        return tuple(piece.instance_id for piece in layout.positions)
    return tuple(node.instance_id for node in layout.nodes if isinstance(node, Leaf))


def bare(layout: Layout) -> Layout:
    """The layout without the declarations that introduce instances."""
    if isinstance(layout, GridLayout):
        positions = (
            evolve(piece, vessel_id=None, variant=None) for piece in layout.positions
        )
        return GridLayout(tuple(positions))
    nodes = (
        evolve(node, vessel_id=None, variant=None) if isinstance(node, Leaf) else node
        for node in layout.nodes
    )
    return TilingLayout(layout.root, tuple(nodes))


def prune(layout: Layout, keep: Container[str]) -> Layout:
    """The layout with the pieces of instances in ``keep`` alone."""
    if all(instance_id in keep for instance_id in placed(layout)):
        return layout
    if isinstance(layout, GridLayout):
        return GridLayout(
            tuple(piece for piece in layout.positions if piece.instance_id in keep)
        )
    return _prune_tree(layout, keep)


def _prune_tree(layout: TilingLayout, keep: Container[str]) -> TilingLayout:
    """Bottom up; ``stands`` says which node stands where a node stood."""
    table = {node.id: node for node in layout.nodes}
    stands: dict[str, str] = {}
    for node in reversed(_pre_order(layout.root, table)):
        if isinstance(node, Leaf):
            if node.instance_id in keep:
                stands[node.id] = node.id
            continue
        children = tuple(stands[slot] for slot in node.children if slot in stands)
        if len(children) == 1:
            table[children[0]] = evolve(table[children[0]], weight=node.weight)
            stands[node.id] = children[0]
        elif children:
            table[node.id] = evolve(node, children=children)
            stands[node.id] = node.id
    root = stands.get(layout.root or "")
    left = frozenset(node.id for node in _pre_order(root, table))
    return TilingLayout(root, tuple(node for key, node in table.items() if key in left))


def _pre_order(
    root: str | None, table: Mapping[str, TilingNode]
) -> tuple[TilingNode, ...]:
    """The nodes that the root reaches, each once; an explicit stack, no recursion."""
    found: dict[str, TilingNode] = {}
    stack = [] if root is None else [root]
    while stack:
        node = table.get(key := stack.pop())
        if node is None or key in found:
            continue
        found[key] = node
        if isinstance(node, Split):
            stack.extend(reversed(node.children))
    return tuple(found.values())
