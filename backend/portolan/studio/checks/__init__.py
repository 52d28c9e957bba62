"""Check drafts while editors write them, and show each problem at its field."""
