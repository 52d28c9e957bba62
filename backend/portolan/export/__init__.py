"""Exports: the live sites as plain files, and what other web servers need to serve them as the edge does."""
