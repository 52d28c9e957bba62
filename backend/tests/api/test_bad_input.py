"""Any input gets a problem with a stable code, instead of a trace or a status 500."""

from typing import Any, NamedTuple

import pytest
from django.test import Client

from .conftest import assert_problem
from .content.release_items import build_release

LONG = "x" * 65_536


class Row(NamedTuple):
    path: str
    status: int
    code: str
    headers: dict[str, str] = {}
    field: str = ""
    """What ``errors`` names."""


ROWS = [
    # ids
    Row("content/offices/atlantis", 404, "unknown-office"),
    Row("content/offices/%00", 404, "unknown-office"),
    Row("content/offices/%D0%B4%F0%9F%98%80", 404, "unknown-office"),
    Row("content/offices/{0}", 404, "unknown-office"),
    Row("content/news/none", 404, "unknown-news"),
    Row("content/news/n-01%20", 404, "unknown-news"),
    Row("content/reviews/none", 404, "unknown-review"),
    Row("content/projects/related/service/none", 404, "unknown-project"),
    # facets
    Row("content/projects/related/colour/one", 404, "unknown-facet"),
    Row("content/filter/industries/health", 404, "unknown-facet"),
    Row("content/filter/INDUSTRY/health", 404, "unknown-facet"),
    Row("content/filter/industry/alchemy", 404, "unknown-facet-value"),
    Row("content/filter/industry/web", 404, "unknown-facet-value"),
    # page keys
    Row("content/projects/cards", 404, "unknown-page-key", {"Page-Key": ""}),
    Row("content/projects/cards", 404, "unknown-page-key", {"Page-Key": "/"}),
    Row("content/projects/cards", 404, "unknown-page-key", {"Page-Key": "/services/web"}),
    Row("content/projects/cards", 404, "unknown-page-key", {"Page-Key": "gone"}),
    Row("content/projects/cards", 404, "unknown-page-key", {"Page-Key": "\xff\xfe"}),
    Row("content/projects/cards", 422, "invalid-value", {}, "header.Page-Key"),
    Row("content/reviews", 404, "unknown-page-key", {"Page-Key": "no/such/page"}),
    # countries
    *(
        Row("content/events", 422, "invalid-value", {"Country-Code": code}, "header.Country-Code")
        for code in ("", "zz", "d", "deu", "d e", "\xfc\xfc", "de,fr", "de\ten", "uk")
    ),
    Row("content/reviews", 422, "invalid-value", {"Country-Code": "eu"}, "header.Country-Code"),
    Row("content/reviews/testimonial/pagination?countryCode=xx", 422, "invalid-value", {}, "query.countryCode"),
    Row("content/reviews/testimonial/pagination?countryCode=", 422, "invalid-value", {}, "query.countryCode"),
    Row("content/reviews/testimonial/pagination?countryCode=%00%ff", 422, "invalid-value", {}, "query.countryCode"),
    # pages
    *(
        Row(f"content/news/pagination?page={value}", 422, "invalid-value", {}, "query.page")
        for value in ("0", "-1", "two", "", "1.5", "1e3", "%00", "%ff", "NaN", "9" * 5000)
    ),
    Row("content/news/pagination?page=3", 404, "unknown-page"),
    Row(f"content/news/pagination?page={10**30}", 404, "unknown-page"),
    Row("content/news/pagination?perPage=0", 422, "invalid-value", {}, "query.perPage"),
    Row("content/news/pagination?perPage=51", 422, "invalid-value", {}, "query.perPage"),
    Row("content/news/pagination?page[]=1&page=x", 422, "invalid-value", {}, "query.page"),
    Row("content/reviews/testimonial/pagination?more=-1", 422, "invalid-value", {}, "query.more"),
    Row("content/reviews/testimonial/pagination?more=null", 422, "invalid-value", {}, "query.more"),
    # versions
    *(
        Row("content/offices", 400, "unsupported-version", {"Api-Version": value})
        for value in ("", "v4", "V5", "5", "v5,v5", "v5\xff")
    ),
    # headers of 64 kB
    *(
        Row("content/events", 431, "headers-too-large", {name: LONG})
        for name in ("Accept-Language", "Api-Version", "Country-Code", "Page-Key", "If-None-Match", "X-Anything")
    ),
    # paths
    Row("", 404, "unknown-route"),
    Row("content", 404, "unknown-route"),
    Row("content/offices/", 404, "unknown-route"),
    Row("content/offices/a/b", 404, "unknown-route"),
    Row("content/offices%2Fdallas%2Fx", 404, "unknown-route"),
    Row("content/filter/industry", 404, "unknown-route"),
    Row("content/%FF%FE", 404, "unknown-route"),
    Row("content/news/pagination/%00", 404, "unknown-route"),
    Row("openapi.yaml", 404, "unknown-route"),
]


@pytest.fixture
def release(snapshot):
    snapshot(build_release())


@pytest.mark.postgres
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.path[:50]} {str(row.headers)[:40]}")
def test_is_answered_with_a_problem(release, get, row):
    reply = get(f"/api/{row.path}", **{"Accept-Language": "en", **row.headers})
    problem = assert_problem(reply, row.status, row.code)
    assert [error["field"] for error in problem["errors"]] == ([row.field] if row.field else [])
    assert all(error["message"] for error in problem["errors"])
    assert len(reply.content) < 8192, "what came in is not sent back at length"
    assert reply["Api-Version"] == "v5"
    assert reply["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("header", ["\xff", ";;;q=", "de;q=1e999", "*", ",,,", "de;q=nan", "uk-UA-" + "x-" * 500])
def test_a_language_nobody_speaks_is_no_error(release, get, header):
    reply = get("/api/content/offices", Accept_Language=header)
    assert reply.status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "BREW"])
def test_a_method_it_does_not_take_is_named(release, client: Client, method):
    reply = client.generic(method, "/api/content/offices", headers={"Host": "localhost"})
    assert_problem(reply, 405, "method-not-allowed")
    assert reply["Allow"] == "GET, HEAD, OPTIONS"


BODIES: list[tuple[str, Any]] = [
    ("application/json", b"{"),
    ("application/json", b"\x00\xff" * 100),
    ("application/json", b"[" * 100_000),
    ("multipart/form-data", b"--x\r\n"),
    ("multipart/form-data; boundary=" + "x" * 5000, b"--x"),
    ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="a\r\n\r\n'),
    ("application/x-www-form-urlencoded", b"%ff=%00&" * 5000),
    ("text/html", b"<script>"),
    ("nonsense", b"x"),
    ("application/json; charset=nonsense", b"{}"),
]


@pytest.mark.parametrize(("content_type", "body"), BODIES)
def test_a_body_nobody_asked_for_changes_nothing(release, client: Client, content_type, body):
    headers = {"Host": "localhost", "Accept-Language": "en"}
    reply = client.generic("GET", "/api/content/offices", body, content_type, headers=headers)
    assert reply.status_code == 200
    assert len(reply.json()["items"]) == 2
    posted = client.generic("POST", "/api/content/offices", body, content_type, headers=headers)
    assert_problem(posted, 405, "method-not-allowed")


def test_unknown_parameters_and_repeated_ones_do_no_harm(release, get):
    reply = get("/api/content/news/pagination?page=9&page=2&x=%ff&%00=1", Accept_Language="en")
    assert reply.json()["page"] == 2


@pytest.mark.postgres
def test_a_database_that_is_gone_is_said_to_be_so(release, get, monkeypatch, caplog):
    from django.db import OperationalError

    def fail(request: object) -> None:
        raise OperationalError("server closed the connection at 10.0.0.7")

    monkeypatch.setattr("portolan.api.content.offices.read_content", fail)
    reply = get("/api/content/offices")
    assert_problem(reply, 503, "unavailable")
    assert reply["Retry-After"] == "5"
    assert "10.0.0.7" not in reply.content.decode()
