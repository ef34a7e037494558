"""Adapters: one vendor or system thing a file, independent of each other."""
