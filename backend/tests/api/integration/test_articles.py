from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from portolan.article_views.models import ArticleView
from portolan.domain.client_limits import ClientLimits

from ..conftest import assert_problem
from .conftest import HOSTS

VIEWS = "/api/integration/articles/views"
BLUEPRINTS = "/api/integration/articles/blueprints/views"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"

ITEM: dict[str, Any] = {"order": 0, "value": {}}
Get = Callable[..., HttpResponse]
Put = Callable[..., HttpResponse]


@pytest.fixture
def put(client: Client) -> Put:
    def send(id: str, address: str = "203.0.113.7", body: bytes = b"", **headers: str) -> HttpResponse:
        given = {"Host": HOSTS["en"], **{name.replace("_", "-"): value for name, value in headers.items()}}
        return client.put(f"{VIEWS}/{id}", data=body, headers=given, REMOTE_ADDR=address)

    return send


@pytest.fixture(autouse=True)
def articles(snapshot: Callable[[dict[tuple[str, str, str], Any]], object]) -> None:
    snapshot(
        {
            ("en", "news", "b"): ITEM,
            ("de", "news", "b"): ITEM,
            ("pl", "news", "c"): ITEM,
            ("en", "blueprint", "a"): ITEM,
            ("en", "project", "d"): ITEM,
        }
    )


def test_a_view_is_one_more(put: Put, get: Get) -> None:
    for views in (1, 2, 3):
        reply = put("b")
        assert reply.status_code == 200
        assert reply.json() == {"id": "b", "views": views}
        assert reply["Cache-Control"] == "no-store"
    assert put("a").json() == {"id": "a", "views": 1}


def test_all_articles_of_all_sites_are_listed_by_id_with_zeros(put: Put, get: Get) -> None:
    put("c")
    reply = get(VIEWS)
    assert reply.json() == {"items": [{"id": "a", "views": 0}, {"id": "b", "views": 0}, {"id": "c", "views": 1}]}
    assert reply["Cache-Control"] == "no-store"
    assert "ETag" not in reply
    assert get(VIEWS, "pl").json() == reply.json()


def test_a_blueprint_tells_its_own(put: Put, get: Get) -> None:
    assert get(f"{BLUEPRINTS}/a").json() == {"id": "a", "views": 0}
    put("a")
    reply = get(f"{BLUEPRINTS}/a")
    assert reply.json() == {"id": "a", "views": 1}
    assert reply["Cache-Control"] == "no-store"
    assert_problem(get(f"{BLUEPRINTS}/b"), 404, "unknown-article")


@pytest.mark.parametrize("id", ["d", "e", "%00", "..%2fb", "a%20", "'", "x" * 5000, "%F0%9D%84%9E"])
def test_an_unknown_article_is_not_counted(id: str, put: Put, get: Get) -> None:
    assert_problem(put(id), 404, "unknown-article" if "%2f" not in id else "unknown-route")
    assert_problem(get(f"{BLUEPRINTS}/{id}"), 404, "unknown-article" if "%2f" not in id else "unknown-route")
    assert not ArticleView.objects.exists()


def test_before_the_first_release_there_are_none(put: Put, get: Get, db: None) -> None:
    from portolan.releases.models import Release

    Release.objects.all().delete()
    assert_problem(put("b"), 503, "nothing-published")
    assert_problem(get(VIEWS), 503, "nothing-published")


@pytest.mark.parametrize("body", [b"", b"{", b"\xff" * 100_000, b'{"views": 1000}'])
@pytest.mark.parametrize("content_type", ["", "application/json", "multipart/form-data; boundary=x"])
def test_a_body_is_ignored(body: bytes, content_type: str, put: Put) -> None:
    assert put("b", body=body, Content_Type=content_type).json()["views"] == 1


def test_who_counts_too_fast_waits(put: Put, settings: Settings) -> None:
    settings.CLIENT_LIMITS = ClientLimits(email=0, views=60, leads=0, lead_flood=0)
    assert {put("b").status_code for _ in range(60)} == {200}
    reply = put("b")
    assert_problem(reply, 429, "too-many-requests")
    assert 0 < int(reply["Retry-After"]) <= 120
    assert put("b", address="203.0.113.8").json()["views"] == 61


def test_repeats_and_bots_count_unless_the_operator_says_otherwise(put: Put, settings: Settings) -> None:
    for _ in range(2):
        put("b", User_Agent=FIREFOX)
    assert put("b", User_Agent="Googlebot/2.1").json()["views"] == 3
    settings.VIEWS_WITHOUT_REPEATS = True
    replies = [put("b", User_Agent=FIREFOX).json()["views"] for _ in range(100)]
    assert set(replies) == {4}
    assert put("b", address="203.0.113.9", User_Agent="Googlebot/2.1").json() == {"id": "b", "views": 4}
    assert put("b", address="203.0.113.8", User_Agent=FIREFOX).json() == {"id": "b", "views": 5}


def test_other_methods_are_refused(client: Client) -> None:
    for method in ("POST", "DELETE", "PATCH"):
        assert_problem(client.generic(method, f"{VIEWS}/b", headers={"Host": HOSTS["en"]}), 405, "method-not-allowed")
    assert not ArticleView.objects.exists()
