"""Redirects in the studio: editors' own, as a list and as CSV, and the former addresses of pages."""
