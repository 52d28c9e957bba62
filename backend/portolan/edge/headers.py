"""The headers of what the edge answers."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from ..builds.manifest import CARRIED_PREFIXES

Headers = list[tuple[bytes, bytes]]

IMMUTABLE: Final = b"public, max-age=31536000, immutable"
REVALIDATE: Final = b"public, max-age=0, must-revalidate"
NO_STORE: Final = b"no-store"

HARMLESS: Final = (b"x-content-type-options", b"nosniff")

_PAGE_HEADERS: Final[Headers] = [
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"referrer-policy", b"strict-origin-when-cross-origin"),
    (b"x-frame-options", b"DENY"),
]
_TWO_YEARS: Final = b"max-age=63072000; includeSubDomains"


class SiteHeaders(NamedTuple):
    """What a site's answers have in common. Equal for two builds that differ in files alone."""

    page: tuple[tuple[bytes, bytes], ...]
    """Of HTML files."""
    data: tuple[tuple[bytes, bytes], ...]
    """Of everything else that changes from build to build."""
    asset: tuple[tuple[bytes, bytes], ...]
    """Of files named by their content."""


def build_site_headers(lang: str, noindex: bool, https: bool, html_headers: Mapping[str, str]) -> SiteHeaders:
    common: Headers = [HARMLESS]
    if https:
        common.append((b"strict-transport-security", _TWO_YEARS))
    if noindex:
        common.append((b"x-robots-tag", b"noindex, nofollow"))
    own = {name.lower().encode("latin-1"): value.encode("latin-1") for name, value in html_headers.items()}
    language = (b"content-language", lang.encode("ascii"))
    page = [language, *common, *((name, value) for name, value in _PAGE_HEADERS if name not in own), *own.items()]
    return SiteHeaders(
        page=((b"cache-control", REVALIDATE), *page),
        data=((b"cache-control", REVALIDATE), language, *common),
        asset=((b"cache-control", IMMUTABLE), *common),
    )


def is_immutable(path: str) -> bool:
    """Whether the file's name changes with its content."""
    return path.startswith(CARRIED_PREFIXES)
