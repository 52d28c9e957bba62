"""One search for editors: by every word of a page, by URL, over entries, menus and files, by country, and within the
user's rights.
"""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings
from wagtail import blocks
from wagtail.models import GroupPagePermission, Page
from wagtail.search.backends import get_search_backend

from portolan.content import page_search
from portolan.content.models import AboutPage, MenuSettings, Office, OfficeCategory, Redirect, ServicePage
from portolan.content.typed_texts import typed_texts
from portolan.domain.roles import Role, SiteRole
from portolan.studio.permissions import sync_role_group
from portolan.studio.search import find
from portolan.studio.search.excerpts import mark, split_words
from portolan.studio.search.find import search

STUDIO = {"Host": "studio.localhost"}


@pytest.mark.parametrize(
    ("text", "words", "shown"),
    [
        ("We dredge harbours.", ["dredge"], "We [dredge] harbours."),
        ("Häfen und häfen", ["hafen"], "[Häfen] und [häfen]"),
        ("a  b\n c", [], "a b c"),
        ("nothing of it", ["port"], "nothing of it"),
        ("x" * 9 + " begin " + "word " * 60, ["begin"], "xxxxxxxxx [begin] " + "word " * 26 + "…"),
        ("word " * 60 + "end", ["end"], "… " + "word " * 13 + "[end]"),
        ("1+1 (is) two", ["("], "1+1 [(]is) two"),
        ("Die Große Straße", ["strasse"], "Die Große [Straße]"),
        ("u\u0308ber İlqar", ["ilqar", "uber"], "[über] [İlqar]"),
        ("مَعْلُومَات عنا", ["معلومات"], "[مَعْلُومَات] عنا"),
    ],
)
def test_an_excerpt_stands_around_the_first_word(text: str, words: list[str], shown: str) -> None:
    assert "".join(f"[{piece.text}]" if piece.is_found else piece.text for piece in mark(text, words)) == shown


def test_a_query_is_its_words() -> None:
    assert split_words("Port-Authority, PORT “x”") == ["port", "authority", "x"]


def test_what_is_chosen_from_a_list_is_no_text_of_a_page() -> None:
    tone = blocks.ChoiceBlock([("navy", "Navy")], required=False)
    card = blocks.StructBlock(
        [("title", blocks.CharBlock()), ("tone", tone), ("note", blocks.TextBlock(required=False))]
    )
    block = blocks.StreamBlock([("cards", blocks.ListBlock(card)), ("text", blocks.RichTextBlock())])
    cards = [{"title": "Quays", "tone": "navy", "note": None}, {"title": "Locks", "tone": "", "note": "old"}]
    value = block.to_python([{"type": "cards", "value": cards}, {"type": "text", "value": "<p>We <b>dredge</b>.</p>"}])
    assert [text.strip() for text in typed_texts(value)] == ["Quays", "Locks", "old", "We dredge."]


def _text(words: str) -> list[dict[str, Any]]:
    return [{"type": "rich_text", "value": {"html": f"<p>{words}</p>"}, "id": "t"}]


@pytest.fixture
def world(settings: Settings, sites: Any, homes: Any, add_page: Callable[..., Any]) -> dict[str, Any]:
    settings.TASKS = {
        "default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend"}
    }  # saved entries are found
    category = OfficeCategory.objects.create(key="hq", name="Headquarters")
    item = {"title": "Harbours", "key": "harbours", "theme": "text-links", "submenu": []}
    MenuSettings.objects.create(
        site=sites["de"].wagtail_site, items=[{"type": "item", "value": item, "id": "i"}], contact=[]
    )
    Redirect.objects.create(source="/old-harbour", address="https://example.com/", note="from the brochure")
    return {
        "en": add_page(homes["en"], ServicePage, "quay-walls", title="Quay walls", body=_text("We dredge harbours.")),
        "de": add_page(homes["de"], AboutPage, "kai", title="Kaimauern", body=_text("Wir lieben dredge-Wörter.")),
        "office": Office.objects.create(
            key="hamburg",
            city="Hamburg",
            country="de",
            address="Am Kai 1",
            category=category,
            lat=53.5,
            lng=10,
            sets=[],
        ),
    }


def _titles(found: Any) -> dict[str, list[str]]:
    return {group.name: [hit.title for hit in group.hits] for group in found}


@pytest.mark.postgres
@pytest.mark.django_db
def test_finds_what_editors_look_after_by_word_by_address_and_by_country(world: Any, admin_user: User) -> None:
    def look(query: str, site: str = "") -> dict[str, list[str]]:
        return _titles(search(query, site, admin_user))

    assert sorted(look("dredge")["Pages"]) == ["Kaimauern", "Quay walls"]
    assert look("dredge", "de") == {"Pages": ["Kaimauern"]}
    assert look("harbours")["Pages"] == ["Quay walls"]
    assert len(look("harbours")["Menus, footers and rate cards"]) == 1
    assert "Menus, footers and rate cards" not in look("harbours", "en")
    assert look("hambu") == {"Entries": ["Hamburg"]}, "the beginning of a title"
    assert look("/quay-walls")["Pages"] == ["Quay walls"]
    assert look("https://www.example.com/quay-walls/")["Pages"] == ["Quay walls"]
    assert look("brochure") == {"Redirects": ["/old-harbour"]}
    assert look("/old-harbour") == {"Redirects": ["/old-harbour"]}
    assert look("“”") == look("zzz") == {}
    world["de"].title = world["de"].draft_title = "Dredgers"
    world["de"].save()
    assert look("dredge")["Pages"] == ["Dredgers", "Quay walls"], "what is called so comes first"


@pytest.mark.postgres
@pytest.mark.django_db
def test_letters_are_found_as_people_type_them(
    world: Any, homes: Any, add_page: Callable[..., Any], admin_user: User
) -> None:
    """In titles, texts, menus and notes; the whole word, and the beginning of a title."""
    for slug, title, text in (
        ("az", "Məlumat", "İlqar MƏLUMATIN oxudu."),
        ("de", "Straßenbau", "Große Maße"),
        ("ar", "مَعْلُومَات", "أَحْمَد يَكْتُب"),
        ("pl", "Łódź", "zażółć"),
        ("kk", "Қазақстан", "өңір"),
    ):
        add_page(homes["en"], ServicePage, slug, title=title, body=_text(text))
    Redirect.objects.create(source="/maße", address="https://example.com/", note="aus der Broschüre für Straßen")
    wanted = {
        "ilqar": "Məlumat",
        "İLQAR": "Məlumat",
        "məlumatın": "Məlumat",
        "grosse masse": "Straßenbau",
        "strasse": "Straßenbau",
        "STRASSENBAU": "Straßenbau",
        "معلومات": "مَعْلُومَات",
        "احمد": "مَعْلُومَات",
        "lodz": "Łódź",
        "zazolc": "Łódź",
        "казакстан": "Қазақстан",
        "онир": "Қазақстан",
    }
    assert {query: _titles(search(query, "en", admin_user))["Pages"] for query in wanted} == {
        query: [title] for query, title in wanted.items()
    }
    assert _titles(search("broschure", "", admin_user)) == {"Redirects": ["/maße"]}


@pytest.mark.django_db
def test_shows_nothing_that_somebody_may_not_see(world: Any, homes: Any, client: Client) -> None:
    kai = User.objects.create_user("kai")
    group = Group.objects.create(name="Germans")
    group.permissions.add(Permission.objects.get(content_type__app_label="wagtailadmin", codename="access_admin"))
    change = Permission.objects.get(content_type__app_label="wagtailcore", codename="change_page")
    GroupPagePermission.objects.create(group=group, page=homes["de"], permission=change)
    kai.groups.add(group)
    assert _titles(search("dredge", "", kai)) == {"Pages": ["Kaimauern"]}
    for query in ("Hamburg", "harbours", "brochure"):
        assert search(query, "", kai) == []
    client.force_login(kai)
    screen = client.get("/admin/search/", {"q": "dredge", "site": "nowhere"}, headers=STUDIO).content.decode()
    assert "Wir lieben <mark>dredge</mark>-Wörter." in screen and "Quay walls" not in screen
    assert "No results for “&lt;b&gt;”." in client.get("/admin/search/", {"q": "<b>"}, headers=STUDIO).content.decode()


@pytest.mark.django_db
def test_menus_and_redirects_of_other_sites_are_not_shown(world: Any, sites: Any) -> None:
    for key in ("en", "de"):
        Redirect.objects.create(source=f"/old-harbour-{key}", address="https://example.com/", site=sites[key])
    item = {"title": "Harbours", "key": "harbours", "theme": "text-links", "submenu": []}
    MenuSettings.objects.create(
        site=sites["en"].wagtail_site, items=[{"type": "item", "value": item, "id": "i"}], contact=[]
    )
    kim = User.objects.create_user("kim")
    kim.groups.add(sync_role_group(SiteRole(Role.EDITOR, "de")))
    found = {group.name: [(hit.title, hit.where) for hit in group.hits] for group in search("harbour", "", kim)}
    assert found["Redirects"] == [("/old-harbour-de", "Deutschland")]
    found = {group.name: [hit.where for hit in group.hits] for group in search("harbours", "", kim)}
    assert found["Menus, footers and rate cards"] == ["Deutschland"]
    rea = User.objects.create_user("rea")
    rea.groups.add(sync_role_group(SiteRole(Role.READER, "de")))
    (hit,) = search("hambu", "", rea)[0].hits
    assert "/inspect/" in hit.edit_url


@pytest.mark.django_db
def test_what_pages_link_to_is_not_loaded_for_each_that_is_found(
    world: Any, homes: Any, add_page: Callable[..., Any], admin_user: User
) -> None:
    def actions(target: int) -> list[dict[str, Any]]:
        link = {"title": "Dredging", "page": target}
        value = {"title": "Dredge", "actions": [{"type": "item", "value": link, "id": "l"}]}
        return [{"type": "hero", "value": value, "id": "h"}]

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert search("dredge", "", admin_user)[0].name == "Pages"
        return len(queries)

    count()  # content types and the like are read once
    before = count()
    for number in range(6):
        add_page(homes["en"], ServicePage, f"more-{number}", body=actions(homes["de"].pk))
    assert count() == before


@pytest.mark.postgres
@pytest.mark.django_db
def test_wagtails_own_searches_answer_also_where_very_many_pages_have_a_word(
    world: Any, homes: Any, client: Client, admin_user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(admin_user)
    found = []
    for most in (page_search.COMMON, 1):
        monkeypatch.setattr(page_search, "COMMON", most)
        monkeypatch.setattr(find, "COMMON", most)
        for address in ("/admin/pages/search/", f"/admin/pages/{homes['en'].pk}/"):
            screen = client.get(address, {"q": "quay"}, headers=STUDIO)
            assert screen.status_code == 200
            found.append({page.title for page in screen.context["object_list"]})
        chooser = client.get("/admin/choose-page/search/", {"q": "quay"}, headers=STUDIO)
        found.append({page.title for page in chooser.context["table"].data})
    assert found == [{"Quay walls"}] * 6


@pytest.mark.postgres
@pytest.mark.django_db
def test_pages_are_weighed_unless_very_many_have_the_words(
    world: Any, homes: Any, add_page: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ranking takes long. With very many results, the last changed come first instead."""
    add_page(homes["en"], ServicePage, "older", title="Quay cranes of the harbour", body=_text("Cranes."))
    add_page(
        homes["en"], ServicePage, "newer", title="Harbour pilots", body=_text("On a quay, to a quay and off a quay.")
    )
    backend = get_search_backend()
    by_weight = [page.title for page in backend.search("quay", Page.objects.all())]
    assert len(by_weight) == 6, "each with its copy on the British site"
    monkeypatch.setattr(page_search, "COMMON", 6)
    with CaptureQueriesContext(connection) as queries:
        found = list(backend.search("quay", Page.objects.order_by("title")))
    assert not [query for query in queries if re.search("bm25|ts_rank", query["sql"])]
    assert [page.title for page in found][:4] == ["Quay cranes of the harbour"] * 2 + ["Quay walls"] * 2, "called so"
    for some in (found[:4], found[4:]):
        times = [page.latest_revision_created_at for page in some]
        assert times == sorted(times, reverse=True)
    monkeypatch.setattr(page_search, "COMMON", 7)
    with CaptureQueriesContext(connection) as queries:
        assert [page.title for page in backend.search("quay", Page.objects.order_by("title"))] == by_weight
    assert [query for query in queries if re.search("bm25|ts_rank", query["sql"])]


QUERIES = {
    **dict.fromkeys(
        ['"quay', 'quay"', '"quay walls"', "quay - walls", "quay 😀 (((", "quay " * 2000, "quay\x00walls", "quay\x00"], True
    ),
    **dict.fromkeys(
        [
            "quay's", "x " * 5000, "NEAR(quay walls)", "title:quay*", "quay AND NOT", "100%", "q\\'z", "*", ":",
            "- ^ |&!<-> ()", "😀",
        ],
        False,
    ),
}  # fmt: skip
"""Queries, and True if they find a page with quay walls."""
STEMMED: Final = {"quay's", "quay AND NOT"}
"""PostgreSQL reads these as "quay" in our own search, because it drops word endings and words such as "and"."""


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_query_may_have_any_characters(world: Any, client: Client, admin_user: User) -> None:
    client.force_login(admin_user)
    found: dict[tuple[str, str], set[str]] = {}
    for query in QUERIES:
        if "\x00" in query:  # forms refuse it
            backend_finds = get_search_backend().search(query, ServicePage)
            found[query, "backend"] = {page.title for page in backend_finds}
            continue
        found[query, "studio"] = {hit.title for group in search(query[:200], "", admin_user) for hit in group.hits}
        listed = client.get("/admin/pages/search/", {"q": query}, headers=STUDIO)
        found[query, "list"] = {page.title for page in listed.context["object_list"]}
        chooser = client.get("/admin/choose-page/search/", {"q": query}, headers=STUDIO)
        found[query, "chooser"] = {page.title for page in chooser.context["table"].data}
    is_stemmed = STEMMED if connection.vendor == "postgresql" else set()
    assert found == {
        (query, where): {"Quay walls"} if QUERIES[query] or (where == "studio" and query in is_stemmed) else set()
        for query, where in found
    }


@pytest.mark.postgres
@pytest.mark.django_db
@pytest.mark.parametrize("query", ['"', "'", "😀", '"" ""'])
def test_quotation_marks_alone_are_no_query(world: Any, client: Client, admin_user: User, query: str) -> None:
    client.force_login(admin_user)
    for address in (
        "/admin/pages/search/",
        "/admin/choose-page/search/",
        "/admin/search/",
        "/admin/images/",
        "/admin/snippets/content/office/",
    ):
        assert client.get(address, {"q": query}, headers=STUDIO).status_code == 200


@pytest.fixture
def titled(world: Any, homes: Any, add_page: Callable[..., Any]) -> None:
    """Make pages, the newest last. The oldest has this title."""
    for number, title in enumerate(("Dock", "Dock gates", "The dock", "Dry dock", "Locks")):
        add_page(homes["en"], ServicePage, f"page-{number}", title=title, body=_text("dock dock dock dock"))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "common"),
    [
        pytest.param("dock", 150, marks=pytest.mark.postgres, id="few have the word"),
        pytest.param("Dock", 3, marks=pytest.mark.postgres, id="very many have the word"),
        pytest.param("DOCK", 3, id="capitals"),
    ],
)
def test_an_exact_title_comes_first_then_titles_that_begin_so(
    titled: None, admin_user: User, admin_client: Client, monkeypatch: pytest.MonkeyPatch, query: str, common: int
) -> None:
    monkeypatch.setattr(page_search, "COMMON", common)
    monkeypatch.setattr(find, "COMMON", common)
    found = _titles(search(query, "en", admin_user))["Pages"]
    assert found[:2] == ["Dock", "Dock gates"]
    assert set(found) == {"Dock", "Dock gates", "The dock", "Dry dock", "Locks"} or common == 3
    listed: Any = admin_client.get("/admin/pages/search/", {"q": query}, headers=STUDIO).context["pages"]
    ours = [page.title for page in listed if page.locale.language_code == "en"]
    assert ours[:2] == ["Dock", "Dock gates"], "in Wagtail's lists and choosers too"


@pytest.mark.postgres
@pytest.mark.django_db
def test_pages_that_a_site_inherits_are_found_with_where_they_are_shown(world: Any, admin_user: User) -> None:
    def look(query: str, site: str, user: User) -> list[tuple[str, str]]:
        return [(hit.where, hit.edit_url) for group in search(query, site, user) for hit in group.hits]

    copy = world["en"].aliases.get()
    own, follows = (f"/admin/pages/{page.pk}/edit/" for page in (world["en"], copy))
    assert look("quay walls", "", admin_user) == [("International, /quay-walls; also on United Kingdom", own)]
    british = [("United Kingdom, /quay-walls; inherits from International", follows)]
    assert look("quay walls", "uk", admin_user) == british
    assert look("/quay-walls", "uk", admin_user) == british
    editor = User.objects.create_user("brit")
    editor.groups.add(sync_role_group(SiteRole(Role.EDITOR, "uk")))
    assert look("dredge", "", editor) == british, "who may not see the original finds the copy"
    copy.specific.__class__.objects.filter(pk=copy.pk).update(hidden_here=True)
    assert look("quay walls", "", admin_user) == [("International, /quay-walls", own)], "hidden pages are not shown"
