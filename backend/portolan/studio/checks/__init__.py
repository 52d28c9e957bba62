"""Checks before publishing: what would hold a draft back is found while it is written, and said at its fields."""
