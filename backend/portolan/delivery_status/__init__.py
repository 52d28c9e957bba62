"""Delivery status: a release's state on each site, from snapshot to delivery."""
