"""Collections as an editor's browser shows and sends them, with an editor's rights."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from pytest_django import Settings
from wagtail.search.backends import get_search_backend
from wagtail.test.utils.form_data import inline_formset, nested_form_data, streamfield

from portolan.content.collections import COLLECTIONS
from portolan.content.collections.base import TranslatedEntry
from portolan.content.export import export_items
from portolan.content.items import ItemKey
from portolan.content.models import (
    CaseStudyPage,
    FacetValue,
    InsightVideo,
    OfficeCategory,
    Phone,
    Rate,
    RateCardSettings,
    Review,
    SiteImage,
)
from portolan.releases.models import PendingChange
from portolan.studio.permissions import sync_editors_group

from .conftest import PICTURE_FIELD, SHARED_FIELDS, TRANSLATIONS, MakeEntry

KINDS = list(COLLECTIONS)
PUBLISH = {"action-publish": "action-publish"}
TRANSLATED = [kind for kind, model in COLLECTIONS.items() if issubclass(model, TranslatedEntry)]


@pytest.fixture
def studio(client: Client, db: None) -> Client:
    editor = get_user_model().objects.create_user("somebody", password="x")
    editor.groups.add(sync_editors_group())
    client.force_login(editor)
    return client


@pytest.fixture
def real_search(settings: Settings) -> None:
    """Index entries for the studio's search and count their references, as in a running studio."""
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend"}}


def url(kind: str, page: str = "list", *args: Any) -> str:
    return reverse(COLLECTIONS[kind].snippet_viewset.get_url_name(page), args=args)


def form(kind: str, sites: Any, picture: SiteImage | None = None, **given: Any) -> dict[str, Any]:
    """Return the form data of a new entry with an English translation."""
    fields = {"key": "key", **SHARED_FIELDS[kind]}
    several = {name: fields.pop(name) for name in ("countries", "sets") if name in fields}
    if kind in PICTURE_FIELD:
        fields[PICTURE_FIELD[kind]] = picture.pk if picture else ""
    if kind == "office":
        fields |= {"category": OfficeCategory.objects.create(key="hub", name="Hub", icon="code").pk}
        fields |= {"opened": "", "hours": "", "translations": inline_formset([])}
    if kind == "review":
        fields["placements"] = inline_formset([])
    if kind in TRANSLATED:
        texts = {name: "\n".join(text) if isinstance(text, list) else text for name, text in TRANSLATIONS[kind].items()}
        fields["translations"] = inline_formset(
            [{"locale": sites["en"].locale.pk, **texts, **given.pop("translations", {})}]
        )
    several |= {name: given.pop(name) for name in list(given) if name in several}
    return {**nested_form_data({**fields, **given}), **several, **PUBLISH}


@pytest.mark.parametrize("kind", KINDS)
def test_an_entry_is_written_by_hand_and_frozen(
    studio: Client, sites: Any, picture: SiteImage, make_entry: MakeEntry, kind: str
) -> None:
    reply = studio.post(url(kind, "add"), form(kind, sites, picture))
    assert reply.status_code == 302, reply.context and reply.context["form"].errors
    key = ItemKey("en", kind, "key")
    by_hand = export_items([key])[key]
    COLLECTIONS[kind].objects.all().delete()
    make_entry(kind)
    assert by_hand == export_items([key])[key], "the same as one that code wrote"


@pytest.mark.parametrize("kind", KINDS)
def test_an_entry_is_listed_looked_at_and_edited(studio: Client, make_entry: MakeEntry, kind: str) -> None:
    entry = make_entry(kind)
    listed = studio.get(url(kind)).content.decode()
    assert str(entry) in listed
    assert ("Shown (London)" in listed) == (kind != "facet")
    inspected = studio.get(url(kind, "inspect", entry.pk)).content.decode()
    for text in TRANSLATIONS.get(kind, {}).values():
        assert (text[0] if isinstance(text, list) else text) in inspected
    edited = studio.get(url(kind, "edit", entry.pk)).content.decode()
    assert ("Translations by site" in edited) == (kind != "phone")


@pytest.mark.parametrize("kind", KINDS)
def test_a_list_of_many_takes_no_more_queries(
    studio: Client, make_entry: MakeEntry, django_assert_max_num_queries: Any, kind: str
) -> None:
    for number in range(12):
        make_entry(kind, f"k{number}", **{"countries": []} if kind == "phone" else {})
    with django_assert_max_num_queries(26):
        studio.get(url(kind))


def test_what_cannot_go_live_is_said_when_it_is_saved(studio: Client, sites: Any, picture: SiteImage) -> None:
    SiteImage.objects.update(published={})
    reply = studio.post(url("video", "add"), form("video", sites, picture), follow=True)
    [said] = map(str, reply.context["messages"])
    assert "“How we estimate” is not published: 1 problem." in said
    assert "Cover: shows an image that was deleted" in said


def test_a_key_is_given_once(studio: Client, sites: Any, make_entry: MakeEntry) -> None:
    facet = make_entry("facet", "healthcare")
    rows = [{"id": row.pk, "locale": row.locale_id, "name": "Health"} for row in facet.translations.all()]
    data = nested_form_data({"facet": "industry", "key": "other", "translations": inline_formset(rows, initial=1)})
    reply = studio.post(url("facet", "edit", facet.pk), data | PUBLISH)
    assert reply.status_code == 302, reply.context["form"].errors
    assert [(value.key, str(value)) for value in FacetValue.objects.all()] == [("healthcare", "Health")]


@pytest.mark.parametrize(
    ("kind", "given", "words"),
    [
        ("facet", {"key": "Health care"}, "Use lower-case letters"),
        ("phone", {"countries": ["zz"]}, "zz is not one of the available choices"),
        ("certificate", {"expires": "2001-01-01"}, "last day is before the first"),
        ("video", {"video_id": "https://vimeo.com/1"}, "is not a YouTube video"),
        ("video", {"cover": ""}, "This field is required"),
        ("review", {"score": "4.7"}, "not one of the available choices"),
        ("review", {"translations": {"text": "{founded}"}}, "Unknown placeholder"),
        ("cv", {"translations": {"skills": " \n "}}, "This field is required"),
        ("cv", {"translations": {"skills": "x" * 81}}, "Use up to 80 per line"),
        ("facet", {"translations": {"name": ""}}, "This field is required"),
    ],
)
def test_a_mistake_is_named_beside_its_field(
    studio: Client, sites: Any, picture: SiteImage, kind: str, given: dict[str, Any], words: str
) -> None:
    reply = studio.post(url(kind, "add"), form(kind, sites, picture, **given))
    assert reply.status_code == 200
    assert words in reply.content.decode()
    assert not COLLECTIONS[kind].objects.exists()


def test_a_site_has_one_translation(studio: Client, sites: Any) -> None:
    row = {"locale": sites["en"].locale.pk, "name": "Healthcare"}
    data = nested_form_data({"facet": "industry", "key": "key", "translations": inline_formset([row, row])})
    assert studio.post(url("facet", "add"), data | PUBLISH).status_code == 200
    assert not FacetValue.objects.exists()


def test_an_entry_needs_a_translation(studio: Client, sites: Any) -> None:
    data = nested_form_data({"facet": "industry", "key": "key", "translations": inline_formset([])})
    assert studio.post(url("facet", "add"), data | PUBLISH).status_code == 200
    assert not FacetValue.objects.exists()


def test_a_pasted_address_becomes_the_videos_id(studio: Client, sites: Any, picture: SiteImage) -> None:
    address = "https://www.youtube.com/watch?v=aqz-KE-bpKQ&list=PLxxxxxxxxxxxx&t=42s"
    studio.post(url("video", "add"), form("video", sites, picture, video_id=address))
    assert InsightVideo.objects.get().video_id == "aqz-KE-bpKQ"


def test_lines_lose_what_is_no_text(studio: Client, sites: Any) -> None:
    reply = studio.post(
        url("cv", "add"), form("cv", sites, translations={"skills": "Python\r\n\r\n  SQL \r\n", "languages": ""})
    )
    assert reply.status_code == 302
    translation = COLLECTIONS["cv"].objects.get().translations.get()
    assert (translation.skills, translation.languages) == (["Python", "SQL"], [])


@pytest.mark.usefixtures("real_search")
@pytest.mark.parametrize(
    ("kind", "query"),
    [
        ("office", "dall"), ("phone", "214"), ("phone", "canada"), ("certificate", "security"), ("certificate", "fict"),
        ("cv", "engin"), ("cv", "python"), ("review", "north"), ("review", "vessel"), ("review", "keep word"),
        ("facet", "health"), ("video", "estim"), ("short", "estim"), ("facet", "key"),
    ],
)  # fmt: skip
def test_entries_are_found_by_what_they_say(
    studio: Client, sites: Any, picture: SiteImage, kind: str, query: str
) -> None:
    studio.post(url(kind, "add"), form(kind, sites, picture))
    assert list(get_search_backend().autocomplete(query, COLLECTIONS[kind].objects.all())), "in the index"
    found = studio.get(url(kind), {"q": query}).context["object_list"]
    assert [entry.key for entry in found] == ["key"]
    assert not studio.get(url(kind), {"q": "elsewhere"}).context["object_list"]


@pytest.mark.usefixtures("real_search")
@pytest.mark.parametrize(
    ("kind", "filters", "expected"),
    [
        ("review", {"country": "gb"}, ["british"]),
        ("review", {"country": "fr"}, ["british", "german"]),  # no review is from there: not among the choices
        ("review", {"written": "de"}, ["german"]),
        ("review", {"unwritten": "de"}, ["british"]),
        ("review", {"unwritten": "de", "q": "north"}, ["british"]),
        ("review", {"written": "de", "q": "north"}, ["german"]),
        ("review", {"country": "de", "q": "north"}, ["german"]),
    ],
)
def test_lists_are_filtered(
    studio: Client, sites: Any, make_entry: MakeEntry, kind: str, filters: dict[str, str], expected: list[str]
) -> None:
    make_entry("review", "british")
    make_entry("review", "german", country="de", de={"text": "Gut."})
    asked = {name: sites[value].locale.pk if name.endswith("written") else value for name, value in filters.items()}
    reply = studio.get(url(kind), asked)
    assert sorted(entry.key for entry in reply.context["object_list"]) == expected


def test_the_list_names_the_sites_that_have_a_translation(studio: Client, make_entry: MakeEntry) -> None:
    make_entry("facet", "health", de={"name": "Gesundheit"})
    assert "de, en" in studio.get(url("facet")).content.decode()


@pytest.mark.parametrize(
    ("moved", "position", "order"),
    [("a", 2, ["b", "c", "a", "d"]), ("d", 0, ["d", "a", "b", "c"]), ("b", 1, ["a", "b", "c", "d"])],
)
def test_dragging_is_known_to_the_next_release(
    studio: Client, make_entry: MakeEntry, moved: str, position: int, order: list[str]
) -> None:
    entries = {key: make_entry("facet", key) for key in "abcd"}
    before = {key: entry.sort_order for key, entry in entries.items()}
    PendingChange.objects.all().delete()
    reply = studio.post(f"{url('facet', 'reorder', entries[moved].pk)}?position={position}")
    assert reply.status_code == 200
    assert [entry.key for entry in FacetValue.objects.all()] == order
    changed = {entry.key for entry in FacetValue.objects.all() if entry.sort_order != before[entry.key]}
    assert set(PendingChange.objects.filter(site="en", kind="facet").values_list("key", flat=True)) == changed


def test_the_default_number_stays(studio: Client, make_entry: MakeEntry) -> None:
    london, dallas = make_entry("phone", "london", countries=[]), make_entry("phone", "dallas", countries=[])
    delete = url("phone", "delete", london.pk)
    assert "is the default number" in studio.post(delete, follow=True).content.decode()
    assert Phone.objects.count() == 2
    studio.post(url("phone", "delete", dallas.pk))
    studio.post(delete)
    assert not Phone.objects.exists(), "the last one may go"


@pytest.mark.parametrize("relation", ["industries", "services", "technologies"])
def test_a_facet_that_case_studies_are_found_by_stays(
    studio: Client, homes: Any, add_page: Any, make_entry: MakeEntry, picture: SiteImage, relation: str
) -> None:
    used, free = make_entry("facet", "used"), make_entry("facet", "free")
    fields = {"client": "Clinic", "country": "gb", "summary": "S", "cover": picture}
    for number in range(5):
        add_page(homes["en"], CaseStudyPage, f"case-{number}", **fields, **{relation: [used]})
    reply = studio.post(url("facet", "delete", used.pk), follow=True)
    assert "“case-0”, “case-1”, “case-2” and 2 more" in reply.content.decode()
    many = reverse("wagtail_bulk_action", args=("content", "facetvalue", "delete"))
    studio.post(f"{many}?id={free.pk}&id={used.pk}", follow=True)
    assert FacetValue.objects.count() == 2
    studio.post(url("facet", "delete", free.pk))
    assert [value.key for value in FacetValue.objects.all()] == ["used"]


@pytest.mark.usefixtures("real_search")
def test_a_logo_that_a_review_shows_stays(studio: Client, make_entry: MakeEntry, picture: SiteImage) -> None:
    make_entry("review")
    delete = reverse("wagtailimages:delete", args=(picture.pk,))
    assert "prevent" in studio.get(delete).content.decode()
    studio.post(delete)
    assert Review.objects.get().logo_id == picture.pk


def test_a_rate_card_is_written_for_each_site(studio: Client, sites: Any) -> None:
    begin = reverse("wagtailsnippets_content_ratecardsettings:begin", args=("de",))
    edit = studio.post(begin).url
    assert studio.get(edit).status_code == 200
    rate = {"role": "back-end", "name": "Entwicklung", "seniority": "senior", "low": 7000, "high": 9000, "ORDER": "1"}

    def send(**changes: Any) -> Any:
        supplements = {"start_now": "10", "start_quarter": "0", "start_later": "0", "long_discount": "5"}
        form = {"currency": "EUR", **supplements, "long_months": "12", "services": streamfield([])}
        form["rates"] = inline_formset([{**rate, **changes}])
        return studio.post(edit, nested_form_data(form) | PUBLISH)

    assert "less than" in send(high=6000).content.decode()
    assert not Rate.objects.exists()
    assert send().status_code == 302
    assert Rate.objects.get().card == RateCardSettings.objects.get(site=sites["de"].wagtail_site)


def test_the_menu_has_a_group_of_each_kind_and_rate_cards_once(studio: Client, sites: Any) -> None:
    page = studio.get("/admin/").content.decode()
    for kind in KINDS:
        assert url(kind) in page
    assert page.count(reverse("wagtailsnippets_content_ratecardsettings:list")) == 1
