"""Purges: drop replaced files from a CDN in front of the sites."""
