"""Fresh identifiers."""

from uuid import uuid4

__all__ = ["random_id"]


def random_id() -> str:
    """A random UUID, as text: the `Ids` that an engine has unless it is given others.

    >>> len(random_id())
    36
    """
    return str(uuid4())
