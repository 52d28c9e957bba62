"""Forms as browsers without scripts send them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from portolan.api import plain_forms
from portolan.builds.live import switch_live
from portolan.builds.manifest import File, Manifest, write_manifest
from portolan.builds.store import ContentStore
from portolan.domain.plain_forms import FORM_PATH
from portolan.leads import housekeeping
from portolan.leads.models import Lead
from portolan.leads.refusals import LeadNotStored

from ..leads.conftest import BOUNDARY, FORM, PDF, encode
from .conftest import assert_problem
from .test_filled_page import PAGE

pytestmark = pytest.mark.django_db

Post = Callable[..., HttpResponse]
POLICY = {"Content-Security-Policy": "default-src 'none'"}


@pytest.fixture(autouse=True)
def published(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A contact page that is live on the German site."""
    settings.LEADS_DIR = tmp_path / "leads"
    monkeypatch.setattr(housekeeping, "_next_at", float("inf"))
    builds = settings.BUILDS_DIR = tmp_path / "builds"
    store = ContentStore(builds)
    digest = store.put(PAGE.encode())
    store.sync([digest])
    files = {"/kontakt": File(digest, "text/html; charset=utf-8", len(PAGE.encode()))}
    manifest = Manifest(
        site="de", build="b1", release=1, web="w", created="2026-11-21T09:00:00+00:00", html_headers=POLICY, files=files
    )
    write_manifest(builds, manifest, None)
    switch_live(builds, {"de": "b1"})
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def post(settings: Settings) -> Post:
    """``post({"message": None}, Origin="…")``: the form of that page with changes; ``None`` leaves a field or header out."""

    def send(
        changes: dict[str, str | None] | None = None,
        files: list[tuple[str, str, bytes]] | None = None,
        more: list[tuple[str, str]] | None = None,
        query: str = "",
        **headers: str | None,
    ) -> HttpResponse:
        origin = settings.SITE_ORIGINS["de"]
        fields = {**FORM, "form": "contact", **(changes or {})}
        body = encode([*((key, value) for key, value in fields.items() if value is not None), *(more or [])], files)
        given = {"Host": urlsplit(origin).netloc, "Origin": origin, "Referer": f"{origin}/kontakt?gclid=1"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}  # type: ignore[dict-item]
        return Client(enforce_csrf_checks=True).post(
            f"{FORM_PATH}?done=b1-form-sent{query}",
            body,
            content_type=f"multipart/form-data; boundary={BOUNDARY}",
            headers={name: value for name, value in given.items() if value is not None},
        )

    return send


def test_a_form_is_stored_and_leads_back_to_the_pages_thanks(post: Post) -> None:
    reply = post(files=[("attachments", "a.pdf", PDF), ("attachments", "b.pdf", PDF + b" ")])
    assert (reply.status_code, reply["Location"]) == (303, "/kontakt#b1-form-sent")
    assert reply["Cache-Control"] == "no-store"
    lead = Lead.objects.get()
    assert (lead.site, lead.fields["contact"]["name"]) == ("de", FORM["contact[name]"])
    assert lead.files.count() == 2


def test_boxes_of_one_name_are_a_list(post: Post) -> None:
    assert post(more=[("services", "web-development"), ("services", "devops")]).status_code == 303
    assert Lead.objects.get().fields["services"] == ["web-development", "devops"]


def test_the_same_form_twice_is_one_lead(post: Post) -> None:
    assert [post().status_code, post().status_code] == [303, 303]
    assert Lead.objects.count() == 1


def test_what_is_wrong_is_answered_with_the_page(post: Post) -> None:
    reply = post({"contact[email]": "nobody"})
    html = reply.content.decode()
    assert (reply.status_code, reply["Content-Type"]) == (422, "text/html; charset=utf-8")
    assert reply["Content-Security-Policy"] == POLICY["Content-Security-Policy"]
    assert 'value="nobody"' in html and ">Keine Adresse.</a>" in html
    assert not Lead.objects.exists()


def test_a_file_that_is_not_taken_leaves_the_rest(post: Post) -> None:
    html = post(files=[("attachments", "a.exe", b"MZ")]).content.decode()
    assert ">Datei nicht angenommen.</a>" in html and FORM["message"] in html


def test_more_files_than_a_lead_may_have_leave_the_rest(post: Post) -> None:
    html = post(files=[("attachments", f"{n}.pdf", bytes((9 << 20) + n)) for n in range(4)]).content.decode()
    assert ">Datei nicht angenommen.</a>" in html and FORM["message"] in html
    assert not Lead.objects.exists()


def test_a_failure_of_ours_keeps_what_was_typed(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise LeadNotStored

    monkeypatch.setattr(plain_forms, "accept_lead", fail)
    reply = post()
    assert (reply.status_code, reply["Retry-After"]) == (503, "60")
    assert "Nicht gesendet." in reply.content.decode() and FORM["message"] in reply.content.decode()


@pytest.mark.parametrize(
    "referer",
    [None, "http://de.localhost:8000/", "https://elsewhere.example/x", "http://de.localhost:8000//evil.example"],
)
@pytest.mark.parametrize(
    ("said", "page"),
    [
        ("http://de.localhost:8000/kontakt", "/kontakt"),
        ("http://de.localhost:8000//evil.example", "/"),
        ("https://elsewhere.example/kontakt", "/"),
        (None, "/"),
    ],
)
def test_a_browser_that_does_not_say_where_it_was_is_led_to_the_page_the_form_names(
    post: Post, referer: str | None, said: str | None, page: str
) -> None:
    if referer and referer.endswith("//evil.example"):
        page = "/"
    answer = post({"pageUrl": said}, Referer=referer)
    assert answer["Location"] == f"{page}#b1-form-sent" if answer.status_code == 303 else page == "/"


def test_without_a_referer_the_page_is_shown_again_with_what_was_typed(post: Post) -> None:
    page = {"pageUrl": "http://de.localhost:8000/kontakt"}
    html = post({**page, "contact[email]": "nobody"}, Referer=None).content.decode()
    assert 'value="nobody"' in html and ">Keine Adresse.</a>" in html


def test_a_browser_that_withholds_its_origin_says_that_it_is_the_same(post: Post) -> None:
    """Pages that may not send a Referer get the Origin "null" from browsers."""
    assert post(Origin="null", Sec_Fetch_Site="same-origin", Referer=None).status_code == 303
    for elsewhere in ("cross-site", "same-site", "none"):
        assert post(Origin="null", Sec_Fetch_Site=elsewhere, Referer=None).status_code == 403, elsewhere


@pytest.mark.parametrize(
    ("query", "page"),
    [("&page=%2Fkontakt", "/kontakt"), ("&page=%2F%2Fevil.example", "/"), ("&page=x", "/"), ("", "/kontakt")],
)
def test_a_form_that_was_sent_back_names_its_page(post: Post, settings: Settings, query: str, page: str) -> None:
    reply = post(query=query, Referer=f"{settings.SITE_ORIGINS['de']}{FORM_PATH}?done=b1-form-sent")
    assert reply["Location"] == f"{page}#b1-form-sent"


def test_where_the_page_is_gone_the_refusal_is_plain(post: Post, settings: Settings) -> None:
    reply = post({"contact[email]": "nobody"}, Referer=f"{settings.SITE_ORIGINS['de']}/gone")
    assert_problem(reply, 422, "form-not-taken")


@pytest.mark.parametrize("origin", [None, "https://elsewhere.example", "null"])
def test_a_form_of_somebody_elses_page_is_refused(post: Post, origin: str | None) -> None:
    assert_problem(post(Origin=origin), 403, "cross-origin")
    assert not Lead.objects.exists()


def test_other_hosts_and_methods_are_refused(post: Post, settings: Settings) -> None:
    studio = settings.WAGTAILADMIN_BASE_URL
    assert_problem(post(Host=urlsplit(studio).netloc, Origin=studio), 421, "unknown-host")
    host = urlsplit(settings.SITE_ORIGINS["de"]).netloc
    reply = Client().get(FORM_PATH, headers={"Host": host})
    assert_problem(reply, 405, "method-not-allowed")
    assert reply["Allow"] == "POST"
