"""From an editor's save to pending changes: noted in the save's own transaction, the publisher woken at its commit."""


def connect() -> None:
    """Listen to what editors save."""
