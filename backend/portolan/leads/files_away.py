"""What the storage of leads' files answers where it does not."""


class FilesAway(OSError):
    """The storage cannot be asked, or refuses."""

    def __init__(self, error: Exception) -> None:
        super().__init__(
            f"The storage of leads' files cannot be used ({type(error).__name__}), so nothing was changed there. Leads are "
            "kept in the spool meanwhile. Look at PORTOLAN_LEADS_STORAGE, its credentials and the network between."
        )
