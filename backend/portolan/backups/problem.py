"""Errors that end a backup or a restore."""


class BackupError(Exception):
    """The message has the error, its effect and the fix."""


class BackupIsAtWork(BackupError):
    """Another process is creating a backup of the same installation."""
