"""What a CDN is told: how long it may keep an answer, and under which keys it can be made to drop it. A CDN is any cache in
front of the edge that many visitors share, a provider's or a proxy of one's own.

A CDN keeps only what stands in the live build under the very address that was asked for. Everything else (redirects,
errors, addresses with a query or in another spelling) it asks the edge for each time, because a purge could not name every address of it.
"""

from hashlib import blake2b
from typing import Final, Literal, NamedTuple
from urllib.parse import quote

CdnKind = Literal["cloudflare", "fastly", "cloudfront", "http"]

_ASKED_EACH_TIME: Final = "public, max-age=0, must-revalidate"
"""For browsers: they never show a page that has been replaced."""
_KEY_BYTES: Final = 8

ONLY_FOR_CDNS: Final = ("cdn-cache-control", "surrogate-control", "x-accel-expires", "cache-tag", "surrogate-key")
"""An answer with one of the first three is kept whatever ``cache-control`` says, so none that is one visitor's has them."""


class CdnRules(NamedTuple):
    """How the answers of a site go through its CDN."""

    kind: CdnKind
    names_country: bool
    """Whether the CDN tells visitors their country, so that the edge does not."""
    kept_s: int
    """How long it may keep an answer that nobody purges."""
    stale_s: int
    """How much longer it may use one while it asks for a new one."""


def escape_path(path: str) -> str:
    """How a path is written in a URL: the one spelling that is kept, and purged.

    >>> escape_path("/c'est (1)/у")
    "/c'est%20(1)/%D1%83"
    """
    return quote(path, safe="/:@!$&'()*+,;=~")


def page_key(site: str, path: str) -> str:
    """The key of what stands at one path of a site. The key of all that the site has is the site's own.

    >>> page_key("en", "/about-us")
    'en-c18a12703c6d07bc'
    """
    return f"{site}-{blake2b(path.encode(), digest_size=_KEY_BYTES).hexdigest()}"


def kept_headers(rules: CdnRules, site: str, path: str) -> list[tuple[str, str]]:
    """The headers of an answer that the CDN may keep, ``cache-control`` among them. Two keys stand in it, whatever the
    path: 60 bytes at most.

    What only the CDN is to read stands in a header of its own where it knows one: browsers, and caches that nobody
    purges, then keep nothing.
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
    # At last: nginx before 1.23 goes by the first of its own header and of this one.
    return [*own.items(), ("cache-control", _ASKED_EACH_TIME)]
