"""The pure core: decisions are functions over frozen records."""
