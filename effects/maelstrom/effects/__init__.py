"""The effects layer: it performs what the core decides."""
