"""Checks before publishing: what would block a draft is found while it is written, and said at its fields."""
