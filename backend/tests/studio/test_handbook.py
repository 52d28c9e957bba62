"""The handbook: every page is there in each language with its image, and all links work, also those from screens."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import trans_real
from PIL import Image
from wagtail.users.models import UserProfile

from portolan.studio.handbook.pages import LANGUAGES, PICTURES, SIZE, SLUGS, TEXTS, picture_file, read_page

MOST_BYTES = 1_000_000
KEYS = {"escape", "tab"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_there_with_its_picture_and_no_other_is(language):
    assert {file.stem for file in (TEXTS / language).iterdir()} == set(SLUGS)
    for slug in SLUGS:
        page = read_page(slug, language)  # a link without a target has no URL
        assert page.title, slug
        assert page.summary, slug
        pictures = re.findall(r'/handbook/(\w+)/([\w-]+)\.webp"', page.html)
        assert pictures == [(language, slug)]
        for to in re.findall(r'href="/admin/help/([\w-]+)/"', page.html):
            assert to in SLUGS, f"{slug} links to {to}"
        with Image.open(picture_file(slug, language)) as picture:
            assert picture.size == SIZE


def test_languages_have_the_same_parts():
    shapes = [
        {slug: re.findall(r"<(h2|img|li|td)\b", read_page(slug, language).html) for slug in SLUGS}
        for language in LANGUAGES
    ]
    assert all(shapes[0].values())
    assert all(shape == shapes[0] for shape in shapes)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_it_names_the_studio_calls_so(language):
    """Buttons, panels and screens are in italics: each is a text of the studio in that language."""
    own = trans_real.translation("de")._catalog.items()
    ids = (key[0] if isinstance(key, tuple) else key for key, _ in own)
    texts = (text for _, text in own) if language == "de" else (each.rpartition("\x04")[2] for each in ids)
    known = KEYS | {_bare(text) for text in texts}
    named = {slug: re.findall(r"<em>(.+?)</em>", read_page(slug, language).html) for slug in SLUGS}
    assert sum(map(len, named.values())) > 30
    assert [(slug, name) for slug, names in named.items() for name in names if _bare(name) not in known] == []


def _bare(name: str) -> str:
    return name.strip().rstrip("….").lower()


def test_pictures_weigh_little():
    assert sum(file.stat().st_size for file in PICTURES.rglob("*.webp")) < MOST_BYTES


@pytest.mark.django_db
def test_it_stands_under_help_in_the_readers_language(admin_client: Client, admin_user) -> None:
    contents = admin_client.get(reverse("studio_handbook")).content.decode()
    for slug in SLUGS:
        assert reverse("studio_handbook_page", args=[slug]) in contents
    UserProfile.objects.update_or_create(user=admin_user, defaults={"preferred_language": "de"})
    page = admin_client.get(reverse("studio_handbook_page", args=["leads"])).content.decode()
    assert '<article lang="de">' in page
    assert admin_client.get("/admin/help/nothing/").status_code == 404
    home = admin_client.get("/admin/").content.decode()
    assert "guide.wagtail.org" not in home
    for screen, slug in (("/admin/", "dashboard"), ("/admin/changes/", "change-sets"), ("/admin/leads/", "leads")):
        assert f'href="{reverse("studio_handbook_page", args=[slug])}"' in admin_client.get(screen).content.decode()
