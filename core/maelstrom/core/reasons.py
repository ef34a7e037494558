"""Every reason that healing gives, as data.

Theory: a reason is a categorical label, and all that depends on it is in the four
tables below, read by heal, by the retry rule and by the documentation. A plan entry is
skipped for the first reason that applies, a piece dropped for the first; `fixable`
says whether a model told of the reason could plausibly avoid it, which is what makes
another attempt worth its wait. A lossless repair leaves the meaning of a piece as it
was, so it raises no severity. Repairs at one path come in the order of the table.

To keep in step: the tables of the documentation are checked against these by a test.
"""

from types import MappingProxyType
from typing import Final

from attrs import frozen

__all__ = ["DROPS", "FIXABLE", "REPAIRS", "SKIPS", "WARNINGS", "Reason"]


@frozen
class Reason:
    """A reason's name and its meaning in words.

    ``fixable`` is said of skips alone, ``lossless`` of repairs alone.
    """

    name: str
    meaning: str
    fixable: bool = False
    lossless: bool = False


DROPS: Final = (
    Reason("malformed_position", "no object, no valid instanceId, or geometry missing"),
    Reason("too_many_positions", "past the limit of positions"),
    Reason("unknown_instance", "a new instance that names no vessel"),
    Reason("unknown_vessel", "the vessel is not registered"),
    Reason("vessel_mismatch", "the instance exists, and is of another vessel"),
    Reason("unknown_variant", "the vessel has no such variant"),
    Reason("geometry_not_integer", "a coordinate is not an integer"),
    Reason("size_below_minimum", "smaller than its variant allows"),
    Reason("position_overflow", "reaches outside the chart"),
    Reason("duplicate_instance_id", "the instance is shown already"),
    Reason("position_overlap", "shares a cell with a kept piece, no other place free"),
    Reason("tree_missing_root", "no root, and none can be inferred"),
    Reason("tree_invalid_node", "no object, no valid id, or a kind without its fields"),
    Reason("duplicate_node_id", "an earlier node has this id"),
    Reason("tree_missing_child", "a slot names no node, or a split has no child left"),
    Reason("tree_cycle", "the child stands on the path from the root"),
    Reason("tree_shared_child", "another slot took the child already"),
    Reason("tree_unreachable_node", "the root does not reach the node"),
    Reason("tree_too_large", "past the limit of nodes or instances"),
)

SKIPS: Final = (
    Reason("plan_too_long", "past the limit of plan entries"),
    Reason("malformed_action", "no object, or an id that is none", fixable=True),
    Reason("unknown_vessel", "the target's vessel is not registered", fixable=True),
    Reason("unknown_variant", "the target's vessel lacks its variant", fixable=True),
    Reason("unknown_instance", "nothing declares the target", fixable=True),
    Reason("state_drift", "valid before the plan, no longer at this step"),
    Reason("action_not_valid", "the current variant has no such action", fixable=True),
    Reason("non_idempotent_on_resize", "a resize runs idempotent actions alone"),
    Reason("parameterized_on_resize", "a resize runs actions without parameters alone"),
    Reason("params_parse_failed", "unreadable, or refused by the schema", fixable=True),
    Reason("self_transition_noop", "leads to where it stands, and changes nothing"),
    Reason("instance_not_placed", "the layout does not show the target", fixable=True),
)

REPAIRS: Final = (
    # Reading the answer, path ().
    Reason("white_space", "white space around that JSON does not know", lossless=True),
    Reason("bom_removed", "a byte order mark", lossless=True),
    Reason("think_removed", "a block of thoughts", lossless=True),
    Reason("fence_removed", "a code fence", lossless=True),
    Reason("prose_removed", "prose before or after the object", lossless=True),
    Reason("trailing_comma", "a comma before a closing bracket", lossless=True),
    Reason("control_character", "a raw control character in a string", lossless=True),
    Reason("extra_object", "a second object beside the answer", lossless=True),
    Reason("double_encoded", "a JSON string that holds the answer", lossless=True),
    Reason("duplicate_key", "a key named twice: the first counts", lossless=True),
    # Healing.
    Reason("params_ignored", "parameters of an action that takes none"),
    Reason("tree_flattened", "nodes given inside each other", lossless=True),
    Reason("root_inferred", "the only node that is nobody's child", lossless=True),
    Reason("geometry_flattened", "geometry given on the piece itself", lossless=True),
    Reason("variant_ignored", "only actions change a variant", lossless=True),
    Reason("variant_defaulted", "the vessel's initial variant", lossless=True),
    Reason("split_collapsed", "a split left with one child gave way to it"),
    Reason("direction_defaulted", "no direction was given"),
    Reason(
        "number_coerced",
        "a number given as text or with a fraction of zero",
        lossless=True,
    ),
    Reason("weight_out_of_range", "no positive number: the mean of its siblings"),
    Reason("size_grown", "grown to its variant's minimum"),
    Reason("position_relocated", "moved to the nearest free place"),
    Reason("size_reduced", "shrunk to the largest free place"),
)

WARNINGS: Final = (
    Reason("rationale_missing", "the model gave no reasons"),
    Reason("minimum_exceeds_chart", "its variant needs more than the whole chart"),
)

FIXABLE: Final = MappingProxyType({row.name: row.fixable for row in SKIPS})
"""Whether a skip's reason could plausibly be avoided by another attempt."""
