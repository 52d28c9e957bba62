"""Headers of the edge's replies."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple

from ..builds.manifest import CARRIED_PREFIXES

Headers = list[tuple[bytes, bytes]]

IMMUTABLE: Final = b"public, max-age=31536000, immutable"
REVALIDATE: Final = b"public, max-age=0, must-revalidate"
OWN_VISITOR: Final = b"private, max-age=0, must-revalidate"
"""For replies that set a cookie. They are for one visitor, so caches must not keep them."""
NO_STORE: Final = b"no-store"

HARMLESS: Final = (b"x-content-type-options", b"nosniff")
NOINDEX: Final = (b"x-robots-tag", b"noindex, nofollow")
POLICY: Final = b"content-security-policy"
REFERRER: Final = (b"referrer-policy", b"strict-origin-when-cross-origin")
NO_FRAME: Final = (b"x-frame-options", b"DENY")
ALLOWS_NOTHING: Final = b"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_OF_FILES: Final = ALLOWS_NOTHING + b"; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'"
"""For files other than pages. A worker has the policy of its file: it may load and request our URLs, and evaluate no
code. An SVG that is opened directly may style itself."""

_PAGE_HEADERS: Final[Headers] = [
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    REFERRER,
    NO_FRAME,
]
_WORKER_FOLDER: Final = "/assets/partytown-"
"""Folder with the code that runs third-party scripts in a worker. Its files have their own policies."""

AssetKind = Literal["file", "sandbox", "worker"]

_SANDBOX_POLICY: Final = (
    b"default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; frame-ancestors 'self'"
)
_WORKER_POLICY: Final = (
    b"default-src 'none'; script-src 'self' 'unsafe-eval'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    b"connect-src 'self'"
)
"""The worker receives scripts as text, so it may evaluate code. Pages and frames may not."""

HSTS: Final = (b"strict-transport-security", b"max-age=63072000; includeSubDomains")
"""Two years."""


class SiteHeaders(NamedTuple):
    """Headers that a site's replies share. They are equal for builds that differ only in files."""

    page: tuple[tuple[bytes, bytes], ...]
    """For HTML files."""
    data: tuple[tuple[bytes, bytes], ...]
    """For other files that change between builds."""
    asset: tuple[tuple[bytes, bytes], ...]
    """For files whose names are their hashes."""
    worker_policy: bytes
    """For the worker that runs third-party scripts."""

    def of_asset(self, kind: "AssetKind") -> Headers:
        if kind == "file":
            return list(self.asset)
        policy = self.worker_policy if kind == "worker" else _SANDBOX_POLICY
        kept = [header for header in self.asset if header[0] not in (POLICY, NO_FRAME[0])]
        return [*kept, (POLICY, policy)]


def build_site_headers(
    lang: str, noindex: bool, https: bool, html_headers: Mapping[str, str], worker_sources: Iterable[str] = ()
) -> SiteHeaders:
    """``worker_sources``: origins to which scripts in the worker may connect."""
    common: Headers = [HARMLESS]
    if https:
        common.append(HSTS)
    if noindex:
        common.append(NOINDEX)
    own = {name.lower().encode("latin-1"): value.encode("latin-1") for name, value in html_headers.items()}
    language = (b"content-language", lang.encode("ascii"))
    page = [language, *common, *((name, value) for name, value in _PAGE_HEADERS if name not in own), *own.items()]
    file = [*common, REFERRER, (POLICY, _OF_FILES), NO_FRAME]
    # Images for social media are assets: partners' pages may show them.
    public, own_alone = ((b"cross-origin-resource-policy", value) for value in (b"cross-origin", b"same-origin"))
    return SiteHeaders(
        page=((b"cache-control", REVALIDATE), *page),
        data=((b"cache-control", REVALIDATE), language, *file, own_alone),
        asset=((b"cache-control", IMMUTABLE), *file, public),
        worker_policy=b" ".join([_WORKER_POLICY, *(source.encode("ascii") for source in worker_sources)]),
    )


def find_asset_kind(path: str) -> AssetKind | None:
    """Return the kind of headers for a file with a hash in its name, or None for other files."""
    if not path.startswith(CARRIED_PREFIXES):
        return None
    if not path.startswith(_WORKER_FOLDER):
        return "file"
    return "worker" if "-ww-" in path else "sandbox"
