"""Which requests share one ready reply."""

from typing import Any

import pytest

from portolan.domain.content_api import READS, SITE_IN_SCOPE
from portolan.edge.api_requests import ApiKey, ApiRequests

LANGUAGES = {"en": "en", "uk": "en-GB", "de": "de-DE", "ae": "ar-AE"}


def key(path: str, host_site: str | None = "en", method: str = "GET", **headers: str) -> ApiKey | None:
    raw, _, query = path.partition("?")
    scope: dict[str, Any] = {
        "method": method,
        "query_string": query.encode(),
        "headers": [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()],
    }
    requests = ApiRequests(LANGUAGES)
    return requests.key(scope, requests.site(scope, host_site), f"/api/{raw}")


@pytest.mark.parametrize(
    ("host_site", "language", "site"),
    [
        ("en", "", "en"),
        ("en", "de", "de"),
        ("en", "de-AT,de;q=0.9", "de"),
        ("de", "sv", "de"),
        (None, "", "ae"),
        (None, "en-GB", "uk"),
    ],
)
def test_the_site_comes_from_the_language_then_the_host_then_the_fallback(
    host_site: str | None, language: str, site: str
) -> None:
    headers = {"accept_language": language} if language else {}
    assert key("content/offices", host_site, **headers) == ApiKey(site, "/api/content/offices", ())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("content/news/pagination?page=2&perPage=5", "content/news/pagination?perPage=5&utm=x&page=2"),
        ("content/offices", "content/offices?whatever=1"),
        ("content/offices?page=1", "content/offices?page=2"),
        ("content/news/pagination?page=2", "content/news/pagination?page=002"),
        (
            "content/reviews/testimonial/pagination?countryCode=DE",
            "content/reviews/testimonial/pagination?countryCode=de",
        ),
    ],
)
def test_what_does_not_matter_makes_no_second_copy(one: str, other: str) -> None:
    assert key(one) == key(other) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {"country_code": "de"}),
        ({"country_code": "de"}, {"country_code": "fr"}),
        ({"page_key": "home"}, {"page_key": "about-us"}),
        ({"accept_language": "de"}, {"accept_language": "en"}),
    ],
)
def test_what_matters_makes_a_copy_of_its_own(one: dict[str, str], other: dict[str, str]) -> None:
    assert key("content/reviews", **one) != key("content/reviews", **other)


def test_the_case_of_a_country_does_not_matter() -> None:
    assert key("content/events", country_code="DE") == key("content/events", country_code="de")


def test_headers_another_read_goes_by_do_not_matter() -> None:
    assert key("content/events", page_key="home") == key("content/events")


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("content/nothing", {}),
        ("content/offices/", {}),
        ("content//offices", {}),
        ("integration/articles/views", {}),
        ("content/offices", {"api_version": "v4"}),
        ("content/events", {"country_code": "d" * 500}),
        ("content/reviews", {"page_key": "x" * 500}),
        ("content/news/pagination?page=1&page=2", {}),
        ("content/news/pagination?page=1&x=" + "y" * 300, {}),
    ],
)
def test_what_only_the_api_can_judge_has_no_key(path: str, headers: dict[str, str]) -> None:
    assert key(path, **headers) is None


@pytest.mark.parametrize(
    ("path", "headers", "query", "sent"),
    [
        ("content/offices", {"cookie": "a=b", "x_forwarded_host": "evil"}, b"", []),
        ("content/offices?utm=x", {}, b"", []),
        ("content/events", {"country_code": "DE", "page_key": "home"}, b"", [(b"country-code", b"de")]),
        ("content/events", {"country_code": "D E"}, b"", [(b"country-code", b"D E")]),
        ("content/reviews", {"page_key": "ümlaut"}, b"", [(b"page-key", "ümlaut".encode("latin-1"))]),
        ("content/news/pagination?perPage=5&utm=x&page=02", {}, b"page=2&perPage=5", []),
        ("content/news/pagination?page=-1", {}, b"page=-1", []),
        ("content/news/pagination?page=%00%ff&perPage=", {}, b"page=%00%EF%BF%BD&perPage=", []),
    ],
)
def test_what_is_asked_follows_from_the_key(
    path: str, headers: dict[str, str], query: bytes, sent: list[tuple[bytes, bytes]]
) -> None:
    found = key(path, **headers)
    assert found is not None
    question = ApiRequests(LANGUAGES).question(found, "http://localhost:8000")
    assert (question["method"], question["path"]) == ("GET", f"/api/{path.partition('?')[0]}")
    assert (question["query_string"], question["headers"]) == (query, [(b"host", b"localhost:8000"), *sent])
    assert question[SITE_IN_SCOPE] == "en"


@pytest.mark.parametrize("read", READS, ids=lambda read: read.path)
def test_every_read_of_the_table_has_a_key(read: Any) -> None:
    path = "/".join("x" if segment.startswith("{") else segment for segment in read.path.split("/"))
    found = key(path)
    assert found is not None
    assert found.values == (None,) * (len(read.headers) + len(read.query))


def test_strangers_paths_do_not_fill_the_memory() -> None:
    requests = ApiRequests(LANGUAGES)
    scope: dict[str, Any] = {"method": "GET", "query_string": b"", "headers": []}
    for number in range(5000):
        asked = {**scope, "headers": [(b"accept-language", b"x-%d" % number)]}
        requests.key(asked, requests.site(asked, "en"), f"/api/content/{number}")
    assert len(requests._reads) <= 1024
    assert len(requests._sites) <= 1024
