"""The single sign-on provider, and its statements about a person."""

from collections.abc import Collection, Mapping
from typing import NamedTuple


class Provider(NamedTuple):
    """A provider of OpenID Connect."""

    issuer: str
    client_id: str
    client_secret: str
    """Empty if the studio is a public client."""
    name: str
    """Shown on the button."""
    trusts_emails: bool
    """True if the studio trusts addresses that the provider does not mark as verified."""
    groups: Mapping[str, str] = {}
    """The studio's group by the provider's group; empty if the studio assigns groups itself."""

    def __repr__(self) -> str:
        return f"Provider({self.issuer})"


class Identity(NamedTuple):
    """An account at the provider, whose owner has just signed in there."""

    subject: str
    """The provider's permanent and unique ID of the account."""
    email: str = ""
    """Verified e-mail address; empty if the provider verifies none."""
    groups: Collection[str] = frozenset()
    """Names of the groups at the provider."""
    authenticated_at: float | None = None
    """Time at which the owner last authenticated there; None if the provider does not report it."""


def read_groups(text: str) -> Mapping[str, str]:
    """Read pairs of groups. Raise ValueError.

    >>> read_groups("web-team=Editors; 0a1b=Moderators")
    {'web-team': 'Editors', '0a1b': 'Moderators'}
    """
    found: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        theirs, equals, ours = (side.strip() for side in part.partition("="))
        if not (theirs and equals and ours) or theirs in found:
            raise ValueError("write PROVIDER GROUP=STUDIO GROUP, separated by ; and each provider group only once")
        found[theirs] = ours
    return found
