"""What ends a backup or a restore."""


class BackupError(Exception):
    """The message says what happened, why it matters and what to do."""


class BackupIsAtWork(BackupError):
    """Another process makes one of the same installation."""
