"""Whether something is an engine, asked by whoever is given one.

An adapter of a test may have but a part of the `Engine` port, so what is asked for is
what will be called in any case.
"""

from inspect import isclass

from maelstrom.effects.config_error import misfit

__all__ = ["check_engine"]


def check_engine(engine: object, *members: str) -> None:
    """Raise ConfigError where it has not ``handle`` and these; a class has none."""
    wanted = ("handle", *members)
    if isclass(engine) or not all(hasattr(engine, each) for each in wanted):
        raise misfit("engine", "an engine, as create_engine makes", engine, wanted)
