"""Headers for a CDN: sent by sites that have one, and by them alone."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from portolan.builds.hosts import build_hosts, write_hosts
from portolan.domain.cdn import ONLY_FOR_CDNS, page_key
from portolan.domain.redirects import Redirect
from portolan.sites.cdn import CdnSettings

from ..builds.conftest import Build
from .conftest import DE, EN, PORT, REGISTRY, Harbour, echo, pages

PROVIDERS: dict[str, dict[str, Any]] = {
    "cloudflare": {"zone": "0" * 32, "secret_env": "CDN_TOKEN"},
    "fastly": {"service": "SU1Z0isxPaozGVKXdv0eY", "secret_env": "CDN_TOKEN"},
    "cloudfront": {"distribution": "EDFDVBD6EXAMPLE"},
    "http": {"urls": ["http://127.0.0.1:6081"]},
}
ASKED = "public, max-age=0, must-revalidate"
ABOUT = page_key("en", "/about-us")


def put_behind(harbour: Harbour, kind: str, country: str = "cdn", sites: list[str] | None = None) -> Harbour:
    values = {"name": "front", "kind": kind, "country": country, "environments": ["local"], "sites": sites}
    cdn = TypeAdapter[Any](CdnSettings).validate_python({**values, **PROVIDERS[kind]})
    write_hosts(harbour.root, build_hosts(REGISTRY.model_copy(update={"cdns": [cdn]}), "local", PORT))
    return Harbour(harbour.root, harbour.media, harbour.build, lambda: echo, country_override=True)


@pytest.mark.parametrize(
    ("kind", "headers"),
    [
        (
            "cloudflare",
            {
                "cache-control": ASKED,
                "cdn-cache-control": "public, max-age=3600, stale-while-revalidate=60",
                "cache-tag": f"en,{ABOUT}",
            },
        ),
        (
            "fastly",
            {
                "cache-control": ASKED,
                "surrogate-control": "max-age=3600, stale-while-revalidate=60",
                "surrogate-key": f"en {ABOUT}",
            },
        ),
        ("cloudfront", {"cache-control": f"{ASKED}, s-maxage=3600"}),
        (
            "http",
            {
                "cache-control": ASKED,
                "x-accel-expires": "3600",
                "surrogate-control": "max-age=3600, stale-while-revalidate=60",
                "surrogate-key": f"en {ABOUT}",
            },
        ),
    ],
)
def test_each_kind_is_told_in_its_own_words(harbour: Harbour, kind: str, headers: dict[str, str]) -> None:
    served = put_behind(harbour, kind)
    names = {"cache-control", *ONLY_FOR_CDNS}
    page = served.ask("/about-us")
    assert {name: value for name, value in page.headers.items() if name in names} == headers
    again = served.ask("/about-us", if_none_match=page.headers["etag"])
    assert (again.status, {name: value for name, value in again.headers.items() if name in names}) == (304, headers)


def test_without_one_nothing_is_said(harbour: Harbour) -> None:
    for path in pages("en"):
        assert not {*ONLY_FOR_CDNS} & harbour.ask(path).headers.keys()
        assert "s-maxage" not in harbour.ask(path).headers["cache-control"]


@pytest.mark.parametrize(
    ("asked", "status", "is_kept"),
    [
        ("/", 200, True),
        ("/about-us", 200, True),
        ("/page-data/about-us/page-data.json", 200, True),
        ("/robots.txt", 200, True),
        ("/404.html", 200, True),
        ("/about-us?utm_source=x", 200, False),
        ("/%61bout-us", 200, False),
        ("/%D1%83", 200, True),
        ("/%d1%83", 200, False),
        ("/about-us/", 301, False),
        ("/team", 301, False),
        ("/closed", 410, False),
        ("/nowhere", 404, False),
        ("/assets/nothing.js", 404, False),
    ],
)
def test_only_what_a_purge_can_name_is_kept(harbour: Harbour, asked: str, status: int, is_kept: bool) -> None:
    served = put_behind(harbour, "fastly")
    redirects = {"/team": Redirect(301, "/about-us"), "/closed": Redirect(410, "")}
    served.build("b", {**pages("en"), "/у": "corner"}, redirects=redirects)
    answer = served.ask(asked)
    assert (answer.status, "surrogate-control" in answer.headers) == (status, is_kept)
    assert answer.headers["cache-control"] == ASKED


def test_files_named_by_their_content_need_no_purge(harbour: Harbour) -> None:
    script = put_behind(harbour, "fastly").ask("/assets/app-1.js")
    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert not {*ONLY_FOR_CDNS} & script.headers.keys()


def test_equal_files_have_the_keys_of_their_own_paths(harbour: Harbour) -> None:
    served = put_behind(harbour, "fastly")
    for site in ("en", "de"):
        served.build("b", {"/a": "same", "/b": "same"}, site=site)
    found = {(site, path): served.ask(path, host) for site, host in (("en", EN), ("de", DE)) for path in ("/a", "/b")}
    assert {name: answer.headers["surrogate-key"] for name, answer in found.items()} == {
        (site, path): f"{site} {page_key(site, path)}" for site, path in found
    }


def test_a_site_that_has_none_is_as_before(harbour: Harbour) -> None:
    served = put_behind(harbour, "fastly", sites=["de"])
    assert "surrogate-key" in served.ask("/", DE).headers
    assert "surrogate-key" not in served.ask("/", EN).headers


def test_a_country_that_the_cdn_names_is_not_named_by_the_edge(root: Path, media: Path, build: Build) -> None:
    proxied: dict[str, Any] = {"trusted_proxies": ["10.0.0.1"], "country_header": "CF-IPCountry"}
    harbour = Harbour(root, media, build, lambda: echo)
    harbour.build("a", pages("en"))
    for country, is_named in (("cdn", False), ("edge", True)):
        put_behind(harbour, "cloudflare", country)
        served = Harbour(root, media, build, lambda: echo, **proxied)
        page = served.ask("/", client="10.0.0.1", cf_ipcountry="DE")
        assert ("set-cookie" in page.headers, "cdn-cache-control" in page.headers) == (is_named, not is_named)
        assert page.headers["cache-control"].startswith("private" if is_named else "public")
        missing = served.ask("/nowhere", client="10.0.0.1", cf_ipcountry="DE")
        assert ("set-cookie" in missing.headers) == is_named


@pytest.mark.parametrize("kind", PROVIDERS)
def test_what_one_visitor_is_told_no_cdn_is_let_keep(harbour: Harbour, kind: str) -> None:
    """A separate CDN header would win over ``private``."""
    told = put_behind(harbour, kind, "edge").ask("/about-us?country=de")
    assert told.headers["set-cookie"].startswith("country_code=de;")
    assert told.headers["cache-control"] == "private, max-age=0, must-revalidate"
    assert not {*ONLY_FOR_CDNS} & told.headers.keys()
