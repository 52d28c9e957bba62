"""Where people have accounts by which they may sign in to the studio."""

from typing import NamedTuple


class Provider(NamedTuple):
    """Of OpenID Connect."""

    issuer: str
    client_id: str
    client_secret: str
    """Empty: the studio is a public client there."""
    name: str
    """For the button."""
    trusts_emails: bool
    """Whether addresses are believed that the provider does not call verified."""

    def __repr__(self) -> str:
        return f"Provider({self.issuer})"
