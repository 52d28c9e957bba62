"""Lists of the studio are in the order of a language, by the rules of Python on SQLite and of ICU on PostgreSQL."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.test import Client
from pytest_django import Settings
from wagtail.documents.models import Document
from wagtail.models import Page

from portolan.content.in_order import order_names
from portolan.content.models import AboutPage

STUDIO = {"Host": "studio.localhost"}


@pytest.mark.postgres
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("de-DE", ["ähnlich", "Apfel", "Straße", "Über uns", "Ufer", "Wartung"]),
        ("pl-PL", ["lody", "łódź", "zebra", "źródło", "żaba"]),
        ("az-AZ", ["h", "x", "ı", "i", "j", "k", "q", "l"]),
        ("kk", ["абай", "әлем", "ба", "кала", "қала", "лала", "latin"]),
        ("ar-AE", ["أحمد", "باب", "ياسر", "latin"]),
        ("xx", ["Apfel", "Über uns", "Ufer"]),
    ],
)
def test_the_database_sorts_names_as_a_language_does(
    homes: Any, add_page: Callable[..., Any], language: str, names: list[str]
) -> None:
    for number, name in enumerate(reversed(names)):
        add_page(homes["en"], AboutPage, f"page-{number}", title=name)
    below = Page.objects.child_of(homes["en"])
    assert [page.title for page in order_names(below.order_by("title"), language)] == names
    assert [page.title for page in order_names(below.order_by("-title"), language)] == names[::-1]


@pytest.mark.postgres
@pytest.mark.django_db
def test_lists_of_pages_and_documents_are_sorted_so(
    settings: Settings, homes: Any, add_page: Callable[..., Any], client: Client, admin_user: User
) -> None:
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend"}}  # to be found at once
    titles = ["Übersicht", "Ufer", "Wartung der Übersicht"]
    for number, title in enumerate(titles[::-1]):
        add_page(homes["de"], AboutPage, f"page-{number}", title=title)
        Document.objects.create(title=title, file=ContentFile(b"%PDF-", name=f"{number}.pdf"))
    client.force_login(admin_user)

    def look(address: str, **query: str) -> list[str]:
        rows = client.get(f"/admin/{address}", query, headers=STUDIO).context["object_list"]
        return [row.title for row in rows]

    assert look(f"pages/{homes['de'].pk}/", ordering="title") == titles
    assert look(f"pages/{homes['de'].pk}/", ordering="-title") == titles[::-1]
    assert look(f"pages/{homes['de'].pk}/", ordering="title", q="ubersicht") == [titles[0], titles[2]]
    assert look("documents/") == titles
    assert look("documents/results/", ordering="-title") == titles[::-1]
