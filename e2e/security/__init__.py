"""Attacks on a running installation, on the loopback. `make test` has their short form; `make soak` the long one, which prints and
holds the figures.
"""
