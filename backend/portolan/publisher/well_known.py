"""The files every site has beside its pages: sitemap, robots, web manifest, icon; and the HTML's headers."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Final, Self

import orjson

from .addresses import Addresses
from .route_table import RouteTable
from .snapshot import Page
from .web_build import WebBuild

SITE_FILES: Final = (
    "/sitemap.xml",
    "/robots.txt",
    "/manifest.webmanifest",
    "/favicon.svg",
    "/page-data/app-data.json",
)


class Sitemap:
    """A site's sitemap, entry by entry, so that one changed page costs one entry."""

    def __init__(self, entries: Mapping[str, str] | None = None) -> None:
        self._entries = dict(entries or {})

    def copy(self) -> Self:
        return type(self)(self._entries)

    def update(self, pages: Iterable[Page], deleted: Iterable[str], routes: RouteTable, addresses: Addresses) -> None:
        for path in deleted:
            self._entries.pop(path, None)
        for page in pages:
            self._entries.pop(page.path, None)
            if page.template != "error":
                self._entries[page.path] = _sitemap_entry(page, routes, addresses)

    def build(self) -> bytes:
        body = "".join([self._entries[path] for path in sorted(self._entries)])
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'
            f"{body}</urlset>\n"
        ).encode()


def _sitemap_entry(page: Page, routes: RouteTable, addresses: Addresses) -> str:
    alternates = "".join(
        f'<xhtml:link rel="alternate" hreflang="{escape(link["hreflang"])}" href="{escape(link["href"])}"/>'
        for link in routes.alternates(page)
    )
    location = escape(addresses.url(page.site, page.path))
    return f"<url><loc>{location}</loc><lastmod>{escape(page.changed)}</lastmod>{alternates}</url>\n"


def build_site_files(site: str, sitemap: Sitemap, web_hash: str, addresses: Addresses) -> dict[str, tuple[bytes, str]]:
    """URL path -> bytes and content type of the files every site has beside its pages."""
    return {
        "/sitemap.xml": (sitemap.build(), "application/xml"),
        "/robots.txt": (build_robots(site, addresses), "text/plain; charset=utf-8"),
        "/manifest.webmanifest": (build_web_manifest(site, addresses), "application/manifest+json"),
        "/favicon.svg": (build_favicon(addresses), "image/svg+xml"),
        "/page-data/app-data.json": (orjson.dumps({"buildHash": web_hash}), "application/json"),
    }


def build_robots(site: str, addresses: Addresses) -> bytes:
    if addresses.closed:
        return b"User-agent: *\nDisallow: /\n"
    return (
        "User-agent: *\nDisallow: /api/\nDisallow: /__third-party-proxy\n\n"
        f"Sitemap: {addresses.origin(site)}/sitemap.xml\n"
    ).encode()


def build_web_manifest(site_key: str, addresses: Addresses) -> bytes:
    company, site = addresses.registry.company, addresses.site(site_key)
    return orjson.dumps(
        {
            "name": company.name,
            "short_name": company.name,
            "lang": site.language,
            "dir": site.dir,
            "id": "/",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "theme_color": company.brand_color,
            "background_color": company.background_color,
            "icons": [{"src": "/favicon.svg", "type": "image/svg+xml", "sizes": "any", "purpose": "any"}],
        },
        option=orjson.OPT_INDENT_2,
    )


def build_favicon(addresses: Addresses) -> bytes:
    """The brand mark: a compass needle on the deep ground."""
    company = addresses.registry.company
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
        f'<rect width="32" height="32" rx="7" fill="{company.background_color}"/>'
        f'<path d="M16 4l4.5 12H11.5z" fill="{company.brand_color}"/>'
        f'<path d="M11.5 16h9L16 28z" fill="none" stroke="{company.brand_color}" stroke-width="1.5"/>'
        "</svg>\n"
    ).encode()


VIDEO_PLAYER: Final = "https://www.youtube-nocookie.com"
"""Where videos play once a visitor has asked for one; nothing is loaded from there before."""


def build_html_headers(web: WebBuild, addresses: Addresses, site: str) -> dict[str, str]:
    """Headers of every HTML file that follow from the build; what is the same for all builds the edge knows itself."""
    scripts = " ".join(["'self'", *(f"'{digest}'" for digest in web.inline_scripts)])
    others = "".join(f" {source}" for source in _script_sources(addresses, site))
    policy = {
        "default-src": "'none'",
        "script-src": scripts + others,
        "style-src": "'self' 'unsafe-inline'" if web.inline_styles else "'self'",
        "img-src": f"'self'{others}",
        "font-src": "'self'",
        "connect-src": f"'self'{others}",
        "manifest-src": "'self'",
        "worker-src": "'self'",
        "frame-src": f"{VIDEO_PLAYER}{others}{_worker_frame(addresses, site)}",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }
    directives = [f"{name} {value}" for name, value in policy.items()]
    if addresses.origin(site).startswith("https:"):
        directives.append("upgrade-insecure-requests")
    return {"Content-Security-Policy": "; ".join(directives)}


def _worker_frame(addresses: Addresses, site: str) -> str:
    """A worker with third parties' scripts is started from a frame of the site's own: that frame, and no page, may do so."""
    registry = addresses.registry
    return " 'self'" if any(script.off_main_thread for script in registry.scripts_of(addresses.site(site))) else ""


def _script_sources(addresses: Addresses, site: str) -> list[str]:
    """Origins the site's deferred scripts come from or need, each once. What runs in a worker comes through our own proxy."""
    registry = addresses.registry
    found: dict[str, None] = {}
    for script in registry.scripts_of(addresses.site(site)):
        if script.src.startswith("https:") and not script.off_main_thread:
            found["/".join(script.src.split("/", 3)[:3])] = None
        found.update(dict.fromkeys(script.sources))
    return list(found)
