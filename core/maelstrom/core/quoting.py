"""What a message shows of a text that a caller or a model wrote.

The protocol allows 80 characters of an offending value; with quotes and escapes, 60 of
its own are a line that one can still read.
"""

from typing import Final

__all__ = ["quoted"]

_SHOWN: Final = 60


def quoted(text: str) -> str:
    r"""The beginning of a text in quotes, what cannot be printed as an escape.

    >>> quoted("week\n")
    "'week\\n'"
    """
    return repr(text[:_SHOWN])
