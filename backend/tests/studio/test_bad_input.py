"""Any values in a request are handled without the studio's error page. The views come from the URL resolver."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.paginator import EmptyPage
from django.db import DataError, transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils.datastructures import MultiValueDictKeyError
from wagtail.documents.models import Document
from wagtail.models import Page

from portolan.content.models import Office, OfficeCategory, ServicePage, SiteImage
from portolan.content.redirects import Redirect
from portolan.studio.bad_requests import RefuseUnreadable, show_bad_request

from . import test_roles
from .test_roles import World

pytestmark = pytest.mark.django_db
world = test_roles.world

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="1" height="1"/></svg>'
OTHERS = re.compile(r"admin/(login|logout|test404|failwhale|account/signing-in)|\^\.\*")
"""Signing in has its own tests; two views only show an error page."""
COUNTS = re.compile(r"-count$|_FORMS$")
ODD = (
    "9" * 5000,
    "-1",
    "a\x00b",
    "[" * 20_000,
    '{"a": 1}',
    "null",
    '{"blocks": [{"text": "\\ud800", "type": "x", "depth": 0, "inlineStyleRanges": [], "entityRanges": [{"key": 5}]}], "entityMap": {}}',
    str(10**19),
    "é x",
    "",
    "x" * 20_000,
)
QUERIES = ('"', "(((", 'a" OR NEAR(*', "a:b*", "-1", "9" * 30, "a\x00b", "😀", "a " * 3000)

PARAMETERS = ("q", "search", "p", "page", "ordering", "site", "locale", "collection_id", "id", "user", "date")


@pytest.fixture
def editor(client: Client, world: World) -> Client:
    client.defaults["HTTP_HOST"] = "studio.localhost"
    client.raise_request_exception = False
    client.force_login(User.objects.create_superuser("root", "root@example.com", "x"))
    return client


def walk(patterns: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from walk(each.url_patterns, prefix + str(each.pattern))
        elif isinstance(each, URLPattern):
            yield prefix + str(each.pattern), each.callback


def list_urls(world: World) -> list[str]:
    """Return one URL of each view; for views that add or edit, one URL per model."""
    found: dict[Any, str] = {}
    address = addresses(world)
    for route, view in walk(get_resolver().url_patterns):
        if route.startswith("admin/") and not OTHERS.search(route) and "(?P" not in route:
            kind = getattr(view, "view_class", view)
            is_form = re.search(r"/(add|edit|create|new|upload)/|choose", route)
            found.setdefault((kind, route if is_form else ""), address(route))
    return [*found.values()]


def addresses(world: World) -> Any:
    image = SiteImage.objects.create(title="Coast", file=SimpleUploadedFile("a.svg", SVG))
    document = Document.objects.create(title="Terms", file=SimpleUploadedFile("a.pdf", b"%PDF-1.4 x"))
    home = Page.objects.get(pk=world.home["de"])
    page = home.add_child(instance=ServicePage(title="Web", slug="web", live=False))
    by_place = {
        "images": image.pk,
        "documents": document.pk,
        "officecategory": OfficeCategory.objects.get().pk,
        "office": Office.objects.get().pk,
        "review": world.review["de"],
        "menus": world.site["de"],
        "redirects": Redirect.objects.first().pk,
        "pages": page.pk,
        "tree": page.pk,
        "users": User.objects.first().pk,
        "leads": world.lead["de"],
    }
    by_name = {
        "content_type_app_name": "content",
        "content_type_model_name": "servicepage",
        "app_label": "content",
        "app_name": "content",
        "model_name": "servicepage",
        "action": "publish",
        "parent_page_id": home.pk,
        "parent_id": home.pk,
        "destination_id": home.pk,
        "site": "de",
    }

    def address(route: str) -> str:
        place = next((value for name, value in by_place.items() if f"/{name}/" in route), 1)
        filled = re.sub(r"<(?:\w+:)?(\w+)>", lambda name: str(by_name.get(name[1], place)), route.replace("^", ""))
        return f"/{filled.replace('$', '')}"

    return address


def fields_of(html: bytes) -> dict[str, str]:
    """Return the values that a browser would send of the page's forms, without files."""
    found: dict[str, str] = {}
    for field in BeautifulSoup(html, "html.parser").select("form :is(input, textarea, select)[name]"):
        if field.get("type") not in ("file", "submit"):
            found[str(field["name"])] = str(field.get("value") or "")
    found.pop("csrfmiddlewaretoken", None)
    return found


def send(client: Client, url: str, values: Mapping[str, Any]) -> int:
    """Return the status of the reply. Changes by the request are rolled back."""
    with transaction.atomic():
        status = client.post(url, values).status_code
        transaction.set_rollback(True)
    return status


def test_no_form_leads_to_an_error_page(editor: Client, world: World) -> None:
    failed: list[tuple[int, str, str]] = []
    urls = list_urls(world)
    assert len(urls) > 150
    for number, url in enumerate(urls):
        shown = editor.get(url)
        fields = fields_of(shown.content) if "html" in shown.get("Content-Type", "") else {}
        without_counts = {name: value for name, value in fields.items() if not COUNTS.search(name)}
        odd_counts = {name: "9" * 5000 if COUNTS.search(name) else value for name, value in fields.items()}
        odd_values = {
            name: value if COUNTS.search(name) or name == "next" else ODD[(number + place) % len(ODD)]
            for place, (name, value) in enumerate(fields.items())
        }
        sent = {"nothing": {}, "odd values": odd_values}
        if len(without_counts) < len(fields):
            sent |= {"without counts": without_counts, "odd counts": odd_counts}
        statuses = {"shown": shown.status_code}
        statuses |= {kind: send(editor, url, values) for kind, values in sent.items() if fields or kind == "nothing"}
        failed += [(status, kind, url) for kind, status in statuses.items() if status >= 500]
    assert not failed


def test_no_query_leads_to_an_error_page(editor: Client, world: World) -> None:
    """Queries in search boxes, and in the parameters of lists."""
    failed: list[tuple[int, str, str]] = []
    for number, url in enumerate(list_urls(world)):
        query = QUERIES[number % len(QUERIES)]
        status = editor.get(url, dict.fromkeys(PARAMETERS, query)).status_code
        failed += [(status, query[:30], url)] if status >= 500 else []
    assert not failed


def test_what_cannot_be_read_is_answered_with_a_sentence(editor: Client, world: World) -> None:
    url = reverse("wagtailsnippets_content_menusettings:edit", args=[world.site["de"]])
    answer = editor.post(url, {"items": "x"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "Fields of the form are missing or damaged" in page
    assert "your changes are still in the form" in page
    assert "Traceback" not in page
    assert "items-count" not in page
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize("way_on", ["word", "a:b", "{", "\x00"])
def test_a_form_that_could_not_lead_on_is_refused_before_it_is_saved(editor: Client, world: World, way_on: str) -> None:
    url = reverse("wagtailadmin_pages:unpublish", args=[world.live["de"]])
    assert editor.post(url, {"next": way_on}).status_code == 400
    assert Page.objects.get(pk=world.live["de"]).live
    assert editor.post(url, {"next": "/admin/pages/"}).status_code == 302


COPIES = [
    ({"new_slug": "!?"}, "new_slug", "letters, numbers"),
    ({"new_slug": "index"}, "new_slug", "such as our-index"),
    ({"new_slug": "media"}, "new_slug", "such as our-media"),
    ({"new_slug": "-"}, "new_slug", "cannot be part of a URL"),
    ({"new_slug": "x" * 256}, "new_slug", "255 characters"),
    ({"new_title": "x" * 256}, "new_title", "255 characters"),
    ({"new_parent_page": ""}, "new_parent_page", "required"),
    ({"new_parent_page": "999999"}, "new_parent_page", "valid choice"),
    ({"new_slug": "live"}, "new_slug", "already in use"),
]


def test_a_copy_that_the_model_refuses_is_refused_at_the_field(editor: Client, world: World) -> None:
    url = reverse("wagtailadmin_pages:copy", args=[world.live["de"]])
    for changed, field, said in COPIES:
        for way in ({}, {"publish_copies": "on"}, {"alias": "on"}):
            values = {"new_title": "Copy", "new_slug": "copy", "new_parent_page": world.home["de"]} | changed
            answer = editor.post(url, values | way)
            assert answer.status_code == 200, (changed, way)
            form = answer.context["form"]
            assert said in " ".join(form.errors[field]), (changed, way)
            assert form["new_title"].value() == values["new_title"], "what was typed stands in the form"
            assert not Page.objects.filter(title=values["new_title"]).exists()


@pytest.mark.parametrize(
    ("model", "field"),
    [
        *(
            (model, "key")
            for model in ("office", "officecategory", "phone", "review", "certificate", "facetvalue", "cv")
        ),
        ("redirect", "source"),
    ],
)
def test_drafts_are_not_saved_without_what_makes_them_unique(
    editor: Client, world: World, model: str, field: str
) -> None:
    url = reverse(f"wagtailsnippets_content_{model}:add")
    answer = editor.post(url, fields_of(editor.get(url).content) | {field: ""})
    assert answer.status_code == 200
    assert answer.context["form"].errors[field]


def test_a_category_that_offices_have_is_not_deleted(editor: Client, world: World) -> None:
    url = reverse("wagtailsnippets_content_officecategory:delete", args=[OfficeCategory.objects.get().pk])
    answer = editor.post(url, follow=True)
    assert OfficeCategory.objects.exists()
    assert "“Hub” was not deleted, because offices have it." in answer.content.decode()


@pytest.mark.parametrize(
    ("method", "path", "error", "status"),
    [
        ("POST", "/admin/x/", MultiValueDictKeyError("x"), 400),
        ("GET", "/admin/x/", MultiValueDictKeyError("x"), 400),
        ("POST", "/admin/x/", RecursionError(), 400),
        ("POST", "/admin/x/", json.JSONDecodeError("x", "", 0), 400),
        ("POST", "/admin/x/", UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed"), 400),
        ("GET", "/admin/x/", OverflowError(), 400),
        ("GET", "/admin/x/", DataError("integer out of range"), 400),
        ("GET", "/admin/x/", ValueError("Field 'id' expected a number but got 'x'."), 400),
        ("GET", "/admin/x/", EmptyPage(), 400),
        ("POST", "/admin/x/", KeyError("ORDER"), 400),
        ("POST", "/admin/x/", ValidationError("The <b> is wrong."), 400),
        ("GET", "/admin/x/", RecursionError(), None),
        ("POST", "/admin/x/", KeyError("x"), None),
        ("POST", "/admin/x/", ValueError("x"), None),
        ("POST", "/api/x", OverflowError(), None),
    ],
)
def test_only_the_sender_s_errors_are_bad_requests(
    rf: RequestFactory, method: str, path: str, error: Exception, status: int | None
) -> None:
    middleware = RefuseUnreadable(lambda request: HttpResponse())
    try:
        raise error
    except Exception as raised:
        answer = middleware.process_exception(rf.generic(method, path), raised)
    assert (answer and answer.status_code) == status
    assert answer is None or b"<b>" not in answer.content


def test_a_caller_of_the_api_gets_a_problem(rf: RequestFactory) -> None:
    answer = show_bad_request(rf.get("/api/content/offices"))
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
