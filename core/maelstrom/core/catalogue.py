"""Look-ups over a request's vessels, each index built when it is first asked for.

A request may register 500 vessels of 64 variants of 128 actions each, of which a turn
touches a handful; so nothing is indexed ahead of a question.
"""

from collections.abc import Mapping
from typing import Final

from maelstrom.core.vessel import Action, Size, Variant, Vessel

__all__ = ["Catalogue"]


class Catalogue:
    """A request's vessels by id, their variants and the variants' actions.

    Made for one healing and dropped after it: what it remembers never shows.

    >>> board = Vessel("board", "A board", (Variant("list", "All cards"),))
    >>> Catalogue((board,)).variant(board, "list").description
    'All cards'
    """

    __slots__ = ("_actions", "_variants", "vessels")

    def __init__(self, vessels: tuple[Vessel, ...]) -> None:
        """Index the vessels themselves; the rest waits."""
        self.vessels: Final[Mapping[str, Vessel]] = {
            vessel.id: vessel for vessel in vessels
        }
        self._variants: Final[dict[str, dict[str, Variant]]] = {}
        self._actions: Final[dict[tuple[str, str], dict[str, Action]]] = {}

    def variant(self, vessel: Vessel, variant_id: str) -> Variant | None:
        """The vessel's variant of that id, None where it has none."""
        variants = self._variants.get(vessel.id)
        if variants is None:
            variants = {variant.id: variant for variant in vessel.variants}
            self._variants[vessel.id] = variants
        return variants.get(variant_id)

    def min_size(self, vessel_id: str, variant_id: str) -> Size:
        """The smallest size of a variant that is there."""
        variant = self.variant(self.vessels[vessel_id], variant_id)
        assert variant is not None, "a valid request, and only its actions, lead to it"
        return variant.min_size

    def action(self, vessel: Vessel, variant_id: str, action_id: str) -> Action | None:
        """The action of that id in that variant, None where there is none."""
        key = (vessel.id, variant_id)
        actions = self._actions.get(key)
        if actions is None:
            variant = self.variant(vessel, variant_id)
            listed = () if variant is None else variant.actions
            actions = {action.id: action for action in listed}
            self._actions[key] = actions
        return actions.get(action_id)
