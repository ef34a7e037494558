"""What an app registers: vessels, their variants, and the actions valid in each.

Actions belong to a variant: they exist only while the instance is in it.
Sizes are whole chart cells.
"""

from attrs import field, frozen

from maelstrom.core.json_value import Json

__all__ = ["Action", "Size", "Variant", "Vessel"]


@frozen
class Size:
    """A width and a height in whole chart cells, each at least 1."""

    width: int
    height: int


@frozen
class Action:
    """Something an instance can do while it is in the variant that lists it.

    ``to`` is the variant that the action leads to (None: it stays), ``params`` a JSON
    Schema 2020-12 of type object (None: takes no parameters). ``idempotent`` promises
    that running it twice with the same parameters matches running it once.
    """

    id: str
    description: str
    to: str | None = field(default=None, kw_only=True)
    params: Json | None = field(default=None, kw_only=True, hash=False)
    idempotent: bool = field(default=False, kw_only=True)


@frozen
class Variant:
    """One form of a vessel, with the smallest size it can be shown at."""

    id: str
    description: str
    min_size: Size = field(default=Size(1, 1), kw_only=True)
    actions: tuple[Action, ...] = field(default=(), kw_only=True)


@frozen
class Vessel:
    """A component that the app defined: the model picks it, and never writes it.

    >>> Vessel("notes", "Short notes", (Variant("list", "All notes"),)).initial
    'list'
    """

    id: str
    description: str
    variants: tuple[Variant, ...]
    initial_variant: str | None = field(default=None, kw_only=True)

    @property
    def initial(self) -> str:
        """The id of the variant that a new instance starts in."""
        return self.initial_variant or self.variants[0].id
