"""What heal may do with a grid piece that cannot stay as it is."""

from typing import Literal, TypeAlias

from attrs import field, frozen, validators

__all__ = ["HealPolicy", "Overflow", "Overlap", "Undersize"]

Overlap: TypeAlias = Literal["relocate", "drop", "keep"]
Overflow: TypeAlias = Literal["drop", "relocate"]
Undersize: TypeAlias = Literal["drop", "grow"]


@frozen(kw_only=True)
class HealPolicy:
    """How overlapping, overflowing and undersized pieces are treated.

    >>> HealPolicy() == HealPolicy.reference()
    True
    """

    overlap: Overlap = field(
        default="relocate", validator=validators.in_(("relocate", "drop", "keep"))
    )
    """Of a piece that shares a cell with one that stands: it moves to the nearest free
    place, goes, or stays where it is."""
    overflow: Overflow = field(
        default="drop", validator=validators.in_(("drop", "relocate"))
    )
    """Of a piece that reaches outside the chart: it goes, or moves inside."""
    undersize: Undersize = field(
        default="drop", validator=validators.in_(("drop", "grow"))
    )
    """Of a piece smaller than its variant allows: it goes, or grows."""

    @classmethod
    def reference(cls) -> "HealPolicy":
        """The default: overlaps move, what overflows or is too small drops."""
        return cls()

    @classmethod
    def gentle(cls) -> "HealPolicy":
        """Nothing that fits is lost."""
        return cls(overlap="relocate", overflow="relocate", undersize="grow")
