"""Rules that hold for every collection: the snapshot of an entry, its sites, and the problems of a bad entry."""

import pkgutil
from typing import Any, Final

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from wagtail.documents.models import Document

from portolan.content import collections
from portolan.content.changes import keys_of
from portolan.content.collections import COLLECTIONS
from portolan.content.collections.base import Entry, TranslatedEntry
from portolan.content.errors import SnapshotError
from portolan.content.export import all_item_keys, export_batch, export_items
from portolan.content.items import ItemKey
from portolan.content.models import ReviewPlacement, SiteImage
from portolan.content.snapshot_checks import CheckLookup
from portolan.domain.problems import MissingPicture, Problem, Subject
from portolan.domain.references import resolve
from portolan_dev.contract.examples import PICTURES

from .conftest import PICTURE_FIELD, SHARED_FIELDS, TRANSLATIONS, MakeEntry

KINDS: Final = list(COLLECTIONS)
TRANSLATED: Final = [kind for kind, model in COLLECTIONS.items() if issubclass(model, TranslatedEntry)]
_NOT_COLLECTIONS: Final = {"base", "lines"}


def keys(kind: str, key: str = "key", *sites: str) -> list[ItemKey]:
    return [ItemKey(site, kind, key) for site in sites or ("en", "uk", "de")]


def test_every_file_has_its_collection_in_the_list() -> None:
    files = {module.name for module in pkgutil.iter_modules(collections.__path__)} - _NOT_COLLECTIONS
    assert {model.__module__.rpartition(".")[2] for model in COLLECTIONS.values()} == files


def test_the_examples_of_these_tests_cover_every_collection() -> None:
    assert set(SHARED_FIELDS) == set(KINDS)
    assert set(TRANSLATIONS) == set(TRANSLATED)


@pytest.mark.postgres
@pytest.mark.parametrize("kind", KINDS)
def test_a_frozen_entry_becomes_its_schema(make_entry: MakeEntry, picture: SiteImage, kind: str) -> None:
    entry = make_entry(kind)
    body = export_items(keys(kind))[ItemKey("en", kind, "key")]
    assert body and body["order"] == entry.sort_order
    lookup = CheckLookup(frozenset(), {str(picture.pk): PICTURES["2"]}, {})
    wire = resolve(body["value"], lookup)
    value = COLLECTIONS[kind].schema.model_validate(wire)
    assert wire == value.model_dump(mode="json", by_alias=True), "what is resolved is published as it is"
    assert wire.get("id", wire.get("slug")) == "key"
    for name, given in {**SHARED_FIELDS[kind], **TRANSLATIONS.get(kind, {})}.items():
        found = value.cover.alt if name == "alt" else getattr(value, name)
        assert found == (given.format(company="company") if isinstance(given, str) else given), name
    if kind in PICTURE_FIELD:
        assert getattr(value, PICTURE_FIELD[kind]).url == PICTURES["2"]["url"]


@pytest.mark.postgres
@pytest.mark.parametrize("kind", TRANSLATED)
def test_an_entry_stands_where_it_is_translated(make_entry: MakeEntry, kind: str) -> None:
    name = next(iter(TRANSLATIONS[kind]))
    make_entry(kind, "both", de={name: "Auf Deutsch"})
    make_entry(kind, "english")
    bodies = export_items([*keys(kind, "both"), *keys(kind, "english")])

    def text(site: str, key: str) -> Any:
        body = bodies[ItemKey(site, kind, key)]
        return body and body["value"][name]

    assert text("de", "both") == "Auf Deutsch"
    assert text("en", "both") == text("uk", "both") == TRANSLATIONS[kind][name], (
        "an heir shows the translation it inherits"
    )
    assert text("uk", "english") == TRANSLATIONS[kind][name]
    assert text("de", "english") is None, "no visitor reads another site's language"


def test_an_heir_may_have_a_translation_of_its_own(make_entry: MakeEntry) -> None:
    make_entry("facet", "rail", uk={"name": "Railways"})
    names = {key.site: body and body["value"]["name"] for key, body in export_items(keys("facet", "rail")).items()}
    assert names == {"en": "Healthcare", "uk": "Railways", "de": None}


@pytest.mark.postgres
@pytest.mark.parametrize("kind", KINDS)
def test_an_edit_dirties_the_entry_on_all_sites(make_entry: MakeEntry, kind: str) -> None:
    entry = make_entry(kind)
    assert keys_of(entry) == set(keys(kind)) <= all_item_keys()
    if kind in TRANSLATED:
        assert keys_of(entry.translations.get()) == set(keys(kind))


@pytest.mark.parametrize("kind", list(PICTURE_FIELD))
def test_a_picture_that_cannot_be_shown_is_a_problem_of_its_entry(
    make_entry: MakeEntry, picture: SiteImage, kind: str
) -> None:
    entry = make_entry(kind, "bad")
    make_entry(kind, "good", **{} if kind in ("video", "short") else {PICTURE_FIELD[kind]: None})
    SiteImage.objects.update(published={})  # its file was lost, or could not be encoded
    wanted = [ItemKey("en", kind, "bad"), ItemKey("de", kind, "bad")]
    bodies, problems = export_batch(wanted)
    assert bodies == {ItemKey("de", kind, "bad"): None}
    (problem,) = problems[ItemKey("en", kind, "bad")]
    subject = Subject("en", kind, "bad", str(entry), field=PICTURE_FIELD[kind])
    assert problem == Problem(subject, MissingPicture(str(picture.pk)))


def test_one_bad_entry_does_not_hold_up_the_others(make_entry: MakeEntry) -> None:
    make_entry("review", "bad")
    make_entry("review", "good", logo=None)
    SiteImage.objects.update(published={})
    bodies, problems = export_batch([ItemKey("en", "review", key) for key in ("bad", "good")])
    assert [key.key for key in bodies] == ["good"]
    assert [key.key for key in problems] == ["bad"]
    with pytest.raises(SnapshotError, match="en, review “Northwind Port Authority”"):
        export_items([ItemKey("en", "review", "bad")])


@pytest.mark.postgres
@pytest.mark.parametrize("kind", list(PICTURE_FIELD))
def test_a_picture_that_is_used_cannot_be_deleted(make_entry: MakeEntry, picture: SiteImage, kind: str) -> None:
    make_entry(kind)
    with pytest.raises(Exception, match="protected foreign keys"):
        picture.delete()


def test_a_review_names_the_pages_it_is_shown_on(make_entry: MakeEntry, homes: Any) -> None:
    review = make_entry("review")
    placement = ReviewPlacement.objects.create(entry=review, page=homes["de"])
    body = export_items(keys("review"))[ItemKey("en", "review", "key")]
    assert body and body["pages"] == [str(homes["en"].translation_key)], "by translation: on en too"
    assert keys_of(placement) == set(keys("review"))


@pytest.mark.postgres
def test_a_new_entry_comes_last(make_entry: MakeEntry) -> None:
    first, second = make_entry("facet", "a"), make_entry("facet", "b")
    assert first.sort_order < second.sort_order
    given = make_entry("facet", "c", sort_order=-1)
    assert [entry.key for entry in COLLECTIONS["facet"].objects.all()] == [given.key, "a", "b"]


@pytest.mark.parametrize("kind", KINDS)
def test_more_entries_take_no_more_queries(make_entry: MakeEntry, kind: str) -> None:
    entries = [make_entry(kind, f"k{number}", **{"countries": []} if kind == "phone" else {}) for number in range(4)]

    def queries(count: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            export_items([key for entry in entries[:count] for key in keys(kind, entry.key)])
        return len(captured)

    assert queries(1) == queries(4) <= 8


@pytest.mark.parametrize(
    ("kind", "fields", "field"),
    [
        ("phone", {"phone": "call me"}, "phone"),
        ("phone", {"countries": ["gb", "zz"]}, "countries"),
        ("phone", {"countries": "gb"}, "countries"),
        ("review", {"score": 4.7}, "score"),
        ("review", {"score": 0.5}, "score"),
        ("review", {"country": "uk"}, "country"),
        ("review", {"company": "{founded}"}, "company"),
        ("certificate", {"expires": "2024-04-30"}, "expires"),
        ("cv", {"seniority": "principal"}, "seniority"),
        ("cv", {"years": 61}, "years"),
        ("facet", {"facet": "colour"}, "facet"),
        ("facet", {"key": "Health care"}, "key"),
        ("video", {"video_id": "https://vimeo.com/1"}, "video_id"),
        ("video", {"video_id": ""}, "video_id"),
        ("office", {"opened": 12}, "opened"),
        ("office", {"hours": "{founded}"}, "hours"),
    ],
)
def test_a_mistake_in_a_shared_field_is_named_with_its_field(
    make_entry: MakeEntry, kind: str, fields: dict[str, Any], field: str
) -> None:
    if "expires" in fields:
        fields["expires"] = SHARED_FIELDS[kind]["issued"].replace(month=4)
    key = fields.pop("key", "key")
    with pytest.raises(ValidationError) as caught:
        make_entry(kind, key, **fields)
    assert set(caught.value.message_dict) == {field}


@pytest.mark.parametrize(
    ("kind", "translations", "field"),
    [
        ("review", {"text": "{founded}"}, "text"),
        ("facet", {"name": ""}, "name"),
        ("cv", {"skills": []}, "skills"),
        ("cv", {"skills": "Python"}, "skills"),
        ("cv", {"skills": ["Python", 3]}, "skills"),
        ("cv", {"skills": ["x" * 81]}, "skills"),
        ("cv", {"languages": ["{founded}"]}, "languages"),
    ],
)
def test_a_mistake_in_a_translation_is_named_with_its_field(
    make_entry: MakeEntry, sites: Any, kind: str, translations: dict[str, Any], field: str
) -> None:
    entry = make_entry(kind)
    row = type(entry).translations.rel.related_model(
        entry=entry, locale=sites["de"].locale, **{**TRANSLATIONS[kind], **translations}
    )
    with pytest.raises(ValidationError) as caught:
        row.full_clean()
    assert set(caught.value.message_dict) == {field}


@pytest.mark.parametrize(
    ("kind", "label"),
    [
        ("office", "Dallas"),
        ("phone", "+1 214-555-0140"),
        ("certificate", "Information security"),
        ("cv", "Back-end engineer"),
        ("review", "Northwind Port Authority"),
        ("facet", "Healthcare"),
        ("video", "How we estimate"),
        ("short", "How we estimate"),
    ],
)
def test_editors_know_an_entry_by_its_english_translation(make_entry: MakeEntry, kind: str, label: str) -> None:
    texts = {"de": {name: "Deutsch" for name, text in TRANSLATIONS.get(kind, {}).items() if isinstance(text, str)}}
    entry = make_entry(kind, **texts if kind in TRANSLATED else {})
    assert str(type(entry).objects.get()) == label


@pytest.mark.parametrize("kind", sorted(set(TRANSLATED) - {"review"}))
def test_an_entry_without_translation_is_known_by_its_key(make_entry: MakeEntry, kind: str) -> None:
    entry: Entry = make_entry(kind, "alone", translated=False)
    assert str(entry) == "alone"
    assert export_items(keys(kind, "alone")) == dict.fromkeys(keys(kind, "alone"))


def test_a_film_of_our_own_takes_the_place_of_a_video_on_youtube(make_entry: MakeEntry) -> None:
    film, text = (Document.objects.create(title=kind, file=f"documents/a.{kind}") for kind in ("webm", "pdf"))
    entry = make_entry("video", "tour", video_id="", film=film)
    value = entry.snapshot_value(entry.translations.first())
    assert (value["videoId"], value["film"]) == ("", {"$document": str(film.pk)})
    for key, fields in {"both": {"film": film}, "text": {"video_id": "", "film": text}}.items():
        with pytest.raises(ValidationError) as caught:
            make_entry("video", key, **fields)
        assert set(caught.value.message_dict) == {"film"}
