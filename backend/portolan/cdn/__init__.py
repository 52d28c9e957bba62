"""Purges: what a CDN in front drops when something else goes live."""
