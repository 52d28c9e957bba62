"""The translation of an inheriting site follows that of its original, text by text, until an editor changes it."""

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from portolan.content.export import export_items
from portolan.content.items import ItemKey
from portolan.content.local_versions import LocalVersion
from portolan.content.models import Review, ReviewTranslation
from portolan.domain.roles import Role, SiteRole
from portolan.studio.local_versions.fill import fill_local_versions
from portolan.studio.local_versions.following import states_of
from portolan.studio.permissions import sync_role_group

pytestmark = pytest.mark.django_db

ENGLISH = {"person": "A. Clark", "role": "Head of IT", "text": "Very good."}


@pytest.fixture
def review(sites: Any) -> Review:
    """A review whose text is the United Kingdom's own."""
    review = Review(key="north", company="Northwind", country="gb", score=5)
    texts = {"en": ENGLISH, "uk": {**ENGLISH, "text": "Rather good."}, "de": {**ENGLISH, "text": "Sehr gut."}}
    review.translations = [ReviewTranslation(locale=sites[site].locale, **said) for site, said in texts.items()]
    review.save()
    review.save_revision().publish()
    return review


def write(review: Review, sites: Any, site: str, *, is_published: bool = True, **values: str) -> None:
    draft = fresh(review).get_latest_revision_as_object()
    rows = list(draft.translations.all())
    for row in rows:
        if row.locale_id == sites[site].locale_id:
            for name, said in values.items():
                setattr(row, name, said)
    draft.translations = rows
    revision = draft.save_revision()
    if is_published:
        revision.publish()


def fresh(review: Review) -> Review:
    return Review.objects.get(pk=review.pk)


def texts(review: Review, sites: Any, site: str = "uk") -> dict[str, str]:
    row = next(each for each in review.translations.all() if each.locale_id == sites[site].locale_id)
    return {name: getattr(row, name) for name in ENGLISH}


def states(review: Review) -> dict[str, str]:
    row = LocalVersion.objects.of(review).get()
    found = states_of(row, fresh(review), fresh(review).get_latest_revision_as_object())
    return {path[-1]: str(state) for path, state in found.items()}


def test_other_texts_follow_and_an_own_text_stays(review: Review, sites: Any) -> None:
    assert states(review) == {"uk": "own"}, "Germany inherits nothing"
    write(review, sites, "en", role="Chief of IT", text="Excellent.")
    assert texts(fresh(review), sites) == {"person": "A. Clark", "role": "Chief of IT", "text": "Rather good."}
    assert texts(fresh(review), sites, "de")["role"] == "Head of IT"
    assert states(review) == {"uk": "changed"}
    body = export_items([ItemKey("uk", "review", "north")])[ItemKey("uk", "review", "north")]
    assert body and (body["value"]["role"], body["value"]["text"]) == ("Chief of IT", "Rather good.")
    write(review, sites, "en", role="CIO")
    assert texts(fresh(review), sites)["role"] == "CIO"
    assert not fresh(review).has_unpublished_changes


def test_a_revert_is_followed_too(review: Review, sites: Any) -> None:
    before = fresh(review)
    english = before.translations.get(locale=sites["en"].locale)
    write(review, sites, "en", role="CIO")
    before = fresh(review)
    before.translations = [english, *before.translations.exclude(locale=sites["en"].locale)]
    before.save_live()
    assert texts(fresh(review), sites) == {"person": "A. Clark", "role": "Head of IT", "text": "Rather good."}


def test_a_new_translation_is_own_and_a_deleted_one_follows_whole(review: Review, sites: Any) -> None:
    draft = fresh(review).get_latest_revision_as_object()
    draft.translations = [row for row in draft.translations.all() if row.locale_id != sites["uk"].locale_id]
    draft.save_revision().publish()
    assert not LocalVersion.objects.of(review).exists()
    draft = fresh(review).get_latest_revision_as_object()
    new = ReviewTranslation(locale=sites["uk"].locale, **{**ENGLISH, "person": "Anne"})
    draft.translations = [*draft.translations.all(), new]
    draft.save_revision().publish()
    assert states(review) == {"uk": "own"}
    write(review, sites, "en", role="CIO")
    assert (texts(fresh(review), sites)["person"], texts(fresh(review), sites)["role"]) == ("Anne", "CIO")


def test_translations_from_before_are_own_where_they_differ(review: Review, sites: Any) -> None:
    LocalVersion.objects.all().delete()
    fill_local_versions()
    fill_local_versions()
    assert states(review) == {"uk": "own"}


@pytest.fixture
def editor(client: Client) -> Client:
    client.defaults["HTTP_HOST"] = "studio.localhost"
    client.force_login(User.objects.create_superuser("ada", "ada@example.com", "x"))
    return client


def test_the_form_the_comparison_and_the_switch(editor: Client, review: Review, sites: Any) -> None:
    write(review, sites, "en", text="Excellent.")
    page = editor.get(reverse("wagtailsnippets_content_review:edit", args=[review.pk])).content.decode()
    told = json.loads(re.search(r'id="studio-inheritance" type="application/json">(.*?)</script>', page)[1])  # type: ignore[index]
    place = f"@{sites['uk'].locale_id}"
    assert told["states"] == [{"path": ["body", "uk"], "state": "changed", "place": place, "isAdded": False}]
    shown = editor.get(told["compare"]).content.decode()
    assert "United Kingdom, Text" in shown
    editor.post(told["compare"], {"choice-body-uk-text": "mine"})
    assert states(review) == {"uk": "own"}
    answer = editor.post(told["url"], {"path": '["body", "uk"]', "state": "follows"})
    assert answer.json() == {"state": "follows", "isChanged": True}
    assert texts(fresh(review).get_latest_revision_as_object(), sites)["text"] == "Excellent."
    assert texts(fresh(review), sites)["text"] == "Rather good.", "it is a draft"


def test_a_person_changes_own_sites_alone(client: Client, review: Review, sites: Any) -> None:
    write(review, sites, "en", text="Excellent.")
    client.defaults["HTTP_HOST"] = "studio.localhost"
    berta = User.objects.create_user("berta", "berta@example.com", "x")
    berta.groups.add(sync_role_group(SiteRole(Role.EDITOR, "de")))
    client.force_login(berta)
    url = reverse("studio_local_version", args=["review", review.pk])
    assert "data-difference" not in client.get(url).content.decode()
    client.post(url, {"choice-body-uk-text": "theirs"})
    answer = client.post(f"{url}switch/", {"path": '["body", "uk"]', "state": "own"})
    assert (answer.status_code, states(review)) == (404, {"uk": "changed"})
