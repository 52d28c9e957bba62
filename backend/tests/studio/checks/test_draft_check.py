"""Problems that would block a draft are shown before publishing: in the form, and after publishing anyway."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from wagtail.test.utils.form_data import inline_formset, nested_form_data, rich_text, streamfield

from portolan.content.models import FooterSettings, LegalPage, MenuSettings, ServicePage
from portolan.domain.problems import (
    Block,
    DeadLink,
    MissingAnchor,
    MissingPage,
    Problem,
    ReservedPath,
    Subject,
    UnusableAnchor,
    UnusualText,
    WrongHeadings,
)
from portolan.releases.create import create_release
from portolan.studio import drawing
from portolan.studio.checks.draft_check import check_draft
from portolan.studio.checks.live_sites import LiveSites

pytestmark = pytest.mark.django_db
HOST = {"Host": "studio.localhost"}
SETTINGS = {"tone": "navy", "anchor": "", "anchor_title": ""}


@pytest.fixture(scope="module", autouse=True)
def artist() -> Iterator[None]:
    yield
    drawing.stop()


@pytest.fixture
def contact(homes, add_page) -> LegalPage:
    """A released page with an anchor that another page links to, and all that a site needs."""
    text = {"type": "rich_text", "value": {"anchor": "write", "html": "<p>Write to us</p>"}, "id": "t"}
    page = add_page(homes["en"], LegalPage, "contact-us", title="Contact us", body=[hero("Contact us"), text])
    link = [{"type": "link", "value": {"title": "Write to us", "page": page.pk}}]
    site = homes["en"].get_site()
    MenuSettings.objects.create(site=site, contact=link)
    FooterSettings.objects.create(site=site, offices_link=link)
    body = [hero("Terms", actions=[{"title": "Write", "page": page.pk, "anchor": "write"}])]
    add_page(homes["en"], LegalPage, "terms", title="Terms", body=body)
    create_release("test", timezone.now().date())
    return page


def hero(title: str, **more: Any) -> dict[str, Any]:
    return {"type": "hero", "value": {"title": title, **more}, "id": "h"}


def test_all_that_would_hold_it_back_is_found_at_once(homes, add_page, contact, monkeypatch):
    monkeypatch.setattr(LiveSites, "read_page", lambda *_: b'<section id="write">')
    page = add_page(homes["en"], ServicePage, "web", title="Web")
    gone = homes["en"].add_child(instance=LegalPage(title="Soon", slug="soon", live=False))

    def check(*blocks: dict[str, Any]) -> list[Problem]:
        page.body = list(blocks)
        return check_draft(page)

    def link(**target: Any) -> list[dict[str, Any]]:
        return [{"title": "There", **target}]

    assert check(hero("Web", actions=link(page=contact.pk, anchor="write"))) == []
    subject = Subject("en", "page", str(page.translation_key), "Web", "/web")
    action = subject._replace(block=Block("h", 1, "hero"), field="actions.0")
    no_heading = Problem(subject, WrongHeadings(0))
    assert check({"type": "rich_text", "value": {"html": "<p>Words</p>"}, "id": "t"}) == [no_heading]
    url = "http://localhost:8000/no-such-page"
    assert check(hero("Web", actions=link(url=url))) == [Problem(action, DeadLink(url))]
    (anchor,) = check(hero("Web", actions=link(page=contact.pk, anchor="wriet")))
    assert anchor.detail == MissingAnchor("/contact-us#wriet")
    # A block with a problem is skipped, without a report of its missing anchors. All others are checked.
    html = f'<p><a linktype="page" id="{gone.pk}">There</a></p>'
    heading, missing = check({"type": "rich_text", "value": {"html": html}, "id": "t"})
    assert (heading, missing.detail) == (no_heading, MissingPage(str(gone.translation_key)))
    assert check(hero("Web", actions=link(page=gone.pk)))[0].detail == missing.detail
    page.hidden_here = True
    assert check() == [], "nobody sees it"


def test_a_place_that_others_link_to_is_not_lost_unseen(contact):
    contact.body = [hero("Contact us")]
    (lost,) = check_draft(contact)
    assert (lost.subject.path, lost.detail) == ("/terms", MissingAnchor("/contact-us#write"))


def form(title: str, *blocks: tuple[str, Any], **more: Any) -> dict[str, Any]:
    return nested_form_data(
        {
            "title": title,
            "slug": "web",
            "seo_title": "",
            "search_description": "",
            "body": streamfield(list(blocks)),
            "comments": inline_formset([]),
            **more,
        }
    )


def opening(heading: str, **action: str) -> tuple[str, Any]:
    actions = [{"title": "", "page": "", "anchor": "", "url": "", **action}] if action else []
    value = {**SETTINGS, "eyebrow": "", "title": heading, "text": "", "actions": _list(actions)}
    return "hero", {**value, "picture": {"image": "", "alt": ""}, "film": ""}


def _list(items: list[dict[str, str]]) -> dict[str, Any]:
    rows = {str(n): {"value": item, "deleted": "", "order": str(n), "id": ""} for n, item in enumerate(items)}
    return {"count": str(len(items)), **rows}


def words(text: str) -> tuple[str, Any]:
    return "rich_text", {**SETTINGS, "html": rich_text(f"<p>{text}</p>")}


def test_the_form_asks_and_is_told_where(admin_client: Client, homes, add_page, contact):
    page = add_page(homes["en"], ServicePage, "web", title="Web", body=[hero("Web")])

    def ask(url: str, *blocks: tuple[str, Any], title: str = "Web", **more: str) -> dict[str, Any]:
        return dict(admin_client.post(url, form(title, *blocks, **more), headers=HOST).json())

    url = f"/admin/pages/{page.pk}/edit/check/"
    assert ask(url, opening("Web")) == {"count": 0, "text": "No problems", "problems": []}
    found = ask(url, words("TODO: more words"))
    assert (found["count"], found["text"]) == (1, "1 problem, 1 warning")
    heading, warning = found["problems"]
    assert heading["text"].startswith("This page has 0 main headings")
    assert (heading["path"], heading["isWarning"]) == (["body"], False)
    assert (warning["path"], warning["isWarning"]) == (["body", 0], True)
    # The form reports its own errors and the draft's problems: each place once.
    found = ask(url, words("Words"), opening("", page=str(contact.pk), anchor="nowhere"), title="")
    said = {tuple(each["path"]): each["text"] for each in found["problems"]}
    assert said[("title",)] == "Title: This field is required."
    assert said["body", 1, "title"] == "Block 2 (Hero), Title: This field is required."
    assert said["body", 1, "actions", 0, "title"] == "Block 2 (Hero), Buttons 1, Title: Enter the text of the link."
    assert found["count"] == len(said) == len(found["problems"])
    # A page yet to be created: its form begins with the required blocks of its type.
    new = f"/admin/pages/add/content/servicepage/{homes['en'].pk}/"
    assert b"\\u0022hero\\u0022" in admin_client.get(new, headers=HOST).content.replace(b"&quot;", b"\\u0022")
    (none,) = ask(f"{new}check/", words("Words"), slug="new")["problems"]
    assert none["text"].startswith("This page has 0 main headings")
    anchors = admin_client.get(f"/admin/anchors/?page={contact.pk}", headers=HOST).json()
    assert anchors == {"anchors": [{"anchor": "write", "title": "Text"}]}
    assert admin_client.get("/admin/anchors/?page=x", headers=HOST).status_code == 404
    admin_client.logout()
    assert admin_client.post(url, form("Web"), headers=HOST).status_code == 302


def test_what_would_be_blocked_is_not_published_and_stays_in_the_form(admin_client: Client, homes, add_page, contact):
    page = add_page(homes["en"], ServicePage, "web", title="Web", body=[hero("Web")])
    url = f"/admin/pages/{page.pk}/edit/"

    def send(*blocks: tuple[str, Any], **action: str) -> Any:
        return admin_client.post(url, {**form("Web", *blocks), **action}, headers=HOST)

    def published() -> str:
        return str(ServicePage.objects.get(pk=page.pk).body.raw_data[0]["type"])

    refused = send(words("Typed a moment ago"), **{"action-publish": "action-publish"})
    assert refused.status_code == 200
    text = refused.content.decode()
    assert "“Web” is not published: 1 problem. Fix it, or save a draft." in text
    assert "has 0 main headings" in text
    assert "Typed a moment ago" in text
    assert published() == "hero"
    assert send(words("Typed a moment ago")).status_code == 302, "a draft may be unfinished"
    assert published() == "hero"
    assert send(opening("Web"), words("TODO: later"), **{"action-publish": "1"}).status_code == 302, "a warning is none"
    # A missing target may exist by then. A missing heading would still be missing.
    later = {"action-publish": "1", "go_live_at": "2099-12-01T09:00"}
    dead = opening("Web", title="There", url="http://localhost:8000/no-such-page")
    assert send(dead, **{"action-publish": "1"}).status_code == 200
    assert send(words("Words"), **later).status_code == 200
    assert send(dead, **later).status_code == 302


def test_a_new_page_is_published_only_as_it_would_go_live(admin_client: Client, homes, contact):
    url = f"/admin/pages/add/content/servicepage/{homes['en'].pk}/"
    publish = {"action-publish": "action-publish"}
    refused = admin_client.post(url, {**form("Web", words("Words")), **publish}, headers=HOST)
    assert (refused.status_code, ServicePage.objects.count()) == (200, 0)
    admin_client.post(url, {**form("Web", opening("Web")), **publish}, headers=HOST)
    assert ServicePage.objects.get(locale=homes["en"].locale).live


def test_a_path_or_an_anchor_that_the_product_uses_is_found(homes, add_page, contact):
    page = add_page(homes["en"], LegalPage, "index", title="Index")  # as made by a copy or an import
    text = {"type": "rich_text", "value": {"anchor": "islands", "html": "<p>Reefs</p>"}, "id": "t"}
    page.body = [hero("Index"), text]
    assert [problem.detail for problem in check_draft(page)] == [ReservedPath("/index"), UnusableAnchor("islands")]
    page.slug, page.body = "indexes", [hero("Index"), text | {"value": {"anchor": "reefs", "html": "<p>Reefs</p>"}}]
    page.save()
    assert check_draft(page) == []


def test_the_form_refuses_a_slug_that_the_product_uses(admin_client: Client, homes, contact, add_page):
    new = f"/admin/pages/add/content/legalpage/{homes['en'].pk}/"
    for typed in ({"slug": "index"}, {"slug": "media"}):
        answer = admin_client.post(new, form("Atlas", opening("Atlas")) | typed, headers=HOST)
        assert "such as our-" in str(answer.context["form"].errors["slug"]), typed
    page = add_page(homes["en"], LegalPage, "atlas", title="Atlas")
    answer = admin_client.post(
        f"/admin/pages/{page.pk}/edit/", form("Atlas", opening("Atlas"), slug="api"), headers=HOST
    )
    assert "such as our-api" in str(answer.context["form"].errors["slug"])


def test_remains_of_the_original_and_marks_of_another_language_are_warned_about(homes, add_page, contact):
    """Each warning names its block and field, and quotes the text."""
    rest = "Talk to us about it."
    block = {"type": "rich_text", "value": {"html": f"<p>{rest}</p>"}, "id": "t"}
    original = add_page(homes["en"], LegalPage, "rules", title="Rules", body=[hero("Rules"), block])
    create_release("test", timezone.now().date())
    page = add_page(homes["de"], LegalPage, "rules", title="Bedingungen")
    page.translation_key = original.translation_key
    block["value"] = {"html": f'<p>Wir sind die Hafenleute. {rest}</p><p>Er sagt "ja" fuer uns. “Nein” auch.</p>'}
    page.body = [hero("Bedingungen"), block]
    found = check_draft(page)
    assert {problem.detail for problem in found} == {
        UnusualText("untranslated", rest, "", "de-DE"),
        UnusualText("spelling", "fuer", "für", "de-DE"),
        UnusualText("quotation-marks", '"ja"', "„ja“", "de-DE", more=1),
    }
    assert {(problem.subject.block and problem.subject.block.number, problem.subject.field) for problem in found} == {
        (2, "html")
    }
    assert all(problem.is_warning for problem in found)
