"""The API through the edge: one request to the API gives many replies, and expired ones are dropped."""

import asyncio
import gzip
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from portolan.builds.live import switch_live
from portolan.domain.content_api import SITE_IN_SCOPE
from portolan.releases.reader import ItemId

from .conftest import DE, EN, REGISTRY, STUDIO, Harbour, ask_scope, build_scope, pages

LANGUAGES = {key: site.language.encode() for key, site in REGISTRY.sites.items()}
ITEMS = orjson.dumps({"items": [{"id": f"office-{number}"} for number in range(60)]})


class Api:
    """Replace the application: count requests, and reply with the count."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.status = 200
        self.cache = b"public, max-age=0, must-revalidate"
        self.body = ITEMS
        self.language = b""
        """The language of each reply. If empty, that of the requested site."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.append((scope["method"], scope["path"]))
        await asyncio.sleep(0)  # others send their requests meanwhile
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
            (b"Content-Language", self.language or LANGUAGES[scope[SITE_IN_SCOPE]]),
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
    switch_live(served.root, {"en": "a"}, release=1)  # and back: switches in between have no effect
    served.later()
    served.ask("/api/content/offices")
    served.ask("/api/content/offices")
    assert len(api.asked) == 3


def test_what_is_blocked_is_asked_for_anew(served: Harbour, api: Api) -> None:
    served.ask("/api/content/offices")
    switch_live(served.root, {"en": "a"}, blocked={ItemId("en", "office", "dallas"): 0})
    served.later()
    served.ask("/api/content/offices")
    assert len(api.asked) == 2


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


@pytest.mark.parametrize(("status", "cache"), [(500, b"public"), (503, b"public"), (403, b""), (200, b"no-store")])
def test_what_is_not_to_be_kept_is_passed_on(served: Harbour, api: Api, status: int, cache: bytes) -> None:
    api.status, api.cache = status, cache
    for _ in range(2):
        answer = served.ask("/api/content/offices/nowhere", accept_encoding="br")
        assert (answer.status, answer.body) == (status, ITEMS)
    assert len(api.asked) == 2


@pytest.mark.parametrize("status", [404, 422])
def test_a_refusal_is_kept_for_a_moment_and_stays_one(served: Harbour, api: Api, status: int) -> None:
    api.status, api.cache = status, b"no-store"
    for coding in ("gzip", "identity", "br"):
        answer = served.ask("/api/content/offices/nowhere", accept_encoding=coding)
        assert (answer.status, answer.body, answer.headers["cache-control"]) == (status, ITEMS, "no-store")
        assert served.ask("/api/content/offices/nowhere", if_none_match="*").status == status
    assert len(api.asked) == 1
    served.later(11)
    served.ask("/api/content/offices/nowhere")
    assert len(api.asked) == 2


def test_a_reply_in_another_language_is_not_kept(served: Harbour, api: Api, caplog: pytest.LogCaptureFixture) -> None:
    api.language = b"de-DE"
    assert served.ask("/api/content/offices").status == 200
    api.language = b""
    assert served.ask("/api/content/offices").headers["content-language"] == "en"
    assert len(api.asked) == 2
    assert "de-DE" in caplog.text


def test_who_asks_for_the_same_at_the_same_time_waits_for_one_answer(served: Harbour, api: Api) -> None:
    async def flood(scope: Any, receive: Any, send: Any) -> None:
        nobody = lambda message: asyncio.sleep(0)  # noqa: E731
        await asyncio.gather(
            *(served.edge(scope, receive, nobody) for _ in range(50)), served.edge(scope, receive, send)
        )

    assert ask_scope(flood, build_scope("/api/content/offices", accept_encoding="br")).status == 200
    assert len(api.asked) == 1


def test_too_many_questions_at_once_are_refused_and_ready_replies_are_not(served: Harbour, api: Api) -> None:
    served.ask("/api/content/offices")
    statuses: list[int] = []

    async def note(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def flood(scope: Any, receive: Any, send: Any) -> None:
        others = [build_scope(f"/api/content/offices/{number}") for number in range(100)]
        asked = [served.edge(other, receive, note) for other in others]
        await asyncio.gather(*asked, served.edge(scope, receive, send))

    assert ask_scope(flood, build_scope("/api/content/offices")).status == 200
    assert (statuses.count(200), statuses.count(503)) == (64, 36)
    assert served.ask("/api/content/offices/99").status == 200


def test_who_waits_behind_a_failure_is_told_of_it(served: Harbour, api: Api) -> None:
    """A database that is down takes seconds to notice, so waiting requests share one failure."""
    api.status, api.cache = 503, b"no-store"

    async def flood(scope: Any, receive: Any, send: Any) -> None:
        nobody = lambda message: asyncio.sleep(0)  # noqa: E731
        others = [build_scope(f"/api/content/offices/{number}") for number in range(20)]
        await asyncio.gather(
            *(served.edge(other, receive, nobody) for other in others), served.edge(scope, receive, send)
        )

    assert ask_scope(flood, build_scope("/api/content/offices")).status == 503
    assert len(api.asked) == 1
    api.status, api.cache = 200, b"public"
    assert served.ask("/api/content/offices").status == 200


def test_a_flood_of_inventions_leaves_what_is_asked_for_again(served: Harbour, api: Api) -> None:
    for _ in range(2):
        served.ask("/api/content/offices")
    for number in range(3000):
        served.ask(f"/api/content/reviews/testimonial/pagination?more={number}")
    asked = len(api.asked)
    served.ask("/api/content/offices")
    assert len(api.asked) == asked


def test_what_is_not_ready_is_bounded_by_client(harbour: Harbour, api: Api) -> None:
    served = Harbour(harbour.root, harbour.media, harbour.build, lambda: api, api_misses_per_minute=3)
    for path in ("content/offices", "content/offices/1", "nothing"):
        assert served.ask(f"/api/{path}", client="203.0.113.9").status == 200
    refused = served.ask("/api/content/offices/2", client="203.0.113.9")
    problem = orjson.loads(refused.body)
    assert (refused.status, refused.headers["content-type"]) == (429, "application/problem+json")
    assert (problem["code"], problem["status"]) == ("too-many-requests", 429)
    assert served.ask("/api/also-nothing", client="203.0.113.9").status == 429
    assert served.ask("/api/content/offices", client="203.0.113.9").status == 200, "what is ready costs nothing"
    assert served.ask("/api/integration/articles/views", client="203.0.113.9").status == 200
    assert served.ask("/api/content/offices/2", client="203.0.113.10").status == 200
    served.later(int(refused.headers["retry-after"]))
    assert served.ask("/api/content/offices/3", client="203.0.113.9").status == 200


def test_addresses_of_one_network_are_one_client(harbour: Harbour, api: Api) -> None:
    served = Harbour(harbour.root, harbour.media, harbour.build, lambda: api, api_misses_per_minute=3)
    found = [served.ask(f"/api/content/offices/{n}", client=f"2001:db8::{n}").status for n in range(1, 5)]
    assert found == [200, 200, 200, 429]
    assert served.ask("/api/content/offices/9", client="2001:db8:0:1::1").status == 200


def test_a_body_that_nobody_asked_for_is_not_read(served: Harbour, api: Api) -> None:
    assert served.ask("/api/content/offices", parts=[bytes(1 << 20)] * 40).status == 200
    assert served.ask("/api/nothing", parts=[bytes(1 << 20)] * 40).status == 200


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
    assert orjson.loads(refused.body)["code"] == "too-many-requests"
    assert served.ask("/api/integration/form-data", method="POST").status == 200  # leads are not limited
    assert served.ask("/").text == pages("en")["/"]
    served.later(int(refused.headers["retry-after"]))
    assert served.ask("/api/content/offices").status == 200


def test_a_body_that_says_it_is_too_large_is_not_read(served: Harbour, api: Api) -> None:
    answer = served.ask("/api/integration/form-data", method="POST", content_length=str(31 << 20))
    assert (answer.status, orjson.loads(answer.body)["code"]) == (413, "body-too-large")
    assert api.asked == []


def test_a_body_that_grows_too_large_is_broken_off(served: Harbour, api: Api) -> None:
    answer = served.ask("/api/integration/form-data", method="POST", parts=[bytes(1 << 20)] * 31)
    assert (answer.status, orjson.loads(answer.body)["code"]) == (413, "body-too-large")
