"""The edge for visitors, crawlers and attackers."""

import gzip
from collections.abc import Callable

import brotli
import pytest

from portolan.builds.compress import Compressor
from portolan.builds.live import switch_live
from portolan.builds.store import ContentStore, digest_of

from .conftest import DE, EN, STUDIO, Harbour, pages

REVALIDATE = "public, max-age=0, must-revalidate"
IMMUTABLE = "public, max-age=31536000, immutable"


def test_each_host_has_its_own_site_in_its_language(harbour: Harbour) -> None:
    assert harbour.ask("/about-us", EN).text == pages("en")["/about-us"]
    answer = harbour.ask("/about-us", DE)
    assert answer.text == pages("de")["/about-us"]
    assert answer.headers["content-language"] == "de-DE"
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("path", "cache"),
    [
        ("/", REVALIDATE),
        ("/about-us", REVALIDATE),
        ("/page-data/about-us/page-data.json", REVALIDATE),
        ("/page-data/app-data.json", REVALIDATE),
        ("/robots.txt", REVALIDATE),
        ("/page-data/sq/d/1.json", IMMUTABLE),
        ("/assets/app-1.js", IMMUTABLE),
    ],
)
def test_only_what_is_named_by_its_content_is_kept_without_asking(harbour: Harbour, path: str, cache: str) -> None:
    answer = harbour.ask(path)
    assert answer.status == 200
    assert answer.headers["cache-control"] == cache
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-length"] == str(len(answer.body))
    assert answer.headers["etag"].startswith('"')


def test_pages_carry_the_builds_policy_and_the_security_headers(harbour: Harbour) -> None:
    headers = harbour.ask("/about-us").headers
    assert headers["content-security-policy"] == "default-src 'self'"
    assert headers["referrer-policy"] == "strict-origin-when-cross-origin"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "strict-transport-security" not in headers  # http locally
    assert harbour.ask("/robots.txt").headers["content-security-policy"].startswith("default-src 'none'")


@pytest.mark.parametrize(
    ("accept", "coding"), [("br, gzip", "br"), ("gzip", "gzip"), ("br;q=0", None), ("gzip;q=0.9, br;q=0.1", "gzip")]
)
def test_the_copy_the_client_takes_is_sent(harbour: Harbour, accept: str, coding: str | None) -> None:
    Compressor(harbour.root).work()
    answer = harbour.ask("/about-us", accept_encoding=accept)
    assert answer.headers.get("content-encoding") == coding
    assert answer.headers["vary"] == "accept-encoding"
    if coding == "br":
        assert brotli.decompress(answer.body).decode() == pages("en")["/about-us"]
    if coding is None:
        assert answer.text == pages("en")["/about-us"]


def test_copies_are_told_apart_by_their_etag(harbour: Harbour) -> None:
    Compressor(harbour.root).work()
    etags = [harbour.ask("/", accept_encoding=coding).headers["etag"] for coding in ("br", "gzip", "")]
    assert len(set(etags)) == 3


def test_a_better_copy_that_comes_later_is_found(harbour: Harbour) -> None:
    page = pages("en")["/"].encode()
    digest, quick, best = digest_of(page), brotli.compress(page, quality=5), brotli.compress(page, quality=11)
    in_passing = harbour.ask("/", accept_encoding="br")  # the compressed copy is yet to be made
    assert brotli.decompress(in_passing.body).decode() == pages("en")["/"]
    assert in_passing.headers["content-encoding"] == "br"
    ContentStore(harbour.root).put_copy(digest, "br", quick)
    harbour._now += 10
    first = harbour.ask("/", accept_encoding="br")
    assert first.body == quick
    ContentStore(harbour.root).put_copy(digest, "br", best, best=True)
    harbour._now += 10
    second = harbour.ask("/", accept_encoding="br")
    assert second.body == best
    assert first.headers["etag"] != second.headers["etag"]
    # The client's copy is of the same file, so it need not load it again.
    assert harbour.ask("/", accept_encoding="br", if_none_match=first.headers["etag"]).status == 304


@pytest.mark.parametrize(("accept", "unpack"), [("br, gzip", brotli.decompress), ("gzip", gzip.decompress)])
def test_what_has_no_copy_yet_is_compressed_in_passing(
    harbour: Harbour, accept: str, unpack: Callable[[bytes], bytes]
) -> None:
    answer = harbour.ask("/about-us", accept_encoding=accept)
    assert answer.headers["content-encoding"] == accept.partition(",")[0]
    assert unpack(answer.body).decode() == pages("en")["/about-us"]
    assert harbour.ask("/about-us", accept_encoding=accept).headers["etag"] == answer.headers["etag"]
    assert harbour.ask("/about-us", accept_encoding="").text == pages("en")["/about-us"]
    # Too small to be worth it.
    assert "content-encoding" not in harbour.ask("/robots.txt", accept_encoding=accept).headers


def test_unchanged_files_answer_304_without_a_body(harbour: Harbour) -> None:
    first = harbour.ask("/about-us")
    for condition in (first.headers["etag"], f'"other", W/{first.headers["etag"]}', "*"):
        again = harbour.ask("/about-us", if_none_match=condition)
        assert (again.status, again.body) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        assert again.headers["cache-control"] == REVALIDATE
        assert again.headers["vary"] == "accept-encoding"
        assert "content-length" not in again.headers
    assert harbour.ask("/about-us", if_none_match='"other"').status == 200
    assert harbour.ask("/about-us", DE, if_none_match=first.headers["etag"]).status == 200


def test_head_has_the_headers_of_get_and_no_body(harbour: Harbour) -> None:
    for path in ("/about-us", "/nowhere", "/about-us/", "/media/pictures/quay.png", "/media/pictures/large.jpg"):
        get, head = harbour.ask(path), harbour.ask(path, method="HEAD")
        assert (head.status, head.headers, head.body) == (get.status, get.headers, b"")


@pytest.mark.parametrize("path", ["/about-us", "/nowhere", "/about-us/", "/media/pictures/quay.png"])
def test_files_can_only_be_read(harbour: Harbour, path: str) -> None:
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"):
        answer = harbour.ask(path, method=method)
        assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("path", ["/about-us/?utm_source=x&y=%2F", "/About-Us?utm_source=x&y=%2F"])
def test_other_spellings_of_a_page_are_sent_to_it_with_their_query(harbour: Harbour, path: str) -> None:
    answer = harbour.ask(path)
    assert (answer.status, answer.headers["location"]) == (301, "/about-us?utm_source=x&y=%2F")
    assert harbour.ask(answer.headers["location"]).status == 200


@pytest.mark.parametrize(
    "path",
    [
        "//evil.com",
        "//evil.com/",
        "/\\evil.com",
        "/\\evil.com/",
        "/%2f%2fevil.com/",
        "/%5cevil.com/",
        "/%0d%0aSet-Cookie:x=1",
        "/about-us/%0d%0aSet-Cookie:x=1/",
        "/https://evil.com/",
        "///evil.com/about-us/",
        "/about-us/..%2f/",
        "/about-us//evil.com/",
    ],
)
def test_no_path_leads_to_another_host_or_adds_a_header(harbour: Harbour, path: str) -> None:
    answer = harbour.ask(path)
    assert answer.status in (400, 404)
    assert "location" not in answer.headers
    assert "set-cookie" not in answer.headers


OUTSIDE = (
    "../../../../etc/passwd",
    "..%2f..%2f..%2fetc/passwd",
    "%2e%2e/%2e%2e/etc/passwd",
    "%252e%252e/etc/passwd",
    "..\\..\\etc\\passwd",
    "..%5c..%5cetc%5cpasswd",
    "....//....//etc/passwd",
    "..;/..;/etc/passwd",
    "%c0%ae%c0%ae/etc/passwd",
    "%00",
    "quay.png%00.html",
    "/etc/passwd",
    "//etc/passwd",
    "a" * 8192,
    ".secret",
    "%2esecret",
)


@pytest.mark.parametrize("prefix", ["/", "/page-data/", "/assets/", "/media/", "/media/pictures/", "/api/"])
def test_nothing_outside_the_build_and_the_media_folder_is_read(harbour: Harbour, prefix: str) -> None:
    for tail in OUTSIDE:
        answer = harbour.ask(prefix + tail)
        if prefix == "/api/" and answer.status == 200:
            assert answer.text.startswith("GET /api/"), tail  # passed on: the echo reads nothing
            continue
        assert answer.status in (400, 404), tail
        assert b"root:" not in answer.body
        assert b"secret" not in answer.body


def test_a_missing_page_is_the_sites_own_with_status_404(harbour: Harbour) -> None:
    answer = harbour.ask("/nowhere", DE)
    assert answer.status == 404
    assert answer.text == pages("de")["/404.html"]
    assert answer.headers["content-language"] == "de-DE"
    assert answer.headers["x-robots-tag"] == "noindex"
    assert "etag" not in answer.headers


@pytest.mark.parametrize("path", ["/page-data/nowhere/page-data.json", "/assets/app-0.js", "/media/nowhere.png"])
def test_a_missing_file_is_no_page_and_no_json(harbour: Harbour, path: str) -> None:
    answer = harbour.ask(path)
    assert (answer.status, answer.headers["content-type"]) == (404, "text/plain; charset=utf-8")


def test_the_error_pages_can_be_looked_at_but_not_indexed(harbour: Harbour) -> None:
    for path in ("/404.html", "/500.html", "/offline.html"):
        answer = harbour.ask(path)
        assert (answer.status, answer.headers["x-robots-tag"]) == (200, "noindex")


def test_what_fails_in_us_is_the_sites_own_500_page(harbour: Harbour, caplog: pytest.LogCaptureFixture) -> None:
    store = ContentStore(harbour.root)
    broken = store.path(digest_of(pages("en")["/about-us"].encode()))
    store.put_copy(digest_of(pages("en")["/500.html"].encode()), "br", b"failed, compressed")
    harbour.root.joinpath(broken).unlink()
    answer = harbour.ask("/about-us")
    assert answer.status == 503
    assert answer.text == pages("en")["/500.html"]
    assert answer.headers["cache-control"] == "no-store"
    assert broken in caplog.text
    assert harbour.ask("/").status == 200
    harbour.root.joinpath(store.path(digest_of(pages("en")["/500.html"].encode()))).unlink()
    harbour._now += 10
    harbour.edge._files._cache._replies.clear()
    plain = harbour.ask("/about-us")
    assert plain.status == 503
    assert "This page is being repaired" in plain.text
    assert "Traceback" not in plain.text


@pytest.mark.parametrize("host", ["evil.com", "localhost", "127.0.0.1:8000", "", None])
def test_an_unknown_host_sees_nothing_of_any_site(harbour: Harbour, host: str | None) -> None:
    for path in ("/", "/media/pictures/quay.png", "/api/offices", "/admin/"):
        answer = harbour.ask(path, host)
        assert answer.status == 421
        assert len(answer.body) < 200


def test_forwarded_headers_do_not_choose_the_site(harbour: Harbour) -> None:
    answer = harbour.ask("/", EN, x_forwarded_host=DE, forwarded=f"host={DE}", x_original_url="/about-us")
    assert answer.text == pages("en")["/"]


def test_sites_and_studio_reach_what_stands_behind(harbour: Harbour) -> None:
    assert harbour.ask("/api/offices", DE, "POST").text == f"POST /api/offices {DE}"
    assert harbour.ask("/api/offices", STUDIO).text == f"GET /api/offices {STUDIO}"
    assert harbour.ask("/admin/", STUDIO).text == f"GET /admin/ {STUDIO}"
    assert harbour.ask("/admin/", EN).status == 404


def test_a_switch_changes_all_of_a_site_and_nothing_of_others(harbour: Harbour) -> None:
    old = harbour.ask("/", DE)
    harbour.build("b", pages("en", "2"), site="en")
    assert harbour.ask("/").text == pages("en", "2")["/"]
    assert harbour.ask("/page-data/app-data.json").text == '{"buildHash": "2"}'
    assert harbour.ask("/", DE) == old
    switch_live(harbour.root, {"en": "a"})
    assert harbour.ask("/").text == pages("en")["/"]


def test_an_open_tab_finds_the_files_of_its_build_five_builds_later(harbour: Harbour) -> None:
    for version in range(2, 8):
        harbour.build(f"b{version}", pages("en", str(version)), site="en")
    for path in ("/assets/app-1.js", "/page-data/sq/d/1.json"):
        answer = harbour.ask(path)
        assert (answer.status, answer.headers["cache-control"]) == (200, IMMUTABLE)
        assert answer.text == pages("en")[path]


def test_before_the_first_build_a_page_says_what_to_do(unpublished: Harbour) -> None:
    answer = unpublished.ask("/about-us", DE)
    assert answer.status == 503
    assert answer.headers["retry-after"] == "5"
    assert "portolan publish" in answer.text
    assert unpublished.ask("/api/offices").status == 200
    unpublished.build("a", pages("de"), site="de")
    assert unpublished.ask("/about-us", DE).status == 200
    assert unpublished.ask("/about-us", EN).status == 503
