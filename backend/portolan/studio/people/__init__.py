"""Accounts of the studio, their roles, and invitations."""
