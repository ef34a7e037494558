"""A golden vector's request, read without the wire: the vectors are known to be valid."""

from maelstrom.core.layout import (
    Cell,
    GridLayout,
    Leaf,
    Position,
    Split,
    TilingLayout,
)
from maelstrom.core.request import (
    ChartRequest,
    ChartResize,
    Context,
    Dimensions,
    Instance,
    UserIntent,
    VesselMutation,
)
from maelstrom.core.vessel import Action, Size, Variant, Vessel


def read_request(value):
    """The ChartRequest that a valid JSON value says."""
    context = value["context"]
    return ChartRequest(
        Context(
            tuple(read_reason(reason) for reason in context["updateReasons"]),
            Dimensions(**context["chartDimensions"]),
            context["layoutMode"],
            time_zone=context.get("timeZone"),
            locale=context.get("locale"),
        ),
        tuple(
            Instance(one["instanceId"], one["vesselId"], one["variant"])
            for one in value["instances"]
        ),
        tuple(read_vessel(vessel) for vessel in value["vessels"]),
        read_layout(value["layout"]),
    )


def read_reason(value):
    """An update reason."""
    match value["type"]:
        case "user_intent":
            return UserIntent(value["intent"])
        case "chart_resize":
            previous = value.get("previous")
            return ChartResize(None if previous is None else Dimensions(**previous))
        case _:
            return VesselMutation(value["instanceId"], value.get("description"))


def read_vessel(value):
    """A vessel with its variants and their actions."""
    variants = tuple(
        Variant(
            variant["id"],
            variant["description"],
            min_size=Size(**variant.get("minSize", {"width": 1, "height": 1})),
            actions=tuple(
                Action(
                    action["id"],
                    action["description"],
                    to=action.get("to"),
                    params=action.get("params"),
                    idempotent=action.get("idempotent", False),
                )
                for action in variant.get("actions", ())
            ),
        )
        for variant in value["variants"]
    )
    return Vessel(
        value["id"],
        value["description"],
        variants,
        initial_variant=value.get("initialVariant"),
    )


def read_layout(value):
    """A layout of either mode."""
    if value["type"] == "grid":
        return GridLayout(
            tuple(
                Position(
                    piece["instanceId"],
                    Cell(**piece["position"]),
                    Size(**piece["size"]),
                    vessel_id=piece.get("vesselId"),
                    variant=piece.get("variant"),
                )
                for piece in value["positions"]
            )
        )
    return TilingLayout(
        value["root"], tuple(read_node(node) for node in value["nodes"])
    )


def read_node(value):
    """A split or a leaf."""
    weight = value.get("weight")
    if value["kind"] == "split":
        return Split(
            value["id"], value["direction"], tuple(value["children"]), weight=weight
        )
    return Leaf(
        value["id"],
        value["instanceId"],
        weight=weight,
        vessel_id=value.get("vesselId"),
        variant=value.get("variant"),
    )
