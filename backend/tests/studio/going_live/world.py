"""Live content of three sites, of every kind that visitors see, with drafts, change sets and two releases."""

from datetime import timedelta
from typing import Any, Final, NamedTuple

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.core.files.base import ContentFile
from django.utils import timezone
from wagtail.documents.models import Document
from wagtail.models import Page

from portolan.content.change_sets.holding import add
from portolan.content.change_sets.models import ChangeSet
from portolan.content.collections.facets import FacetValueTranslation
from portolan.content.collections.offices import OfficeTranslation
from portolan.content.collections.reviews import ReviewTranslation
from portolan.content.models import (
    FacetValue,
    FolderPage,
    FooterSettings,
    MenuSettings,
    Office,
    OfficeCategory,
    Phone,
    RateCardSettings,
    Redirect,
    Review,
    ServicePage,
    SiteImage,
)
from portolan.content.rate_card import Rate
from portolan.content.site_records import SiteRecord
from portolan.domain.change_sets import State
from portolan.releases.create import create_release
from portolan.studio.deleting import delete_page

from ...conftest import publish_page
from ...releases.conftest import SVG

PDF: Final = b"%PDF-1.4 one"
SITES: Final = ("en", "de")


class World(NamedTuple):
    """Primary keys of the content."""

    pages: dict[str, int]
    rows: dict[str, list[int]]
    """Keys of entries, settings and redirects, by the name of the model."""
    picture: int
    document: int
    trash: int
    sets: dict[str, int]


def opening(title: str) -> dict[str, Any]:
    return {"type": "hero", "value": {"title": title, "actions": []}, "id": "h"}


def make_world(by: Any) -> World:
    """Make the content. ``by`` has uploaded the files, owns the change sets and has deleted a page."""
    records = {record.key: record for record in SiteRecord.objects.select_related("wagtail_site", "locale")}
    picture = SiteImage(title="Mark", file=ContentFile(SVG, name="mark.svg"), uploaded_by_user=by)
    picture.save()
    from portolan.content.pictures import publish_picture

    publish_picture(picture)
    document = Document.objects.create(title="List", file=ContentFile(PDF, name="list.pdf"), uploaded_by_user=by)
    pages = _make_pages(records, picture, document, by)
    rows = _make_rows(records, Page.objects.get(pk=pages["en"]))
    create_release("test", timezone.now().date())
    held = delete_page(Page.objects.get(pk=pages.pop("de-gone")), by)
    _edit_all(pages, rows)
    create_release("test", timezone.now().date())
    sets = _make_drafts(pages, rows, by)
    return World(pages, rows, picture.pk, document.pk, held.pk, sets)


def _make_pages(records: Any, picture: SiteImage, document: Document, by: Any) -> dict[str, int]:
    """Make the pages. Names begin with the site's key: ``de`` has a draft, ``de-edited`` was edited once, the others
    are for change sets."""
    files = [
        {"type": "image_text", "value": {"title": "A", "html": "<p>A</p>", "picture": {"image": picture.pk, "alt": "A mark"}}, "id": "p"},
        {"type": "download", "value": {"title": "List", "document": document.pk, "link_title": "List"}, "id": "d"},
    ]  # fmt: skip
    pages: dict[str, int] = {}
    for key in SITES:
        record = records[key]
        home: Any = record.wagtail_site.root_page.specific
        home.body = [opening(home.title)]
        home.save_revision().publish()
        pages[f"{key}-home"] = home.pk
        folder = home.add_child(instance=FolderPage(title="Folder", slug="folder", locale=record.locale))
        folder.save_revision().publish()
        pages[f"{key}-folder"] = folder.pk
        for name in (key, f"{key}-edited", f"{key}-open", f"{key}-review", f"{key}-approved", f"{key}-gone"):
            body = [opening(name), *files]
            pages[name] = publish_page(home, ServicePage, f"p-{name}", locale=record.locale, body=body).pk
    german = records["de"]
    draft = ServicePage(title="Draft", slug="draft", live=False, locale=german.locale, body=[opening("D")])
    Page.objects.get(pk=pages["de-home"]).add_child(instance=draft)
    draft.save_revision(user=by)
    hidden: Any = Page.objects.get(alias_of=pages["en-open"]).specific
    hidden.hidden_here = True
    hidden.save(clean=False)
    pages |= {"draft": draft.pk, "copy": Page.objects.get(alias_of=pages["en"]).pk, "hidden": hidden.pk}
    return pages


def _make_rows(records: Any, page: Page) -> dict[str, list[int]]:
    rows: dict[str, list[int]] = {}

    def keep(row: Any) -> None:
        rows.setdefault(row._meta.model_name, []).append(row.pk)

    def texts(model: Any, keys: Any, **values: Any) -> list[Any]:
        return [model(locale=records[key].locale, **values) for key in keys]

    for key, sites in (("both", ("en", "de")), ("german", ("de",))):
        review = Review(key=key, company=f"Company {key}", country="de", score=5)
        review.translations = texts(ReviewTranslation, sites, person="Anna", role="CEO", text="Good.")
        review.save()
        keep(review)
    facet = FacetValue(key="ports", facet="industry")
    facet.translations = texts(FacetValueTranslation, ("en", "de"), name="Ports")
    facet.save()
    keep(facet)
    category = OfficeCategory.objects.create(key="hub", name="Hub", icon="map-pin")
    keep(category)
    office = Office(
        key="berlin",
        city="Berlin",
        country="de",
        address="Street 1",
        phone="+49 30 1",
        sets=["default"],
        category=category,
        lat=52.5,
        lng=13.4,
    )
    office.translations = texts(OfficeTranslation, ("de",), city="Berlin")
    office.save()
    keep(office)
    keep(Phone.objects.create(key="main", phone="+49 30 123456", is_default=True))
    keep(Phone.objects.create(key="london", phone="+44 20 123456", countries=["gb"]))
    link = [{"type": "link", "value": {"title": "About", "page": page.pk, "anchor": "", "url": ""}, "id": "c"}]
    submenu = [{"title": "Us", "page": page.pk}]
    item = {"title": "Company", "key": "company", "theme": "text-links", "submenu": submenu}
    for key in ("de", "en"):
        site = records[key].wagtail_site
        keep(MenuSettings.objects.create(site=site, items=[{"type": "item", "value": item, "id": "i"}], contact=link))
        keep(FooterSettings.objects.create(site=site, groups=[], legal_links=[], offices_link=link))
        card = RateCardSettings(site=site)
        card.rates = [Rate(role="developer", name="Developer", seniority="senior", low=1, high=2)]
        card.save()
        keep(card)
        keep(Redirect.objects.create(site=records[key], source="/old", page=page))
    keep(Redirect.objects.create(source="/older", page=page))
    return rows


def _edit_all(pages: dict[str, int], rows: dict[str, list[int]]) -> None:
    """Edit all content, so that each item has an earlier version."""
    for name in SITES:
        for id in (pages[name], pages[f"{name}-edited"]):
            page: Any = Page.objects.get(pk=id).specific
            page.title += " us"
            page.save_revision(log_action=True).publish()
    changes = {"review": "company", "office": "city", "redirect": "anchor", "phone": "phone", "facetvalue": "facet"}
    for model, field in changes.items():
        for id in rows[model]:
            row = apps.get_model("content", model)._default_manager.get(pk=id)
            setattr(row, field, f"{getattr(row, field)}2")
            row.save_live()
    for model in ("menusettings", "footersettings"):
        for row in apps.get_model("content", model)._default_manager.all():
            block = row.offices_link[0] if model == "footersettings" else row.contact[0]
            block.value["title"] = "About us"
            row.save_live()
    for card in RateCardSettings.objects.all():
        card.currency = "GBP"
        card.save_live()


def _make_drafts(pages: dict[str, int], rows: dict[str, list[int]], by: Any) -> dict[str, int]:
    """Make drafts of all content, and change sets in each state that can go live."""
    for name in SITES:
        page: Any = Page.objects.get(pk=pages[name]).specific
        page.title += " now"
        page.save_revision(user=by)
    sets: dict[str, int] = {}
    for key, states in (("en", [State.OPEN]), ("de", [State.OPEN, State.REVIEW, State.APPROVED])):
        for state in states:
            thing: Any = Page.objects.get(pk=pages[f"{key}-{state.value}"]).specific
            thing.title += " later"
            sets[f"{key} {state.value}"] = _collect(thing, by, state)
    for model, field in (("review", "company"), ("redirect", "anchor")):
        row = apps.get_model("content", model)._default_manager.get(pk=rows[model][0])
        setattr(row, field, "Another")
        sets[model] = _collect(row, by, State.OPEN)
    live = ChangeSet.objects.create(name="As if it had become release 2", owner=by, state=State.LIVE.value, release=2)
    add(live, Page.objects.get(pk=pages["de-edited"]), by)
    live.items.update(is_open=False)
    sets["live"] = live.pk
    planned: Any = Page.objects.get(pk=pages["draft"]).specific
    planned.go_live_at = timezone.now() + timedelta(days=2)
    planned.save_revision(user=by).publish()
    return sets


def _collect(thing: Any, by: Any, state: State) -> int:
    """Return a change set of ``by`` with a draft of the content."""
    revision = thing.save_revision(user=by)
    change_set = ChangeSet.objects.create(name=f"{thing} {state.value}", owner=by, state=state.value, sent_by=by)
    item = add(change_set, thing, by)
    if state is State.APPROVED:
        item.approved = revision.pk
        item.save()
    return change_set.pk


def type_of(model: Any) -> int:
    return ContentType.objects.get_for_model(model).pk
