"""Bulk rendering on the nodes of a Ray cluster. Only `driver` knows Ray, in a process of its own."""
