"""Pages in lists: their cards in a snapshot, and the changes that render the lists again."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from wagtail.models import Page
from wagtail.test.utils.form_data import inline_formset, nested_form_data, streamfield

from portolan.content.changes import keys_of, keys_of_subtree
from portolan.content.export import all_item_keys, export_batch, export_draft, export_items
from portolan.content.items import ItemKey
from portolan.content.models import (
    ArticlePage,
    BlueprintPage,
    CaseStudyPage,
    CaseStudyPlacement,
    EventPage,
    FacetValue,
    FacetValueTranslation,
    HomePage,
    ListingPage,
    ServicePage,
    SiteImage,
)
from portolan.content.pages import PAGE_TYPES
from portolan.content.pages.card import CardPage
from portolan.domain.cards import CARD_KINDS
from portolan.domain.problems import Block, EmptyValue, MissingPage, MissingPicture, Problem, Subject, UntranslatedName
from portolan.domain.references import resolve
from portolan_dev.contract.examples import PICTURES, ExampleLookup

Homes = Mapping[str, HomePage]
AddPage = Callable[..., Any]

CARD_PAGE_TYPES = [page_type for page_type in PAGE_TYPES if issubclass(page_type, CardPage)]


def card_item(page: Page, site: str = "en") -> ItemKey:
    return ItemKey(site, page.card_kind(), str(page.translation_key))


def page_item(page: Page, site: str = "en") -> ItemKey:
    return ItemKey(site, "page", str(page.translation_key))


def link_to(page: Page) -> dict[str, str]:
    return {"$page": str(page.translation_key), "title": page.title}


def problems_of(key: ItemKey) -> list[Problem]:
    return export_batch([key]).problems[key]


@pytest.fixture
def cover(db: None) -> SiteImage:
    return SiteImage.objects.bulk_create(
        [SiteImage(title="Cranes", file="cranes.png", width=2560, height=1600, published=PICTURES["2"])]
    )[0]


@pytest.fixture
def add_facet(sites: Any) -> Callable[..., FacetValue]:
    """Adds a facet value with its name by site: ``add_facet("industry", "healthcare", en="Healthcare")``."""

    def add(facet: str, key: str, **names: str) -> FacetValue:
        value = FacetValue.objects.create(facet=facet, key=key, sort_order=FacetValue.objects.count())
        for site, name in names.items():
            FacetValueTranslation.objects.create(entry=value, locale=sites[site].locale, name=name)
        return FacetValue.objects.get(pk=value.pk)

    return add


@pytest.fixture
def cases(homes: Homes, add_page: AddPage) -> ListingPage:
    return add_page(homes["en"], ListingPage, "project-cases", title="Case studies")


@pytest.fixture
def add_case(cases: ListingPage, cover: SiteImage, add_page: AddPage) -> Callable[..., CaseStudyPage]:
    """Adds a published case study; facets are given as lists of values."""

    def add(slug: str, parent: Page = cases, **fields: Any) -> CaseStudyPage:
        facets = {name: fields.pop(name, []) for name in ("industries", "services", "technologies")}
        placed = fields.pop("pages", [])
        given = {"client": "Lumen", "country": "gb", "summary": "One record.", "cover": cover, "cover_alt": "Cranes"}
        page = add_page(parent, CaseStudyPage, slug, **given | fields)
        for name, values in facets.items():
            setattr(page, name, values)
        page.placements = [CaseStudyPlacement(page=target) for target in placed]
        page.save_revision().publish()
        return CaseStudyPage.objects.get(pk=page.pk)

    return add


def test_every_card_has_a_kind_of_its_own() -> None:
    assert {page_type.page_type: page_type.card_kind() for page_type in CARD_PAGE_TYPES} == dict(CARD_KINDS)
    assert len(set(CARD_KINDS.values())) == len(CARD_KINDS)


def test_a_case_study_freezes_its_card(
    add_case: Any, add_facet: Any, add_page: AddPage, homes: Homes, cover: SiteImage
) -> None:
    shown_on = add_page(homes["en"], ServicePage, "web-development")
    late, early = add_facet("industry", "logistics", en="Logistics"), add_facet("industry", "health", en="Health")
    FacetValue.objects.filter(pk=early.pk).update(sort_order=-1)
    case = add_case(
        "lumen",
        title="Lumen",
        rank=3,
        lat=51.5,
        lng=-0.1,
        industries=[late, early],
        services=[add_facet("service", "web-development", en="Web")],
        pages=[shown_on, homes["en"]],
        results=[{"type": "result", "value": {"value": "26 min", "caption": "a day"}, "id": "1"}],
        gallery=[{"type": "picture", "value": {"image": cover.pk, "alt": "Quay"}, "id": "2"}],
    )
    key = card_item(case)
    body = export_items([key])[key]
    assert body == {
        "order": 3,
        "value": {
            "id": key.key,
            "slug": "lumen",
            "title": "Lumen",
            "summary": "One record.",
            "client": "Lumen",
            "country": "gb",
            "cover": {"$picture": str(cover.pk), "alt": "Cranes"},
            "link": link_to(case),
            "industries": [
                {"facet": "industry", "slug": "health", "name": "Health"},
                {"facet": "industry", "slug": "logistics", "name": "Logistics"},
            ],
            "services": [{"facet": "service", "slug": "web-development", "name": "Web"}],
            "technologies": [],
            "results": [{"value": "26 min", "caption": "a day"}],
            "lat": 51.5,
            "lng": -0.1,
            "gallery": [{"$picture": str(cover.pk), "alt": "Quay"}],
            "rank": 3,
        },
        "pages": sorted([str(shown_on.translation_key), str(homes["en"].translation_key)]),
    }


def test_a_case_study_that_is_not_listed_has_a_page_and_no_card(add_case: Any) -> None:
    case = add_case("telemedicine", title="Telemedicine")
    keys = [page_item(case), card_item(case)]
    assert all(export_items(keys).values())
    case.listed = False
    case.save_revision().publish()
    assert keys_of(case) == set(keys), "the card is noted too: it has to go"
    bodies = export_items(keys)
    assert bodies[keys[0]] and bodies[keys[1]] is None
    assert list(export_draft(case)) == [keys[0]]


def test_case_studies_without_a_rank_come_last(add_case: Any) -> None:
    ranked, other = card_item(add_case("a", rank=30)), card_item(add_case("b"))
    bodies = export_items([ranked, other])
    assert bodies[ranked]["order"] < bodies[other]["order"]
    assert bodies[other]["value"]["rank"] is None


def test_an_article_an_event_and_a_blueprint_freeze_their_cards(
    homes: Homes, add_page: AddPage, cover: SiteImage
) -> None:
    listing = add_page(homes["en"], ListingPage, "insights")
    words = {"summary": "Short.", "title": "Title"}
    news = add_page(listing, ArticlePage, "n", date=date(2026, 3, 1), preview=cover, preview_alt="P", **words)
    older = add_page(listing, ArticlePage, "o", date=date(2026, 2, 28), preview=cover, **words)
    event = add_page(
        listing, EventPage, "e", start=date(2996, 9, 1), city="Hamburg", country="de", cover=cover, **words
    )
    blueprint = add_page(listing, BlueprintPage, "b", date=date(2026, 1, 1), cover=cover, cover_alt="C", **words)
    keys = [card_item(page) for page in (news, older, event, blueprint)]
    bodies = export_items(keys)
    picture = {"$picture": str(cover.pk)}
    common = {"title": "Title", "summary": "Short."}
    assert bodies[keys[0]]["value"] == {
        **common, "id": keys[0].key, "previewImage": {**picture, "alt": "P"}, "date": "2026-03-01",
        "link": link_to(news),
    }  # fmt: skip
    assert bodies[keys[0]]["order"] == bodies[keys[1]]["order"] - 1, "the newest first"
    assert bodies[keys[2]] == {
        "order": date(2996, 9, 1).toordinal(),
        "value": {
            **common, "id": keys[2].key, "start": "2996-09-01", "end": "2996-09-01", "past": False, "city": "Hamburg",
            "country": "de", "registration": "", "cover": {**picture, "alt": ""}, "link": link_to(event),
        },
    }  # fmt: skip
    assert bodies[keys[3]]["value"] == {
        **common, "id": keys[3].key, "cover": {**picture, "alt": "C"}, "date": "2026-01-01", "link": link_to(blueprint),
    }  # fmt: skip
    for page, key in zip((news, older, event, blueprint), keys, strict=True):
        body = bodies[key]["value"] | {"link": {"$page": "00000000-0000-4000-8000-000000000001", "title": "x"}}
        picture_field = "previewImage" if page.page_type == "article" else "cover"
        page.Card.model_validate(resolve(body | {picture_field: {"$picture": "2", "alt": ""}}, ExampleLookup()))


def test_events_stand_in_the_order_in_which_they_are_shown(
    homes: Homes, add_page: AddPage, cover: SiteImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Coming events by their first day, then past ones, the last first. An event of today is still to come."""
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 22, 12, tzinfo=UTC))
    listing = add_page(homes["en"], ListingPage, "events")
    days = {"long ago": (date(2020, 1, 1), None), "lately": (date(2026, 11, 20), date(2026, 11, 21)),
            "today": (date(2026, 11, 22), None), "under way": (date(2026, 11, 1), date(2026, 11, 23)),
            "soon": (date(2026, 12, 1), None), "last": (date.max, None)}  # fmt: skip
    keys = {
        name: card_item(
            add_page(listing, EventPage, f"e-{i}", start=start, end=end, cover=cover, summary="S", title=name)
        )
        for i, (name, (start, end)) in enumerate(days.items())
    }
    bodies = export_items(keys.values())
    by_order = sorted(keys, key=lambda name: bodies[keys[name]]["order"])
    assert by_order == ["under way", "today", "soon", "last", "lately", "long ago"]
    assert [name for name in by_order if bodies[keys[name]]["value"]["past"]] == ["lately", "long ago"]


def test_a_copy_has_a_card_in_the_translation_it_inherits(
    add_case: Any, add_facet: Any, live_copy: Any, homes: Homes
) -> None:
    case = add_case("lumen", industries=[add_facet("industry", "health", en="Health")], pages=[homes["en"]])
    copy = live_copy(case, "uk")
    own, heir = card_item(case), card_item(copy, "uk")
    bodies = export_items([own, heir])
    assert bodies[heir] == bodies[own]
    case.summary = "Two records."
    case.industries = [*case.industries.all(), add_facet("industry", "banking", en="Banking", uk="Banks")]
    case.save_revision().publish()
    assert keys_of(case) >= {own, heir}
    value = export_items([heir])[heir]["value"]
    assert value["summary"] == "Two records."
    assert [facet["name"] for facet in value["industries"]] == ["Health", "Banks"]


def test_an_empty_field_and_a_missing_word_are_named(
    add_case: Any, add_facet: Any, homes: Homes, add_page: AddPage
) -> None:
    german = add_page(homes["de"], ListingPage, "project-cases")
    health = add_facet("industry", "health", en="Health")
    case = add_case("lumen", parent=german, title="Lumen", industries=[health])
    card = Subject(*card_item(case, "de"), "Lumen", "/project-cases/lumen")
    named = Problem(card._replace(field="industries"), UntranslatedName("industry", "health"))
    assert problems_of(card_item(case, "de")) == [named]
    CaseStudyPage.objects.filter(pk=case.pk).update(cover=None)
    assert Problem(card._replace(field="cover"), EmptyValue("lists")) in problems_of(card_item(case, "de"))
    assert problems_of(page_item(case, "de")) == problems_of(card_item(case, "de")), "the page waits for its card"


def test_a_picture_without_files_is_named(add_case: Any) -> None:
    case = add_case("lumen")
    SiteImage.objects.update(published={})
    (problem,) = problems_of(card_item(case))
    assert (problem.subject.field, problem.detail.code) == ("cover", MissingPicture.code)


def test_a_card_waits_for_its_page(add_case: Any, homes: Homes) -> None:
    draft = homes["en"].add_child(instance=ServicePage(title="Draft", slug="draft", live=False))
    html = f'<p><a linktype="page" id="{draft.pk}">There</a></p>'
    case = add_case("lumen", title="Lumen", body=[{"type": "rich_text", "value": {"html": html}, "id": "1"}])
    (problem,) = problems_of(card_item(case))
    place = Subject(*page_item(case), "Lumen", "/project-cases/lumen", Block("1", 1, "rich_text"), "html")
    assert problem == Problem(place, MissingPage(str(draft.translation_key)))
    both = export_batch([page_item(case), card_item(case)])
    assert both == ({}, {page_item(case): [problem], card_item(case): [problem]})


def test_a_card_is_published_where_its_page_is(add_case: Any, cases: ListingPage) -> None:
    case, hidden = add_case("lumen"), add_case("hidden", hidden_here=True)
    draft = cases.add_child(instance=CaseStudyPage(title="Draft", slug="draft", live=False))
    assert export_items([card_item(hidden), card_item(draft)]) == {card_item(hidden): None, card_item(draft): None}
    keys = all_item_keys()
    assert {card_item(case), page_item(case)} <= keys
    assert not {card_item(hidden), card_item(draft), card_item(case, "de")} & keys
    wrong_kind = ItemKey("en", "news", str(case.translation_key))
    assert export_items([wrong_kind]) == {wrong_kind: None}


def test_a_move_dirties_pages_and_cards_below(add_case: Any, cases: ListingPage, live_copy: Any) -> None:
    case = add_case("lumen")
    live_copy(case, "uk")
    cases.refresh_from_db()
    assert keys_of_subtree(cases) == {
        key(page, site)
        for page, key in ((case, page_item), (case, card_item), (cases, page_item))
        for site in ("en", "uk")
    }


def test_a_placement_dirties_its_case_study(add_case: Any, homes: Homes) -> None:
    case = add_case("lumen", pages=[homes["en"]])
    assert keys_of(case.placements.get()) == {page_item(case), card_item(case)}


def test_a_facets_word_dirties_the_cards_it_stands_in(add_case: Any, add_facet: Any, live_copy: Any) -> None:
    python, react = add_facet("technology", "python", en="Python"), add_facet("technology", "react-js", en="React")
    case, other = add_case("lumen", technologies=[python]), add_case("northwind", technologies=[react])
    live_copy(case, "uk")
    own = {ItemKey(site, "facet", "python") for site in ("en", "uk", "de")}
    expected = {*own, card_item(case), card_item(case, "uk")}
    assert keys_of(python) == keys_of(python.translations.get()) == expected
    assert card_item(other) in keys_of(react)


def test_more_pages_take_no_more_queries(add_case: Any, add_facet: Any, homes: Homes) -> None:
    facets = [add_facet("industry", f"i{number}", en=f"I{number}") for number in range(3)]
    placed = {"industries": facets, "technologies": [add_facet("technology", "go", en="Go")], "pages": [homes["en"]]}
    pages = [add_case(f"c{number}", **placed) for number in range(5)]
    keys = [[page_item(page), card_item(page)] for page in pages]

    def queries(count: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            bodies = export_items(key for pair in keys[:count] for key in pair)
        assert all(bodies.values())
        return len(captured)

    assert queries(1) == queries(5) <= 17


@pytest.mark.parametrize("settled", [{"lat": 1.0}, {"lng": 1.0}])
def test_a_place_on_the_map_is_whole(add_case: Any, settled: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match="A position needs both"):
        add_case("lumen", **settled)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"end": date(2026, 8, 31)}, "end"),
        ({"city": "Hamburg"}, "country"),
        ({"summary": "All of {foo}"}, "summary"),
        ({"cover_alt": "All of {foo}"}, "cover_alt"),
        ({"cover": None}, "cover"),
        ({"start": None}, "start"),
    ],
)
def test_an_events_mistakes_are_named(
    homes: Homes, add_page: AddPage, cover: SiteImage, fields: dict[str, Any], named: str
) -> None:
    listing = add_page(homes["en"], ListingPage, "events")
    given = {"start": date(2026, 9, 1), "summary": "Short.", "cover": cover}
    with pytest.raises(ValidationError) as caught:
        add_page(listing, EventPage, "e", **given | fields)
    assert set(caught.value.message_dict) == {named}


def test_blocks_with_a_name_stand_in_the_anchor_menu(homes: Homes, add_page: AddPage) -> None:
    def block(anchor: str, title: str) -> dict[str, Any]:
        value = {"anchor": anchor, "anchor_title": title, "html": "<p>Text</p>"}
        return {"type": "rich_text", "value": value, "id": str(uuid4())}

    body = [block("one", "First {year}"), block("two", ""), block("three", "Third")]
    page = add_page(homes["en"], ServicePage, "web", body=body)
    assert export_items([page_item(page)])[page_item(page)]["anchors"] == [
        {"anchor": "one", "title": "First {year}"},
        {"anchor": "three", "title": "Third"},
    ]


# In the studio --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["case_studies", "news", "events", "blueprints"])
def test_the_studio_lists_each_family_with_its_columns(
    admin_client: Client, add_case: Any, homes: Homes, add_page: AddPage, cover: SiteImage, name: str
) -> None:
    words = {"summary": "Short."}
    listing = add_page(homes["en"], ListingPage, "lists")
    add_case("lumen", client="Lumen Clinics", country="de", rank=2)
    add_page(listing, ArticlePage, "n", title="News", date=date(2026, 3, 1), preview=cover, **words)
    add_page(
        listing, EventPage, "e", title="Event", start=date(2026, 9, 1), city="Oslo", country="no", cover=cover, **words
    )
    add_page(listing, BlueprintPage, "b", title="Blueprint", date=date(2026, 1, 1), cover=cover, **words)
    reply = admin_client.get(f"/admin/{name}/")
    assert reply.status_code == 200
    shown = {
        "case_studies": ["Lumen Clinics", "Germany"],
        "news": ["News", "March 1, 2026"],
        "events": ["Oslo", "Norway", "Sept. 1, 2026"],
        "blueprints": ["Blueprint", "Jan. 1, 2026"],
    }
    for words_shown in shown[name]:
        assert words_shown in reply.content.decode()


def test_a_case_study_is_written_and_published(
    admin_client: Client, cases: ListingPage, cover: SiteImage, add_facet: Any, homes: Homes
) -> None:
    health, python = add_facet("industry", "health", en="Health"), add_facet("technology", "python", en="Python")
    form = {
        "title": "Lumen", "slug": "lumen", "seo_title": "", "search_description": "", "body": streamfield([]),
        "client": "Lumen Clinics", "country": "de", "summary": "One record.", "cover": str(cover.pk), "cover_alt": "",
        "industries": [str(health.pk)], "technologies": [str(python.pk)], "lat": "", "lng": "", "rank": "1", "listed": "on",
        "results": streamfield([("result", {"value": "26 min", "caption": "a day"})]), "gallery": streamfield([]),
        "placements": inline_formset([{"page": homes["en"].pk}]), "hidden_here": "", "action-publish": "1",
    }  # fmt: skip
    data = nested_form_data(form) | {"industries": [str(health.pk)], "technologies": [str(python.pk)]}
    reply = admin_client.post(f"/admin/pages/add/content/casestudypage/{cases.pk}/", data)
    assert reply.status_code == 302, reply.context and reply.context["form"].errors
    page = CaseStudyPage.objects.get(slug="lumen")
    body = export_items([card_item(page)])[card_item(page)]
    assert body["pages"] == [str(homes["en"].translation_key)]
    assert [facet["name"] for facet in body["value"]["industries"]] == ["Health"]
    assert [facet["name"] for facet in body["value"]["technologies"]] == ["Python"]
    assert body["value"]["results"] == [{"value": "26 min", "caption": "a day"}]


def test_a_case_study_is_found_by_values_of_the_right_facet(
    admin_client: Client, cases: ListingPage, cover: SiteImage, add_facet: Any
) -> None:
    python = add_facet("technology", "python", en="Python")
    reply = admin_client.get(f"/admin/pages/add/content/casestudypage/{cases.pk}/")
    form = reply.context["form"]
    assert list(form.fields["technologies"].queryset) == [python]
    assert list(form.fields["industries"].queryset) == []
