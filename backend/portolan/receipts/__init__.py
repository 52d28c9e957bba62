"""Delivery status: the state of a release on each site, from the snapshot until the site's own URL serves the new pages."""
