"""Redirects in the studio: the list of redirects, its CSV file, and the old URLs of pages."""
