"""Robots, web manifest, security.txt and the HTML's headers."""

from pathlib import Path

import orjson

from portolan.publisher.addresses import Addresses
from portolan.publisher.sitemap import SITEMAP
from portolan.publisher.web_build import WebBuild
from portolan.publisher.well_known import (
    SITE_FILES,
    VIDEO_PLAYER,
    build_changing_files,
    build_fixed_files,
    build_html_headers,
    build_robots,
    build_security_file,
    build_web_manifest,
)
from portolan.sites.registry import DeferredScript, Registry


def test_robots_names_the_own_sitemap_and_lets_crawlers_read_noindex_on_staging(registry: Registry) -> None:
    assert b"Sitemap: https://brightmoor-de.example/sitemap.xml" in build_robots(
        "de", Addresses(registry, "production", 8000)
    )
    closed = build_robots("de", Addresses(registry, "staging", 8000)).splitlines()
    assert closed[1:] == [b"User-agent: *", b"Disallow:"], "crawlers read noindex where they may fetch a page"


def test_web_manifest_has_the_brand_and_the_language(addresses: Addresses) -> None:
    manifest = orjson.loads(build_web_manifest("ae", addresses))
    assert (manifest["lang"], manifest["dir"], manifest["display"]) == ("ar-AE", "rtl", "standalone")
    assert (manifest["theme_color"], manifest["background_color"]) == ("#ffdb00", "#020d1c")


def test_web_manifest_tells_the_countries_apart_and_names_icons_that_are_there(addresses: Addresses) -> None:
    manifests = {site: orjson.loads(build_web_manifest(site, addresses)) for site in addresses.registry.sites}
    assert [manifest["name"] for manifest in manifests.values()] == [
        "Brightmoor",
        "Brightmoor Deutschland",
        "Brightmoor الإمارات العربية المتحدة",
    ]
    assert {manifest["short_name"] for manifest in manifests.values()} == {"Brightmoor"}
    assert {icon["src"] for manifest in manifests.values() for icon in manifest["icons"]} <= {*SITE_FILES}


def test_security_file_says_whom_to_tell_until_the_next_turn_of_the_year(addresses: Addresses) -> None:
    assert build_security_file("de", addresses, 2026) == (
        b"Contact: mailto:security@brightmoor.example\n"
        b"Expires: 2027-01-31T00:00:00Z\n"
        b"Preferred-Languages: de, en\n"
        b"Canonical: http://de.localhost:8000/.well-known/security.txt\n"
    )


def test_no_security_file_where_nobody_is_named(registry: Registry) -> None:
    company = registry.company.model_copy(update={"security_contact": None})
    addresses = Addresses(registry.model_copy(update={"company": company}), "local", 8000)
    assert build_security_file("en", addresses, 2026) is None
    assert build_changing_files("en", {}, addresses, 2026) == {}


def test_what_links_may_lead_to_is_what_a_site_has(addresses: Addresses) -> None:
    changing, fixed = (
        build_changing_files("en", {SITEMAP: b""}, addresses, 2026),
        build_fixed_files("en", "h", addresses),
    )
    assert sorted([*changing, *fixed]) == sorted(SITE_FILES)


def test_content_security_policy_allows_what_the_web_build_has_and_no_more(registry: Registry) -> None:
    web = WebBuild(Path(), "h", {}, ("sha256-a=", "sha256-b="), inline_styles=False)
    local = Addresses(registry, "local", 8000)
    policy = build_html_headers(web, local, "en")["Content-Security-Policy"]
    assert policy.split("; ") == [
        "default-src 'none'",
        "script-src 'self' 'sha256-a=' 'sha256-b=' 'strict-dynamic'",
        "style-src 'self'",
        "img-src 'self'",
        "media-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        f"frame-src {VIDEO_PLAYER}",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types portolan visitor",
    ]
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
    # They come from allowed hosts, and may set HTML as they are used to.
    assert not [each for each in directives if "strict-dynamic" in each or "trusted-types" in each]
    assert ".example" not in build_html_headers(web, addresses, "en")["Content-Security-Policy"]
