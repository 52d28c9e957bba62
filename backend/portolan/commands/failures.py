"""Explain a command's errors to its user."""

from ..backups.problem import BackupError
from ..builds.disk import explain_full_disk
from ..builds.manifest import BuildError
from ..content.plugins import PluginError
from ..leads.files_away import FilesAway
from ..releases.database_errors import find_trouble
from ..sites.load import RegistryError


def explain_failure(error: Exception) -> str | None:
    """Return the error, its effect and the fix, or None for an unexpected error, which is a bug."""
    if isinstance(error, RegistryError | BuildError | FilesAway | PluginError | BackupError):
        return str(error)
    if trouble := find_trouble(error):
        return f"{trouble.what} The command needs it and has ended. {trouble.fix}"
    return explain_full_disk(error)
