"""The API through the edge: asked once, answered many times, and never with what is over."""

import gzip
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from portolan.builds.live import switch_live

from .conftest import DE, EN, STUDIO, Harbour, pages

ITEMS = orjson.dumps({"items": [{"id": f"office-{number}"} for number in range(60)]})


class Api:
    """Stands for the application behind: counts what it is asked, and answers with its number."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.status = 200
        self.cache = b"public, max-age=0, must-revalidate"
        self.body = ITEMS

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.append((scope["method"], scope["path"]))
        received = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            received += len(message["body"])
            if not message.get("more_body"):
                break
        headers = [
            (b"Content-Type", b"application/json"),
            (b"Cache-Control", self.cache),
            (b"ETag", b'"abc"'),
            (b"Vary", b"Accept-Language"),
        ]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body[:100], "more_body": True})
        await send({"type": "http.response.body", "body": self.body[100:]})


@pytest.fixture
def api() -> Api:
    return Api()


@pytest.fixture
def served(harbour: Harbour, api: Api) -> Harbour:
    return Harbour(harbour.root, harbour.media, harbour.build, lambda: api)


def test_a_read_is_asked_for_once(served: Harbour, api: Api) -> None:
    first, second = served.ask("/api/content/offices"), served.ask("/api/content/offices?utm_source=x")
    assert first.body == second.body == ITEMS
    assert first.headers == second.headers
    assert (first.headers["content-length"], first.headers["etag"]) == (str(len(ITEMS)), '"abc"')
    assert {part.strip() for part in first.headers["vary"].split(",")} == {"Accept-Language", "Accept-Encoding"}
    assert api.asked == [("GET", "/api/content/offices")]


def test_each_site_has_its_own(served: Harbour, api: Api) -> None:
    for host, language in ((EN, ""), (DE, ""), (EN, "de"), (STUDIO, "de"), (DE, "en")):
        served.ask("/api/content/offices", host, **({"accept_language": language} if language else {}))
    assert len(api.asked) == 2


def test_a_new_release_is_asked_for_anew(served: Harbour, api: Api) -> None:
    served.ask("/api/content/offices")
    switch_live(served.root, {"en": "a"}, release=9)
    served.later()
    served.ask("/api/content/offices")
    switch_live(served.root, {"en": "a"}, release=1)  # and back: what came in between counts for nothing
    served.later()
    served.ask("/api/content/offices")
    served.ask("/api/content/offices")
    assert len(api.asked) == 3


@pytest.mark.parametrize(("coding", "unpack"), [("gzip", gzip.decompress), ("identity", bytes)])
def test_it_is_compressed_once(served: Harbour, api: Api, coding: str, unpack: Callable[[bytes], bytes]) -> None:
    answers = [served.ask("/api/content/offices", accept_encoding=coding) for _ in range(2)]
    assert answers[0] == answers[1]
    assert unpack(answers[0].body) == ITEMS
    assert answers[0].headers.get("content-encoding", "identity") == coding
    assert len(api.asked) == 1


def test_the_client_s_copy_is_recognised_in_any_compression(served: Harbour, api: Api) -> None:
    tag = served.ask("/api/content/offices", accept_encoding="gzip").headers["etag"]
    answer = served.ask("/api/content/offices", if_none_match=tag)
    assert (answer.status, answer.body) == (304, b"")
    assert answer.headers["etag"]
    assert served.ask("/api/content/offices", if_none_match='"other"').status == 200
    assert len(api.asked) == 1


def test_a_first_request_with_a_condition_is_answered_like_any(served: Harbour, api: Api) -> None:
    assert served.ask("/api/content/offices", if_none_match='"abc"').status == 304
    assert served.ask("/api/content/offices").body == ITEMS


def test_head_has_the_length_and_no_body(served: Harbour, api: Api) -> None:
    for _ in range(2):
        answer = served.ask("/api/content/offices", method="HEAD")
        assert (answer.body, answer.headers["content-length"]) == (b"", str(len(ITEMS)))
    assert api.asked == [("GET", "/api/content/offices")]


@pytest.mark.parametrize(("status", "cache"), [(404, b"public"), (500, b"public"), (200, b"no-store")])
def test_what_is_not_to_be_kept_is_passed_on(served: Harbour, api: Api, status: int, cache: bytes) -> None:
    api.status, api.cache = status, cache
    for _ in range(2):
        answer = served.ask("/api/content/offices/nowhere")
        assert (answer.status, answer.body) == (status, ITEMS)
    assert len(api.asked) == 2


def test_other_routes_go_through(served: Harbour, api: Api) -> None:
    for _ in range(2):
        served.ask("/api/integration/articles/views")
    assert len(api.asked) == 2


def test_a_site_that_is_not_live_is_asked_for_each_time(served: Harbour, api: Api) -> None:
    for _ in range(2):
        served.ask("/api/content/offices", accept_language="fr")
    assert len(api.asked) == 2


def test_a_client_that_asks_too_much_is_told_when_to_come_back(harbour: Harbour, api: Api) -> None:
    served = Harbour(harbour.root, harbour.media, harbour.build, lambda: api, api_limit_per_minute=3)
    statuses = [served.ask("/api/content/offices").status for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    refused = served.ask("/api/integration/articles/views", method="PUT")
    assert refused.status == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert orjson.loads(refused.body)["code"] == "too-many-requests"
    assert served.ask("/api/integration/form-data", method="POST").status == 200  # no lead is lost for a number
    assert served.ask("/").text == pages("en")["/"]
    served.later(61)
    assert served.ask("/api/content/offices").status == 200


def test_a_body_that_says_it_is_too_large_is_not_read(served: Harbour, api: Api) -> None:
    answer = served.ask("/api/integration/form-data", method="POST", content_length=str(31 << 20))
    assert (answer.status, orjson.loads(answer.body)["code"]) == (413, "body-too-large")
    assert api.asked == []


def test_a_body_that_grows_too_large_is_broken_off(served: Harbour, api: Api) -> None:
    answer = served.ask("/api/integration/form-data", method="POST", parts=[bytes(1 << 20)] * 31)
    assert (answer.status, orjson.loads(answer.body)["code"]) == (413, "body-too-large")
