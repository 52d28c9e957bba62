"""Build the headers that tell a CDN how long to keep a response, and the keys to purge it by.

A CDN is any shared cache in front of the edge: a provider's, or your own proxy. It caches only the exact URLs of the
live build. Redirects, errors, and URLs with a query or in another spelling go to the edge each time, because a purge
cannot list all of them.
"""

from hashlib import blake2b
from typing import Final, Literal, NamedTuple
from urllib.parse import quote

CdnKind = Literal["cloudflare", "fastly", "cloudfront", "http"]

_ASKED_EACH_TIME: Final = "public, max-age=0, must-revalidate"
"""For browsers, so that they never show a replaced page."""
_KEY_BYTES: Final = 8

ONLY_FOR_CDNS: Final = ("cdn-cache-control", "surrogate-control", "x-accel-expires", "cache-tag", "surrogate-key")
"""A CDN keeps a response with one of the first three whatever ``cache-control`` is, so personal responses never have
them.
"""


class CdnRules(NamedTuple):
    """How a site's CDN treats its responses."""

    kind: CdnKind
    names_country: bool
    """True if the CDN sends the visitor's country, so that the edge need not."""
    kept_s: int
    """Seconds to keep a response that is not purged."""
    stale_s: int
    """Seconds to go on using a response while a new one is requested."""


def escape_path(path: str) -> str:
    """Return a path as it is written in a URL, the only spelling that is cached and purged.

    >>> escape_path("/c'est (1)/у")
    "/c'est%20(1)/%D1%83"
    """
    return quote(path, safe="/:@!$&'()*+,;=~")


def page_key(site: str, path: str) -> str:
    """Return the cache key of one path of a site. The key of the whole site is the site's own.

    >>> page_key("en", "/about-us")
    'en-c18a12703c6d07bc'
    """
    return f"{site}-{blake2b(path.encode(), digest_size=_KEY_BYTES).hexdigest()}"


def kept_headers(rules: CdnRules, site: str, path: str) -> list[tuple[str, str]]:
    """Return the headers of a response that the CDN may keep, including ``cache-control``.

    They contain two keys, 60 bytes at most. If the CDN has a header of its own, its instructions are only in that
    header, so that browsers and caches without purge revalidate each time.
    """
    keys = (site, page_key(site, path))
    fresh = f"max-age={rules.kept_s}"
    targeted = f"{fresh}, stale-while-revalidate={rules.stale_s}" if rules.stale_s else fresh
    match rules.kind:
        case "cloudflare":
            own = {"cdn-cache-control": f"public, {targeted}", "cache-tag": ",".join(keys)}
        case "fastly":
            own = {"surrogate-control": targeted, "surrogate-key": " ".join(keys)}
        case "http":  # nginx reads the first, Varnish the others
            own = {
                "x-accel-expires": str(rules.kept_s),
                "surrogate-control": targeted,
                "surrogate-key": " ".join(keys),
            }
        case "cloudfront":
            return [("cache-control", f"{_ASKED_EACH_TIME}, s-maxage={rules.kept_s}")]
    # Last, because nginx before 1.23 uses the first of its own header and this one.
    return [*own.items(), ("cache-control", _ASKED_EACH_TIME)]
