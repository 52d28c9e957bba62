"""Bulk rendering on the nodes of a Ray cluster.

Only `driver` uses Ray, in a separate process.
"""
