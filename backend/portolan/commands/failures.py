"""What went wrong, for whoever typed the command: a sentence where the fix is theirs, a trace only where it is ours."""

from ..builds.disk import explain_full_disk
from ..builds.manifest import BuildError
from ..releases.database_errors import find_trouble
from ..sites.load import RegistryError


def explain_failure(error: Exception) -> str | None:
    """What happened, why it matters, what to do. None where nobody foresaw it."""
    if isinstance(error, RegistryError | BuildError):
        return str(error)
    if trouble := find_trouble(error):
        return f"{trouble.what} The command needs it and has ended. {trouble.fix}"
    return explain_full_disk(error)
