"""Choices about cookies, as pages send them, and all other requests to that URL."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from portolan.consent_records.models import ConsentRecord
from portolan.domain.client_limits import ClientLimits
from portolan.domain.consent import CONSENT_PATH, LARGEST_CHOICE

from ..consent_records.conftest import CHOICE
from .conftest import assert_problem

pytestmark = pytest.mark.django_db

Post = Callable[..., HttpResponse]


@pytest.fixture
def post(settings: Settings) -> Post:
    """``post(CHOICE, "de", Origin="…")``: as a page of that site sends it; ``None`` leaves a header out."""

    def send(body: Any = CHOICE, site: str = "de", address: str = "203.0.113.7", **headers: str | None) -> HttpResponse:
        origin = settings.SITE_ORIGINS.get(site, settings.WAGTAILADMIN_BASE_URL)
        given = {"Host": urlsplit(origin).netloc, "Origin": origin, "Sec-Fetch-Site": "same-origin"}
        content_type = headers.pop("Content_Type", "application/json")
        given |= {name.replace("_", "-"): value for name, value in headers.items()}  # type: ignore[dict-item]
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return Client(enforce_csrf_checks=True).post(
            CONSENT_PATH,
            data,
            content_type=content_type or "",
            headers={name: value for name, value in given.items() if value is not None},
            REMOTE_ADDR=address,
        )

    return send


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.mark.postgres
def test_a_choice_is_kept_for_the_site_it_came_to(post: Post) -> None:
    reply = post()
    assert (reply.status_code, reply.content, reply["Cache-Control"]) == (204, b"", "no-store")
    assert not reply.cookies
    record = ConsentRecord.objects.get()
    assert (record.site, record.ad_storage, record.analytics_storage, record.method) == ("de", False, True, "settings")


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ({"ad_storage": False, "analytics_storage": True}, True),
        ({"ad_storage": True, "analytics_storage": True, "policy_version": "2026-1"}, True),
        ({"ad_storage": "yes", "analytics_storage": True}, False),
        ({"ad_storage": True, "analytics_storage": True, "more": 1}, False),
        ({"ad_storage": True, "analytics_storage": True, "policy_version": "1; Domain=x"}, False),
        ("x", False),
    ],
)
def test_the_browser_s_own_cookie_is_set_again_by_the_answer(post: Post, sent: Any, kept: bool) -> None:
    """Safari deletes cookies set by scripts after seven days."""
    value = quote(json.dumps(sent, separators=(",", ":")), safe="")
    reply = post(Cookie=f"other=1; consent_status={value}")
    assert reply.status_code == 204
    assert [*reply.cookies] == (["consent_status"] if kept else [])
    if kept:
        cookie = reply.cookies["consent_status"]
        assert (cookie.value, cookie["path"], cookie["samesite"], cookie["secure"]) == (value, "/", "Lax", "")
        assert not cookie["httponly"] and not cookie["domain"], "scripts read it"
        lasts = parsedate_to_datetime(cookie["expires"]) - timezone.now()
        assert timedelta(days=88) < lasts < timedelta(days=93)


def test_by_https_that_cookie_is_secure(post: Post, settings: Settings) -> None:
    settings.SITE_ORIGINS = {**settings.SITE_ORIGINS, "de": "https://de.localhost:8000"}
    value = quote('{"ad_storage":true,"analytics_storage":true}', safe="")
    assert post(Cookie=f"consent_status={value}").cookies["consent_status"]["secure"] is True


def test_a_page_of_another_site_sets_no_cookie(post: Post) -> None:
    reply = post(Origin="https://elsewhere.example", Cookie="consent_status=%7B%7D")
    assert (reply.status_code, [*reply.cookies]) == (403, [])


@pytest.mark.parametrize("method", ["accept", "reject", "settings"])
def test_every_way_to_choose_is_known(post: Post, method: str) -> None:
    assert post({**CHOICE, "method": method}, "ae").status_code == 204
    assert ConsentRecord.objects.get().method == method


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"policyVersion": ""}, "body.policyVersion"),
        ({"policyVersion": "1\n"}, "body.policyVersion"),
        ({"policyVersion": 1}, "body.policyVersion"),
        ({"textHash": "0" * 31}, "body.textHash"),
        ({"textHash": "G" * 32}, "body.textHash"),
        ({"choices": {}}, "body.choices.ad_storage"),
        ({"choices": {"ad_storage": "yes", "analytics_storage": True}}, "body.choices.ad_storage"),
        ({"choices": {"ad_storage": 1, "analytics_storage": True}}, "body.choices.ad_storage"),
        ({"choices": {"adStorage": True, "analytics_storage": True}}, "body.choices.ad_storage"),
        ({"choices": {"ad_storage": True, "analytics_storage": True, "x": True}}, "body.choices.x"),
        ({"method": "scroll"}, "body.method"),
        ({"ip": "203.0.113.7"}, "body.ip"),
    ],
)
def test_a_value_that_does_not_fit_is_named(post: Post, change: dict[str, Any], field: str) -> None:
    problem = assert_problem(post({**CHOICE, **change}), 422, "invalid-value")
    assert field in [error["field"] for error in problem["errors"]]
    assert not ConsentRecord.objects.exists()


@pytest.mark.parametrize("body", [b"{", b"[]", b"null", b'"x"', b"\xff", b"1" * 200])
def test_what_is_no_choice_at_all_is_refused(post: Post, body: bytes) -> None:
    assert_problem(post(body), 422, "invalid-value")


def test_a_body_larger_than_any_choice_is_refused_unread(post: Post) -> None:
    body = json.dumps(CHOICE).encode()
    assert post(body + b" " * (LARGEST_CHOICE - len(body))).status_code == 204
    assert_problem(post(body + b" " * (LARGEST_CHOICE + 1 - len(body))), 413, "body-too-large")


@pytest.mark.parametrize("content_type", ["text/plain", "multipart/form-data; boundary=x", ""])
def test_only_json_is_taken(post: Post, content_type: str) -> None:
    assert_problem(post(Content_Type=content_type), 415, "no-json")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://localhost:8000"},
        {"Origin": "null", "Sec_Fetch_Site": "cross-site"},
        {"Origin": "null", "Sec_Fetch_Site": None},
        {"Origin": None},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "none"},
    ],
)
def test_only_pages_of_the_site_itself_may_send_one(post: Post, headers: dict[str, str | None]) -> None:
    assert_problem(post(**headers), 403, "cross-origin")
    assert not ConsentRecord.objects.exists()


def test_a_browser_that_says_nothing_of_how_origins_relate_is_believed_its_origin(post: Post) -> None:
    assert post(Sec_Fetch_Site=None).status_code == 204


def test_the_studio_takes_none(post: Post) -> None:
    assert_problem(post(site="studio"), 421, "unknown-host")


@pytest.mark.parametrize("method", ["get", "put", "delete", "patch", "options"])
def test_other_methods_are_refused(client: Client, method: str) -> None:
    reply = getattr(client, method)(CONSENT_PATH, headers={"Host": "de.localhost:8000"})
    assert_problem(reply, 405, "method-not-allowed")
    assert reply["Allow"] == "POST"


def test_whoever_sends_many_waits(post: Post, settings: Settings) -> None:
    settings.CLIENT_LIMITS = ClientLimits(email=0, views=0, leads=0, lead_flood=0, consent=2)
    assert [post().status_code for _ in range(3)] == [204, 204, 429]
    reply = post()
    assert_problem(reply, 429, "too-many-requests")
    assert 0 < int(reply["Retry-After"]) <= 120
    assert post(address="203.0.113.8").status_code == 204


@pytest.mark.postgres
def test_a_database_that_is_away_is_said(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr("portolan.api.consent.record_choice", fail)
    assert_problem(post(), 503, "unavailable")


def test_it_is_no_operation_of_the_content_api() -> None:
    from portolan.api.document import build_document

    paths = build_document()["paths"]
    assert not [path for path in paths if "consent" in path]
    assert (
        sum(len([m for m in item if m in ("get", "put", "post", "delete", "patch")]) for item in paths.values()) == 29
    )
