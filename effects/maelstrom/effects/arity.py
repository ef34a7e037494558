"""Whether something can be called with so many arguments, as far as can be told."""

from inspect import isclass, signature

__all__ = ["takes"]


def takes(value: object, count: int) -> bool:
    """Whether it can be called with ``count`` arguments; no class is meant to be.

    >>> takes(print, 1), takes(lambda: None, 1), takes(dict, 1)
    (True, False, False)
    """
    if isclass(value) or not callable(value):
        return False
    try:
        signature(value).bind(*[None] * count)
    except TypeError:
        return False
    except ValueError:
        pass  # some callables of C have no signature
    return True
