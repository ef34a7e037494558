"""What a value on the wire may be: the words that the tables of `wire_fields` use.

A kind says what a field's value must be, a `Shape` how one record stands on the wire.
Bounds are numbers, or names of fields in `Limits`.
"""

from typing import Any, TypeAlias

from attrs import field, frozen

from maelstrom.core.limits import MAX_INTEGER

__all__ = [
    "Bound",
    "Field",
    "Flag",
    "Guest",
    "Id",
    "Integer",
    "Kind",
    "Many",
    "NodeOrNull",
    "OneOf",
    "Scalar",
    "Shape",
    "Text",
    "Weight",
    "Word",
]

Bound: TypeAlias = int | str
"""A number, or the name of a field in `Limits`."""


@frozen
class Id:
    """1 to so many characters, not all white space, none of them a control character."""


@frozen
class Text:
    """A text: ``least`` "" takes any, "any" a character, "ink" one that is no space."""

    most: Bound = MAX_INTEGER
    least: str = ""


@frozen
class Integer:
    """A whole number; ``true`` and ``3.0`` are none."""

    low: int
    high: Bound


@frozen
class Weight:
    """A finite number over 0."""


@frozen
class Flag:
    """True or false."""


@frozen
class Word:
    """One of a few words, none of which changes the record's shape."""

    values: tuple[str, ...]


@frozen
class Guest:
    """An object of others, held as it is, at most so many bytes as compact JSON.

    One that is ``judged`` is a parameter schema: the guard of schemas looks inside.
    """

    most: Bound = MAX_INTEGER
    judged: bool = False


@frozen
class NodeOrNull:
    """The id of a node, or null."""


@frozen
class Many:
    """A list; ``least`` 1 refuses an empty one.

    Where it is ``kept``, a tuple stands for records that were made, and found right,
    before: no JSON is a tuple.
    """

    item: "Kind"
    most: Bound | None = None
    least: int = 0
    kept: bool = False


@frozen
class Field:
    """A key, the attribute that holds its value, and what that value must be.

    An optional field is absent on the wire where the attribute has its ``default``.
    """

    key: str
    attribute: str
    kind: "Kind"
    optional: bool = False
    default: Any = field(default=None, hash=False)


@frozen(cache_hash=True)  # it is the key of a cache, and holds shapes that hold shapes
class Shape:
    """How a record stands on the wire; ``tag`` is the key and word that mark it."""

    record: type[Any]
    fields: tuple[Field, ...]
    tag: tuple[str, str] | None = None

    @property
    def tag_place(self) -> int:
        """Before which field the tag is written."""
        return 1 if self.tag and self.tag[0] == "kind" else 0


@frozen
class OneOf:
    """One of some shapes, told apart by the word under ``key``."""

    key: str
    shapes: tuple[Shape, ...]


Scalar: TypeAlias = Id | Text | Integer | Weight | Flag | Word | NodeOrNull
Kind: TypeAlias = Scalar | Guest | Many | Shape | OneOf
