"""Words replaced on several pages at once: where they occur, which texts stay, and going live only with their set."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from wagtail.admin.models import EditingSession

from portolan.content.change_sets.holding import add
from portolan.content.change_sets.models import ChangeSet
from portolan.content.collections.offices import OfficeTranslation
from portolan.content.models import MenuSettings, Office, OfficeCategory, ServicePage
from portolan.content.site_records import load_site_roots
from portolan.domain.replacing import Replacing
from portolan.domain.roles import Role, SiteRole
from portolan.studio.permissions import sync_role_group
from portolan.studio.replace.apply import apply
from portolan.studio.replace.find import Asked, find

pytestmark = pytest.mark.django_db
PORT = Replacing("port", "harbour", whole_words=True)


@pytest.fixture
def anna(client: Client) -> User:
    user = User.objects.create_superuser("anna", first_name="Anna")
    client.force_login(user)
    client.defaults["HTTP_HOST"] = "studio.localhost"
    return user


def _body(html: str) -> list[dict[str, Any]]:
    return [
        {"type": "rich_text", "value": {"html": html, "anchor": "port"}, "id": "a"},
        {"type": "code", "value": {"code": "port = 1", "language": "python"}, "id": "b"},
    ]


@pytest.fixture
def pages(homes: Any, add_page: Callable[..., Any]) -> dict[str, Any]:
    link = '<p title="port">The <b>port</b> of <a href="https://port.example/port">PORT &amp; co</a>, ports.</p>'
    return {
        key: add_page(
            homes[key], ServicePage, "port", title=f"Port of {key}", body=_body(link), locale=homes[key].locale
        )
        for key in ("en", "de")
    }


def _ask(user: User, asked: Replacing = PORT, sites: tuple[str, ...] = (), change_set: Any = None) -> Asked:
    roots = load_site_roots()
    chosen = {key: roots[key] for key in sites} if sites else dict(roots)
    return Asked(asked, chosen, change_set, User.objects.get(pk=user.pk))


def _ids(found: Any) -> list[str]:
    return [hit.id for thing in found.things for hit in thing.hits]


def test_finds_every_text_and_no_address(pages: Any, anna: User) -> None:
    (thing,) = find(_ask(anna, sites=("de",))).things
    assert [(hit.text.label, hit.place.found) for hit in thing.hits] == [
        ("Title", "Port"),
        ("Block 1 (Text), Text", "port"),
        ("Block 1 (Text), Text", "PORT"),
        ("Block 2 (Code), Code", "port"),
    ]
    assert len(find(_ask(anna)).things) == 2
    assert find(_ask(anna, Replacing("PORT", "", match_case=True))).places == 2
    assert find(_ask(anna, Replacing("nowhere", ""))).things == []


@pytest.mark.postgres
def test_finds_letters_that_databases_store_otherwise(pages: Any, anna: User, homes: Any) -> None:
    page = pages["de"]
    page.title, page.body = "Häfen & Öl", [{"type": "rich_text", "value": {"html": "<p>Häfen &amp; Öl</p>"}, "id": "a"}]
    page.save_revision().publish()
    for words in ("häfen & öl", "ÖL", "öl", "&"):
        assert find(_ask(anna, Replacing(words, ""), ("de",))).places == 2, words
    page.title = "Порты"
    page.save_revision()
    assert find(_ask(anna, Replacing("порты", ""))).places == 1, "a draft is the newest state"
    assert find(_ask(anna, Replacing("öl", ""))).places == 1


def test_what_is_ticked_becomes_drafts_of_one_change_set(pages: Any, anna: User, client: Client) -> None:
    page = pages["de"]
    page.title = "Port of Bremen"
    page.save_revision(user=anna)
    asked = {"q": "port", "replacement": "harbour", "whole": "on", "sites": ["en", "de"]}
    screen = client.get("/admin/replace/", asked)
    text = screen.content.decode()
    assert "8 places to replace" in text and "It already has a draft by Anna" in text and "<del>PORT</del>" in text
    ids = _ids(screen.context["found"])
    query = "q=port&replacement=harbour&whole=on&sites=en&sites=de"
    answer = client.post(f"/admin/replace/?{query}", {"place": [id for id in ids if not id.endswith(".1")]})
    made = ChangeSet.objects.get()
    assert answer.url == f"/admin/changes/{made.pk}/" and made.owner == anna
    assert {item.object_id for item in made.items.all()} == {str(page.pk) for page in pages.values()}
    page.refresh_from_db()
    draft = page.get_latest_revision_as_object()
    assert (page.title, draft.title, draft.slug) == ("Port of de", "harbour of Bremen", "port")
    first, second = draft.body.raw_data
    assert first["value"] == {
        "html": '<p title="port">The <b>harbour</b> of <a href="https://port.example/port">PORT &amp; co</a>, ports.</p>',
        "anchor": "port",
    }
    assert (second["id"], second["value"]["code"], first["id"]) == ("b", "harbour = 1", "a")
    assert "harbour of Bremen" in client.get(answer.url).content.decode()


def test_says_what_is_not_possible_and_leaves_it(pages: Any, anna: User) -> None:
    other = ChangeSet.objects.create(name="Spring", owner=User.objects.create_user("ben", first_name="Ben"))
    add(other, pages["de"])
    kim = User.objects.create_user("kim", first_name="Kim")
    EditingSession.objects.create(user=kim, content_object=pages["en"], last_seen_at=timezone.now(), is_editing=True)
    found = find(_ask(anna))
    said = {thing.title: thing.obstacle for thing in found.others}
    assert found.things == []
    assert "“Spring” of Ben" in said["Port of de"] and "Kim is editing it" in said["Port of en"]
    assert [thing.title for thing in find(_ask(anna, change_set=other)).things] == ["Port of de"]
    done = apply(found, [hit.id for thing in found.others for hit in thing.hits], PORT, other, anna)
    assert (done.things, len(done.left)) == (0, 2)
    pages["de"].refresh_from_db()
    assert not pages["de"].has_unpublished_changes


def test_a_text_that_would_not_fit_stays(pages: Any, anna: User) -> None:
    long = Replacing("Port of", "x" * 118, match_case=True)
    found = find(_ask(anna, long, ("de",)))
    change_set = ChangeSet.objects.create(name="Long", owner=anna)
    done = apply(found, _ids(found), long, change_set, anna)
    assert done.things == 0 and "121 characters" in done.left[0]
    gone = apply(found, ["1.1.nothing.0"], long, change_set, anna)
    assert gone.left == ["Some places have changed in the meantime and were skipped. Search again."]


def test_goes_by_what_somebody_may_edit(pages: Any, sites: Any, anna: User, client: Client) -> None:
    kai = User.objects.create_user("kai")
    kai.groups.add(sync_role_group(SiteRole(Role.TRANSLATOR, "de")))
    category = OfficeCategory.objects.create(key="hq", name="Port office")
    office = Office(key="b", city="Port", country="de", address="x", category=category, lat=1, lng=1, sets=[])
    office.save()
    for key, city in (("de", "Port Deutsch"), ("en", "Port English")):
        OfficeTranslation.objects.create(office=office, locale=pages[key].locale, city=city)
    item = {"title": "Port", "key": "port", "theme": "text-links", "submenu": []}
    for key in ("en", "de"):
        MenuSettings.objects.create(
            site=sites[key].wagtail_site, items=[{"type": "item", "value": item, "id": "i"}], contact=[]
        )
    found = find(_ask(kai))
    assert {(thing.kind, hit.place.after) for thing in found.things for hit in thing.hits} >= {
        ("Office", " Deutsch"),
        ("Service page", " of de"),
    }
    assert {thing.where for thing in found.things if thing.kind != "Office"} == {"Deutschland"}
    assert [hit.place.after for thing in found.things for hit in thing.hits if thing.kind == "Office"] == [" Deutsch"]
    menus = [hit for thing in found.things if thing.kind == "Header menu" for hit in thing.hits]
    assert [hit.text.label for hit in menus] == ["Menu items 1 (Item), Title"], "its key stays"
    done = apply(found, _ids(found), PORT, ChangeSet.objects.create(name="Kai", owner=kai), kai)
    assert done.things == 3 and not done.left
    office = Office.objects.get(pk=office.pk)
    draft = office.get_latest_revision_as_object()
    assert sorted(row.city for row in draft.translations.all()) == ["Port English", "harbour Deutsch"]
    assert draft.city == "Port" and office.translations.get(locale=pages["de"].locale).city == "Port Deutsch"
    client.force_login(User.objects.create_user("lea"))
    assert client.get("/admin/replace/").status_code in (302, 403)


def test_more_pages_and_more_sites_are_no_more_queries(
    pages: Any, homes: Any, add_page: Callable[..., Any], anna: User
) -> None:
    def count(*sites: str) -> int:
        asked = _ask(anna, sites=sites)
        with CaptureQueriesContext(connection) as queries:
            assert find(asked).places
        return len(queries)

    count("de")  # content types and the like are read once
    before = count("de")
    for number in range(6):
        for key in ("en", "de"):
            add_page(homes[key], ServicePage, f"port-{number}", body=_body("<p>port</p>"), locale=homes[key].locale)
    assert count("de") == before
    assert count("en", "de") == before


def test_what_stands_in_a_draft_alone_is_found_and_what_has_left_it_is_not(pages: Any, anna: User) -> None:
    page = pages["de"]
    page.title, page.body = "Kaje", [{"type": "rich_text", "value": {"html": "<p>A harbour-side quay.</p>"}, "id": "a"}]
    page.save_revision()
    assert find(_ask(anna, sites=("de",))).things == []
    assert find(_ask(anna, Replacing("harbour-side quay", "wharf"), sites=("de",))).places == 1
    assert find(_ask(anna, Replacing("harbour-wide quay", "wharf"), sites=("de",))).places == 0
