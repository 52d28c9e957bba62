"""Sitemap, robots, web manifest, icon and the HTML's headers."""

from pathlib import Path
from xml.etree import ElementTree

import orjson

from portolan.publisher.addresses import Addresses
from portolan.publisher.route_table import build_route_table
from portolan.publisher.snapshot import Page
from portolan.publisher.web_build import WebBuild
from portolan.publisher.well_known import (
    Sitemap,
    build_favicon,
    build_html_headers,
    build_robots,
    build_web_manifest,
)
from portolan.sites.registry import DeferredScript, Registry

NAMES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}


def page(site: str, path: str, changed: str = "2026-11-01T10:00:00+00:00", template: str = "service") -> Page:
    return Page(site, path, path, template, path, None, changed, False)


def test_sitemap_has_every_page_with_its_translations_and_time(addresses: Addresses) -> None:
    pages = [
        page("de", "/"),
        page("de", "/about-us"),
        page("en", "/about-us"),
        page("de", "/404.html", template="error"),
    ]
    sitemap = Sitemap()
    sitemap.update([each for each in pages if each.site == "de"], [], build_route_table(pages, addresses), addresses)
    root = ElementTree.fromstring(sitemap.build())
    locations = [element.text for element in root.findall("s:url/s:loc", NAMES)]
    assert locations == ["http://de.localhost:8000", "http://de.localhost:8000/about-us"]
    about = root.findall("s:url", NAMES)[1]
    assert about.findtext("s:lastmod", namespaces=NAMES) == "2026-11-01T10:00:00+00:00"
    links = [(link.get("hreflang"), link.get("href")) for link in about.findall("x:link", NAMES)]
    assert links == [
        ("en", "http://localhost:8000/about-us"),
        ("x-default", "http://localhost:8000/about-us"),
        ("de", "http://de.localhost:8000/about-us"),
    ]


def test_sitemap_follows_changes(addresses: Addresses) -> None:
    pages = [page("en", "/a"), page("en", "/b")]
    sitemap = Sitemap()
    sitemap.update(pages, [], build_route_table(pages, addresses), addresses)
    later = [page("en", "/b", "2026-12-01")]
    sitemap.update(later, ["/a"], build_route_table(later, addresses), addresses)
    fresh = Sitemap()
    fresh.update(later, [], build_route_table(later, addresses), addresses)
    assert sitemap.build() == fresh.build()


def test_robots_names_the_own_sitemap_and_is_closed_on_staging(registry: Registry) -> None:
    assert b"Sitemap: https://brightmoor-de.example/sitemap.xml" in build_robots(
        "de", Addresses(registry, "production", 8000)
    )
    assert build_robots("de", Addresses(registry, "staging", 8000)) == b"User-agent: *\nDisallow: /\n"


def test_web_manifest_has_the_brand_and_the_language(addresses: Addresses) -> None:
    manifest = orjson.loads(build_web_manifest("ae", addresses))
    assert (manifest["lang"], manifest["dir"], manifest["display"]) == ("ar-AE", "rtl", "standalone")
    assert (manifest["theme_color"], manifest["background_color"]) == ("#ffdb00", "#020d1c")


def test_favicon_is_a_picture_in_the_brand_s_colour(addresses: Addresses) -> None:
    icon = ElementTree.fromstring(build_favicon(addresses))
    assert icon.tag.endswith("svg")
    assert b"#ffdb00" in build_favicon(addresses)


def test_content_security_policy_allows_what_the_web_build_has_and_no_more(registry: Registry) -> None:
    web = WebBuild(Path(), "h", {}, ("sha256-a=", "sha256-b="), inline_styles=False)
    local = Addresses(registry, "local", 8000)
    policy = build_html_headers(web, local, "en")["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self' 'sha256-a=' 'sha256-b='; style-src 'self';")
    for directive in ("form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"):
        assert directive in policy
    assert "unsafe" not in policy
    assert "upgrade-insecure-requests" not in policy
    styled = build_html_headers(web._replace(inline_styles=True), Addresses(registry, "production", 8000), "en")
    assert "style-src 'self' 'unsafe-inline'" in styled["Content-Security-Policy"]
    assert styled["Content-Security-Policy"].endswith("upgrade-insecure-requests")


def test_content_security_policy_lets_in_what_the_site_s_deferred_scripts_need(registry: Registry) -> None:
    web = WebBuild(Path(), "h", {}, (), inline_styles=False)
    assert (
        ".example" not in build_html_headers(web, Addresses(registry, "local", 8000), "en")["Content-Security-Policy"]
    )
    chat = DeferredScript(
        name="chat", src="https://chat.example/a/widget.js", purpose="necessary", sources=["wss://*.chat.example"]
    )
    in_worker = DeferredScript(
        name="tags", src="https://tags.example/tags.js", purpose="ad_storage", off_main_thread=True
    )
    german = registry.sites["de"].model_copy(update={"deferred_scripts": [chat, in_worker]})
    addresses = Addresses(registry.model_copy(update={"sites": {**registry.sites, "de": german}}), "local", 8000)
    directives = build_html_headers(web, addresses, "de")["Content-Security-Policy"].split("; ")
    allowed = " https://chat.example wss://*.chat.example"
    assert [each for each in directives if ".example" in each] == [
        f"script-src 'self'{allowed}",
        f"img-src 'self'{allowed}",
        f"connect-src 'self'{allowed}",
        f"frame-src https://www.youtube-nocookie.com{allowed} 'self'",
    ]
    assert ".example" not in build_html_headers(web, addresses, "en")["Content-Security-Policy"]
