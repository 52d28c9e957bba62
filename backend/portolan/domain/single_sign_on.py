"""The single sign-on provider, and its statements about a person."""

from collections.abc import Collection, Mapping
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
    """True if addresses are trusted that the provider does not mark as verified."""
    groups: Mapping[str, str] = {}
    """The studio's group by the provider's; empty: groups are the studio's own."""

    def __repr__(self) -> str:
        return f"Provider({self.issuer})"


class Identity(NamedTuple):
    """An account at the provider, whose owner has just signed in there."""

    subject: str
    """The provider's own name for the account. It never changes, and no other account gets it."""
    email: str = ""
    """Verified e-mail address; empty if the provider verifies none."""
    groups: Collection[str] = frozenset()
    """The provider's names of them."""
    authenticated_at: float | None = None
    """Time at which the owner last authenticated there; None if the provider does not report it."""


def read_groups(text: str) -> Mapping[str, str]:
    """Raises ValueError.

    >>> read_groups("web-team=Editors; 0a1b=Moderators")
    {'web-team': 'Editors', '0a1b': 'Moderators'}
    """
    found: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        theirs, equals, ours = (side.strip() for side in part.partition("="))
        if not (theirs and equals and ours) or theirs in found:
            raise ValueError("write THEIR GROUP=GROUP OF THE STUDIO, each of theirs once, with ; between several")
        found[theirs] = ours
    return found
