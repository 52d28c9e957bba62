"""Every site's files apart from pages, and the headers of its HTML.

Sitemap, robots, web manifest, icons and security.txt.
"""

from collections.abc import Mapping
from typing import Final

import orjson

from .addresses import Addresses
from .icons import ICON_FILES, build_icons, list_manifest_icons
from .sitemap import SITEMAP
from .web_build import WebBuild

SECURITY_FILE: Final = "/.well-known/security.txt"
SITE_FILES: Final = (
    SITEMAP,
    "/robots.txt",
    "/manifest.webmanifest",
    *ICON_FILES,
    SECURITY_FILE,
    "/page-data/app-data.json",
)


_ROBOTS_OF_CLOSED: Final = (
    b"# Every response has a noindex header. Crawlers have to fetch a page to read it.\nUser-agent: *\nDisallow:\n"
)
"""Crawlers do not read the noindex of a path that robots.txt disallows, and may still list it because of links."""

TypedFiles = dict[str, tuple[bytes, str]]
"""URL path -> bytes and content type."""


def build_changing_files(site: str, sitemap: Mapping[str, bytes], addresses: Addresses, year: int) -> TypedFiles:
    """Return the files that an edit or the time may change.

    ``sitemap``: its changed files; ``year``: the present one.
    """
    files = {path: (data, "application/xml") for path, data in sitemap.items()}
    security = build_security_file(site, addresses, year)
    if security is not None:
        files[SECURITY_FILE] = (security, "text/plain; charset=utf-8")
    return files


def build_fixed_files(site: str, web_hash: str, addresses: Addresses) -> TypedFiles:
    """Return the files that depend only on the site configuration and the web build."""
    return {
        "/robots.txt": (build_robots(site, addresses), "text/plain; charset=utf-8"),
        "/manifest.webmanifest": (build_web_manifest(site, addresses), "application/manifest+json"),
        **build_icons(addresses.registry.brand),
        "/page-data/app-data.json": (orjson.dumps({"buildHash": web_hash}), "application/json"),
    }


def build_robots(site: str, addresses: Addresses) -> bytes:
    if addresses.closed:
        return _ROBOTS_OF_CLOSED
    return (
        "User-agent: *\nDisallow: /api/\nDisallow: /__third-party-proxy\n\n"
        f"Sitemap: {addresses.origin(site)}{SITEMAP}\n"
    ).encode()


def build_security_file(site: str, addresses: Addresses, year: int) -> bytes | None:
    """Return the security.txt (RFC 9116), or None if the setting is empty.

    It expires at the end of next January. The publish at new year, which always happens, renews it.
    """
    contact = addresses.registry.company.security_contact
    if contact is None:
        return None
    languages = dict.fromkeys((addresses.site(site).language.partition("-")[0], "en"))
    return (
        f"Contact: {contact}\n"
        f"Expires: {year + 1}-01-31T00:00:00Z\n"
        f"Preferred-Languages: {', '.join(languages)}\n"
        f"Canonical: {addresses.origin(site)}{SECURITY_FILE}\n"
    ).encode()


def build_web_manifest(site_key: str, addresses: Addresses) -> bytes:
    company, site = addresses.registry.company, addresses.site(site_key)
    return orjson.dumps(
        {
            "name": company.name if site_key == company.default_site else f"{company.name} {site.name}",
            "short_name": company.name,
            "lang": site.language,
            "dir": site.dir,
            "id": "/",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "theme_color": addresses.registry.brand.colours.accent,
            "background_color": addresses.registry.brand.colours.ground,
            "icons": list_manifest_icons(),
        },
        option=orjson.OPT_INDENT_2,
    )


VIDEO_PLAYER: Final = "https://www.youtube-nocookie.com"
"""Where videos play when a visitor starts one. Pages load nothing from there before."""


_TRUSTED_TYPES: Final = {"require-trusted-types-for": "'script'", "trusted-types": "portolan visitor"}
"""Text becomes code or markup only through `web/src/lib/trust-policy.ts`."""


def build_html_headers(web: WebBuild, addresses: Addresses, site: str) -> dict[str, str]:
    """Return the headers of every HTML file that depend on the build.

    A change is live after the next publish.

    The edge adds those that are the same for all builds (`edge/headers.py`, `edge/common_headers.py`).
    """
    scripts = " ".join(["'self'", *(f"'{digest}'" for digest in web.inline_scripts)])
    is_trusted = _has_only_trusted_scripts(addresses, site)
    others = "".join(f" {source}" for source in _script_sources(addresses, site))
    policy = {
        "default-src": "'none'",
        "script-src": f"{scripts} 'strict-dynamic'" if is_trusted and web.inline_scripts else scripts + others,
        "style-src": "'self' 'unsafe-inline'" if web.inline_styles else "'self'",
        "img-src": f"'self'{others}",
        "media-src": "'self'",
        "font-src": "'self'",
        "connect-src": f"'self'{others}",
        "manifest-src": "'self'",
        "worker-src": "'self'",
        "frame-src": f"{VIDEO_PLAYER}{others}{_worker_frame(addresses, site)}",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
        **(_TRUSTED_TYPES if is_trusted else {}),
    }
    directives = [f"{name} {value}" for name, value in policy.items()]
    if addresses.origin(site).startswith("https:"):
        directives.append("upgrade-insecure-requests")
    return {"Content-Security-Policy": "; ".join(directives)}


def _has_only_trusted_scripts(addresses: Addresses, site: str) -> bool:
    """Return True if all scripts support trusted types.

    Then the policy can use 'strict-dynamic'.

    A script then runs because one of ours has loaded it, whichever URL it has. An injected text cannot name a script of
    the site. Other parties' scripts are allowed by host, which 'strict-dynamic' would ignore.
    """
    return all(script.trusted_types for script in addresses.registry.scripts_of(addresses.site(site)))


def _worker_frame(addresses: Addresses, site: str) -> str:
    """Return an addition to ``frame-src`` for the worker of third parties' scripts.

    It starts from a frame of the site. Only that frame may start it.
    """
    registry = addresses.registry
    return " 'self'" if any(script.off_main_thread for script in registry.scripts_of(addresses.site(site))) else ""


def _script_sources(addresses: Addresses, site: str) -> list[str]:
    """Return the origins of the site's deferred scripts, each once.

    Scripts in a worker come through our own proxy.
    """
    registry = addresses.registry
    found: dict[str, None] = {}
    for script in registry.scripts_of(addresses.site(site)):
        if script.src.startswith("https:") and not script.off_main_thread:
            found["/".join(script.src.split("/", 3)[:3])] = None
        found.update(dict.fromkeys(script.sources))
    return list(found)
