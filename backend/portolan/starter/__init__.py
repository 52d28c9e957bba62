"""Define a new company's project: site configuration, brand, and pages with guiding texts."""
