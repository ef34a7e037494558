"""Packages that are not installed, for as long as a test runs."""

import builtins


def hide_packages(monkeypatch, *names):
    """Make the import of these packages, and of what is in them, fail."""
    real = builtins.__import__

    def without(name, *rest, **named):
        if name.partition(".")[0] in names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
