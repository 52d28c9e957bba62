"""The studio imports a translator's file: first its effects, then drafts, and changed texts stay unless they are taken."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from wagtail.models import Revision

from portolan.content.models import ServicePage
from portolan.translations.exchange.collect import Collected
from portolan.translations.exchange.xliff_writer import write_xliff
from portolan.translations.models import TranslationFile
from portolan.translations.tracking import confirm_page

pytestmark = pytest.mark.django_db
UPLOAD = "studio_translations_import"


@pytest.fixture
def german(homes: Mapping[str, Any], add_page: Callable[..., Any]) -> ServicePage:
    hero = {"type": "hero", "id": "h", "value": {"title": "We build", "eyebrow": "Web"}}
    english = add_page(homes["en"], ServicePage, "web", title="Web", body=[hero])
    own = {"locale": homes["de"].locale, "translation_key": english.translation_key}
    hero = {**hero, "value": {"title": "Wir bauen", "eyebrow": "Netz"}}
    page: ServicePage = add_page(homes["de"], ServicePage, "web", title="Netz", body=[hero], **own)
    confirm_page(page)
    return page


@pytest.fixture
def sent_back(german: ServicePage) -> str:
    """A file in which a translator has changed two texts, one of which was changed on the site meanwhile."""
    collected = Collected("de", ["/web"])
    written = "".join(write_xliff(collected.languages, list(collected.pages())))
    page = german.latest_revision.as_object()
    page.title = "Websites"
    page.save_revision()
    for before, after in (("<target>Netz<", "<target>Webseiten<"), ("<target>Wir bauen<", "<target>Wir entwickeln<")):
        assert before in written
        written = written.replace(before, after, 1)
    return written


def upload(client: Client, content: str, name: str = "de.xlf", **values: str) -> Any:
    file = SimpleUploadedFile(name, content.encode())
    return client.post(reverse(UPLOAD), {"file": file, **values}, follow=True)


@pytest.mark.parametrize("is_taken", [True, False])
def test_a_text_that_was_changed_meanwhile_is_shown_three_times_and_taken_or_kept(
    german: ServicePage, sent_back: str, sign_in: Any, client: Client, is_taken: bool
) -> None:
    sign_in("editor:de")
    before = Revision.objects.count()
    shown = upload(client, sent_back)
    html = shown.content.decode()
    columns = re.findall(r"<fieldset[^>]*data-conflict>(.*?)</fieldset>", html, re.DOTALL)
    assert [re.findall(r'<p dir="auto">(.*?)</p>', column) for column in columns] == [["Netz", "Websites", "Webseiten"]]
    assert re.findall(r"data-texts>(\d+)<", html) == ["1"]
    assert Revision.objects.count() == before

    names = re.findall(r'name="take" value="(.*?)"', html)
    url = shown.redirect_chain[-1][0]
    done = client.post(url, {"take": names if is_taken else []}, follow=True).content.decode()
    assert f"{1 + is_taken} text" in done
    german.refresh_from_db()
    draft = german.latest_revision.as_object()
    assert draft.body.raw_data[0]["value"]["title"] == "Wir entwickeln"
    assert draft.title == ("Webseiten" if is_taken else "Websites")
    assert german.title == "Netz"
    assert not TranslationFile.objects.exists()
    assert "This file was imported or deleted." in client.get(url, follow=True).content.decode()


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        ("no XML", "de.xlf", "Nothing was imported."),
        ('msgid ""\nmsgstr ""', "../../de.po", "The file has no texts."),
        ("", "de.xlf", "The submitted file is empty."),
    ],
)
def test_a_bad_file_is_refused_in_the_form(
    homes: Any, sign_in: Any, client: Client, content: str, name: str, said: str
) -> None:
    sign_in("editor:de")
    shown = upload(client, content, name)
    assert shown.status_code == 200
    assert said in shown.content.decode()


def test_files_of_other_sites_and_people_are_closed(sent_back: str, sign_in: Any, client: Client) -> None:
    sign_in("editor:uk")
    assert "Nothing was imported." in upload(client, sent_back).content.decode()
    assert not TranslationFile.objects.exists()
    sign_in("editor:de")
    url = upload(client, sent_back).redirect_chain[-1][0]
    assert "Select a valid choice." in upload(client, sent_back, site="uk").content.decode()
    sign_in("translator:de")
    assert client.post(url, {}).headers["Location"] == reverse(UPLOAD)
    assert TranslationFile.objects.count() == 1
