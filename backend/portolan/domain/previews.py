"""Previews for people who may not be signed in: what can be shown, and the hosts at which it is."""

import re
from enum import StrEnum
from typing import Final, NamedTuple

OWN_PATHS: Final = "/__preview/"
"""Addresses of a preview's own, beside those of the site that it shows."""
BAR: Final = f"{OWN_PATHS}bar.js"
BAR_STYLE: Final = f"{OWN_PATHS}bar.css"
ABOUT: Final = f"{OWN_PATHS}about"
COMMENTS: Final = f"{OWN_PATHS}comments"

SECRET_LENGTH: Final = 26
"""Letters of base 32: 130 bits, so nobody guesses one, however long and however often."""
LARGEST_REQUEST: Final = 16 << 10
"""Bytes of a comment as it is sent. Nothing else is taken."""
LONGEST_NAME: Final = 80
LONGEST_COMMENT: Final = 2000
GUEST: Final = "preview-guest"
"""Name of the account in whose name comments of people without a login stand. Nobody signs in as it."""
LIFETIMES: Final = (1, 3, 7, 14, 30, 90)
"""Days for which a link may be given."""
USUAL_LIFETIME: Final = 14

_HOST = re.compile(rf"([a-z2-7]{{{SECRET_LENGTH}}})-([a-z]{{2,12}})")
_UNWANTED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


class Shown(StrEnum):
    """What a preview lays over the newest release, or shows in its place."""

    PAGE = "page"
    """The draft of a page."""
    ENTRY = "entry"
    """The draft of an entry, a menu, a footer or a rate card."""
    CHANGE_SET = "set"
    DATE = "date"
    """All that goes live, and comes to its end, until then."""
    RELEASE = "release"
    """An earlier release as it was."""


class PreviewHost(NamedTuple):
    secret: str
    site: str


def name_preview_host(secret: str, site: str, domain: str) -> str:
    """The host at which a site is in a preview. One label, so that one wildcard name and one certificate serve all.

    >>> name_preview_host("a" * 26, "de", "preview.localhost:8000")
    'aaaaaaaaaaaaaaaaaaaaaaaaaa-de.preview.localhost:8000'
    """
    return f"{secret}-{site}.{domain}"


def is_preview_host(host: str, domain: str) -> bool:
    """Whether a host (as ``builds.hosts.name_host`` writes it) belongs to previews, whether or not there is one of that name."""
    return bool(domain) and host.endswith(f".{domain}")


def read_preview_host(host: str, domain: str) -> PreviewHost | None:
    """What a host names; None where no preview has such a name."""
    label = host.removesuffix(f".{domain}")
    found = _HOST.fullmatch(label) if label != host else None
    return found and PreviewHost(found[1], found[2])


def clean_comment(text: str, most: int) -> str:
    """What a stranger has written, as it is kept: without what is not seen, or turns the direction of what follows.

    >>> clean_comment("  Anna\\u202e \\x00 ", 80)
    'Anna'
    """
    return _UNWANTED.sub("", text.replace("\r\n", "\n")).strip()[:most]
