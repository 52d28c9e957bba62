"""The edge and the API choose the same site for any request, so a reply stays on its site."""

import json
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from hypothesis import given, settings
from hypothesis import strategies as st

from portolan.api.headers import ApiHeaders
from portolan.domain.content_api import API_PREFIX, READS

from .conftest import DE, EN, STUDIO, Answer, Harbour, ask_scope, build_scope

PATH = "/api/content/offices"
Field = tuple[bytes, bytes]


class Django:
    """Our middleware, and an operation that replies with all fields that a read may use."""

    def __init__(self) -> None:
        self.requests = 0
        self._middleware = ApiHeaders(self._operate)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.requests += 1
        response = self._middleware(ASGIRequest(scope, BytesIO()))
        headers = [(name.encode(), value.encode("latin-1")) for name, value in response.items()]
        await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": response.content})

    def _operate(self, request: HttpRequest) -> HttpResponse:
        path = request.path.removeprefix(API_PREFIX)
        read = next(read for read in READS if read.path == path)
        said: Mapping[str, Any] = {
            "site": request.site_key,  # type: ignore[attr-defined]
            "headers": {name: request.headers.get(name) for name in read.headers},
            "query": {name: request.GET.get(name) for name in read.query},
        }
        wrong = [value for value in (*said["headers"].values(), *said["query"].values()) if value and len(value) > 9]
        return JsonResponse({**said, "padding": "x" * 600}, status=422 if wrong else 200)


@pytest.fixture
def served(harbour: Harbour) -> Harbour:
    return Harbour(harbour.root, harbour.media, harbour.build, Django)


def ask(harbour: Harbour, path: str, fields: list[Field], method: str = "GET") -> Answer:
    return ask_scope(harbour.edge, {**build_scope(path, None, method), "headers": fields})


@pytest.mark.parametrize(
    ("hostile", "host", "site"),
    [
        ([(b"host", b"localhost:8000"), (b"accept-language", b"de"), (b"accept-language", b"en")], EN, "en"),
        ([(b"host", b"localhost:8000"), (b"accept-language", b"de"), (b"accept-language", b"xx")], EN, "en"),
        ([(b"host", b"DE.localhost:8000")], DE, "de"),
        ([(b"host", b"De.LocalHost:8000")], DE, "de"),
        ([(b"host", b"localhost:8000"), (b"accept-language", b"de" + b"-x" * 700)], EN, "en"),
        ([(b"host", b"localhost:8000"), (b"x-forwarded-host", b"de.localhost:8000")], EN, "en"),
        ([(b"host", b"localhost:8000"), (b"accept_language", b"de")], EN, "en"),
    ],
)
def test_no_request_leaves_another_sites_reply_behind(
    served: Harbour, hostile: list[Field], host: str, site: str
) -> None:
    first = ask(served, PATH, hostile)
    plain = served.ask(PATH, host)
    assert json.loads(plain.body)["site"] == site
    assert plain.headers["content-language"] == {"de": "de-DE", "en": "en"}[site]
    assert first.status == 200


HOSTS = [EN, DE, STUDIO, "LOCALHOST:8000", "De.Localhost:8000", "de.localhost", "de.localhost:80", "de.localhost.:8000"]
HOSTS += [
    "[::1]:8000",
    "",
    " de.localhost:8000",
    "evil.example",
    "de.localhost:8000@evil",
    "de.localhost:8000,localhost",
]
LANGUAGES = [
    "de",
    "DE",
    " de ",
    "en",
    "en-GB",
    "ae",
    "uk,de;q=0.9",
    "de;q=0,en",
    "",
    "*",
    "de-" + "x-" * 600,
    "\xff",
    "xx",
]
VALUES: dict[bytes, list[str]] = {
    b"accept-language": LANGUAGES,
    b"api-version": ["v5", "V5", "", "v4", " v5"],
    b"country-code": ["de", "DE", " de ", "d e", "", "zz", "de,fr", "x" * 300, "\xe4"],
    b"page-key": ["home", "HOME", "", "a/b", "x" * 300, "home,home", "\xfc"],
    b"accept-encoding": ["br", "gzip", "identity", "br;q=0", "*"],
    b"x-forwarded-host": [DE],
    b"x-http-method-override": ["POST"],
    b"cookie": ["sessionid=x", "country_code=de"],
    b"range": ["bytes=0-3"],
    b"origin": ["http://evil.example", "null"],
    b"accept_language": ["de"],
    b"content-length": ["0"],
}
PATHS = ["content/offices", "content/events", "content/reviews", "content/projects/cards", "content/news/pagination"]
QUERIES = ["", "page=2", "page=002", "perPage=5&page=2", "page=2&page=3", "page=%32", "x=1&page=2", "page=", "page=-1"]
QUERIES += [
    "page=" + "9" * 30,
    "page=1" + "&x" * 200,
    "page=\xff",
    "page=%ff",
    "page[]=2",
    "page=2;perPage=3",
    "PAGE=2",
]

field = st.sampled_from(sorted(VALUES)).flatmap(
    lambda name: st.sampled_from(VALUES[name]).map(lambda value: (name, value.encode("latin-1")))
)
host = st.sampled_from(HOSTS).map(lambda name: (b"host", name.encode()))
fields = st.builds(lambda *parts: [*parts[0], parts[1]], st.lists(field, max_size=2), host)
requests = st.sampled_from(PATHS).flatmap(
    lambda path: st.lists(
        st.tuples(st.just(path), st.sampled_from(QUERIES), fields, st.sampled_from(["GET", "GET", "HEAD"])),
        min_size=4,
        max_size=8,
    )
)
"""Requests for one read, so that some of them share a reply."""


def test_an_edge_that_keeps_replies_answers_as_one_that_keeps_none(harbour: Harbour) -> None:
    kept = 0

    @settings(max_examples=60, deadline=None)
    @given(requests)
    def compare(asked: list[tuple[str, str, list[Field], str]]) -> None:
        nonlocal kept
        behind, fresh = Django(), Django()
        keeping = Harbour(harbour.root, harbour.media, harbour.build, lambda: behind)
        for path, query, fields, method in asked:
            forgetful = Harbour(harbour.root, harbour.media, harbour.build, lambda: fresh)
            target = f"/api/{path}" + (f"?{query}" if query else "")
            assert ask(keeping, target, fields, method) == ask(forgetful, target, fields, method)
        kept += fresh.requests - behind.requests

    compare()
    assert kept > 10, "the edge has hardly kept a reply"
