"""Roles of users on sites, and their rights for everything except pages."""
