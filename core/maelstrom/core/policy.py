"""What heal may do with a grid piece that cannot stay as it is."""

from typing import Any, Literal, TypeAlias, get_args

from attrs import field, frozen

__all__ = ["HealPolicy", "Overflow", "Overlap", "Undersize"]

Overlap: TypeAlias = Literal["relocate", "drop", "keep"]
"""What may become of a piece that overlaps: "relocate", "drop" or "keep"."""

Overflow: TypeAlias = Literal["drop", "relocate"]
"""What may become of a piece that reaches outside: "drop" or "relocate"."""

Undersize: TypeAlias = Literal["drop", "grow"]
"""What may become of a piece that is too small: "drop" or "grow"."""


def _one_of(words: Any) -> Any:
    known = get_args(words)

    def check(_policy: Any, option: Any, value: Any) -> None:
        if value not in known:
            listed = ", ".join(map(repr, known))
            raise ValueError(f"{option.name}: must be one of {listed}, not {value!r}")

    return check


@frozen(kw_only=True)
class HealPolicy:
    """How overlapping, overflowing and undersized pieces are treated.

    Raises:
        ValueError: A word is none of those for its field.

    >>> HealPolicy() == HealPolicy.reference()
    True
    """

    overlap: Overlap = field(default="relocate", validator=_one_of(Overlap))
    """Of a piece that shares a cell with one that stands: it moves to the nearest free
    place, goes, or stays where it is."""
    overflow: Overflow = field(default="drop", validator=_one_of(Overflow))
    """Of a piece that reaches outside the chart: it goes, or moves inside."""
    undersize: Undersize = field(default="drop", validator=_one_of(Undersize))
    """Of a piece smaller than its variant allows: it goes, or grows."""

    @classmethod
    def reference(cls) -> "HealPolicy":
        """The default: overlaps move, what overflows or is too small drops."""
        return cls()

    @classmethod
    def gentle(cls) -> "HealPolicy":
        """Nothing that fits is lost."""
        return cls(overlap="relocate", overflow="relocate", undersize="grow")
