"""The error of an unavailable storage of leads' files."""


class FilesAway(OSError):
    """The storage does not respond, or rejects the request."""

    def __init__(self, error: Exception) -> None:
        super().__init__(
            f"The storage of leads' files cannot be used ({type(error).__name__}). Nothing changed there. Until then, leads "
            "wait in the spool. Check PORTOLAN_LEADS_STORAGE, its credentials and the network."
        )
