"""Define previews for people without an account: their content and their hosts."""

import re
from enum import StrEnum
from typing import Final, NamedTuple

OWN_PATHS: Final = "/__preview/"
"""Paths of the preview itself, in addition to those of the site."""
BAR: Final = f"{OWN_PATHS}bar.js"
BAR_STYLE: Final = f"{OWN_PATHS}bar.css"
ABOUT: Final = f"{OWN_PATHS}about"
COMMENTS: Final = f"{OWN_PATHS}comments"

SECRET_LENGTH: Final = 26
"""Letters of base 32: 130 bits, too many to guess."""
LARGEST_REQUEST: Final = 16 << 10
"""Bytes of a comment as it is sent. Other requests with a body are refused."""
LONGEST_NAME: Final = 80
LONGEST_COMMENT: Final = 2000
GUEST: Final = "preview-guest"
"""Name of the account that owns comments of people without a login. It cannot sign in."""
LIFETIMES: Final = (1, 3, 7, 14, 30, 90)
"""Days for which a link can be valid."""
USUAL_LIFETIME: Final = 14

_HOST = re.compile(rf"([a-z2-7]{{{SECRET_LENGTH}}})-([a-z]{{2,12}})")
_UNWANTED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


class Shown(StrEnum):
    """The content that a preview shows on top of, or instead of, the newest release."""

    PAGE = "page"
    """A page's draft."""
    ENTRY = "entry"
    """The draft of an entry, menu, footer or rate card."""
    CHANGE_SET = "set"
    DATE = "date"
    """Everything that goes live or expires up to the date."""
    RELEASE = "release"
    """An earlier release."""


class PreviewHost(NamedTuple):
    secret: str
    site: str


def name_preview_host(secret: str, site: str, domain: str) -> str:
    """Return the host of a site in a preview. One label, so that one wildcard DNS name and certificate cover all.

    >>> name_preview_host("a" * 26, "de", "preview.localhost:8000")
    'aaaaaaaaaaaaaaaaaaaaaaaaaa-de.preview.localhost:8000'
    """
    return f"{secret}-{site}.{domain}"


def is_preview_host(host: str, domain: str) -> bool:
    """Return whether a host (as ``builds.hosts.name_host`` writes it) is reserved for previews, existing or not."""
    return bool(domain) and host.endswith(f".{domain}")


def read_preview_host(host: str, domain: str) -> PreviewHost | None:
    """Return the preview and site of a host, or None for any other host."""
    label = host.removesuffix(f".{domain}")
    found = _HOST.fullmatch(label) if label != host else None
    return found and PreviewHost(found[1], found[2])


def clean_comment(text: str, most: int) -> str:
    """Return a visitor's text for storage, without invisible characters and marks that turn the writing direction.

    >>> clean_comment("  Anna\\u202e \\x00 ", 80)
    'Anna'
    """
    return _UNWANTED.sub("", text.replace("\r\n", "\n")).strip()[:most]
