"""The glossary: editing, rights, and its CSV file."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from portolan.translations.models import GlossaryTerm

from .test_translations import sign_in

pytestmark = pytest.mark.django_db
sign_in = sign_in
GERMAN = "?languages=en>de"


@pytest.fixture
def url(homes: Mapping[str, Any]) -> str:
    GlossaryTerm.objects.create(languages="en>de", term="review", translation="Kundenstimme")
    return reverse("studio_glossary") + GERMAN


def rows(*terms: tuple[str, str], first: int | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {"form-TOTAL_FORMS": len(terms), "form-INITIAL_FORMS": 0 if first is None else 1}
    for number, (term, translation) in enumerate(terms):
        found |= {f"form-{number}-term": term, f"form-{number}-translation": translation}
    return found | ({} if first is None else {"form-0-id": first})


def terms() -> dict[str, str]:
    return dict(GlossaryTerm.objects.values_list("term", "translation"))


def upload(client: Client, text: str) -> str:
    file = SimpleUploadedFile("terms.csv", text.encode())
    reply = client.post(reverse("studio_glossary_import") + GERMAN, {"file": file}, follow=True)
    return reply.content.decode()


@pytest.mark.parametrize(("role", "is_saved"), [("translator:de", True), ("reader:de", False), ("editor:uk", False)])
def test_translators_of_the_language_change_terms(
    url: str, sign_in: Any, client: Client, role: str, is_saved: bool
) -> None:
    sign_in(role)
    client.post(url, rows(("office", "Standort")))
    assert ("office" in terms()) == is_saved


def test_wrong_rows_are_refused_and_stay_in_the_form(url: str, sign_in: Any, client: Client) -> None:
    sign_in("editor:de")
    known = GlossaryTerm.objects.get().pk
    for sent in (rows(("review", ""), first=known), rows(("review", "Rezension"), ("review", "Kritik"), first=known)):
        html = client.post(url, sent).content.decode()
        assert "The glossary is not saved" in html
        assert terms() == {"review": "Kundenstimme"}


def test_a_file_is_read_as_it_was_written(url: str, sign_in: Any, client: Client) -> None:
    sign_in("editor:de")
    GlossaryTerm.objects.create(languages="en>de", term="=SUM", is_kept=True, note="a function; exact")
    file = client.get(reverse("studio_glossary_export") + GERMAN).content.decode()
    GlossaryTerm.objects.all().delete()
    assert "2 terms are saved" in upload(client, file)
    assert terms() == {"=SUM": "", "review": "Kundenstimme"}
    assert GlossaryTerm.objects.get(term="=SUM").is_kept


@pytest.mark.parametrize(
    "text", ["", "a,b\n1,2", "term,translation\noffice,\n", "term\n\n", '"', f"term,translation\n{'x' * 200},y"]
)
def test_a_damaged_file_changes_nothing(url: str, sign_in: Any, client: Client, text: str) -> None:
    sign_in("editor:de")
    upload(client, f"{text}")
    assert terms() == {"review": "Kundenstimme"}
