"""Backups of an installation: made while it runs, read back on an empty machine. Needs no Django, but for ``reconcile``."""
