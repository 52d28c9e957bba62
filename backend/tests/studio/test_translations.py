"""The overview of translations: rights to see and to change, filters, drafts, and the notices in forms and on the dashboard."""

import csv
import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from wagtail.models import Page, PageLogEntry

from portolan.content.fallbacks import PageFallback
from portolan.content.models import FolderPage, ServicePage
from portolan.domain.roles import parse_site_role
from portolan.studio.permissions import sync_role_group
from portolan.translations.models import Translation

pytestmark = pytest.mark.django_db


@pytest.fixture
def pages(homes: Mapping[str, Any], add_page: Callable[..., Any]) -> Mapping[str, Any]:
    """Return an English page with an outdated German translation, and one without."""
    english = add_page(homes["en"], ServicePage, "web", title="Web")
    own = {"locale": homes["de"].locale, "translation_key": english.translation_key}
    german = add_page(homes["de"], ServicePage, "web", title="Netz", **own)
    _publish(english, title="Websites and shops")
    folder = add_page(homes["en"], FolderPage, "more", title="More")
    missing = add_page(folder, ServicePage, "apps", title="Apps")
    return {"en": english, "de": german, "missing": missing}


@pytest.fixture
def sign_in(client: Client) -> Callable[..., AbstractBaseUser]:
    client.defaults["HTTP_HOST"] = "studio.localhost"

    def sign_in(role: str) -> Any:
        user, _ = get_user_model().objects.get_or_create(username=role.replace(":", "-"))
        user.groups.set([sync_role_group(parse_site_role(role))])
        client.force_login(user)
        return user

    return sign_in


def _publish(page: Any, **values: Any) -> None:
    page = type(page).objects.get(pk=page.pk)
    for name, value in values.items():
        setattr(page, name, value)
    page.save_revision().publish()


def cells(client: Client, **filters: str) -> dict[str, str]:
    html = client.get(reverse("studio_translations"), filters).content.decode()
    rows = re.findall(r'<th scope="row">.*?<bdi>(.*?)</bdi>.*?</th>(.*?)</tr>', html, re.DOTALL)
    found = {}
    for title, row in rows:
        for site, state in re.findall(r'data-cell="(\w+)" data-state="([\w-]+)"', row):
            found[f"{title} {site}"] = state
    return found


def send(client: Client, do: str, *cells: str, **values: str) -> Any:
    return client.post(reverse("studio_translations_change"), {"do": do, "cell": cells, **values}, follow=True)


def cell_of(page: Page, site: str = "de") -> str:
    return f"{page.translation_key}:{site}"


def row_of(page: Page, site: str = "de") -> Translation:
    return Translation.objects.get(translation_key=page.translation_key, site=site)


def test_the_cells_have_states_and_links(pages: Mapping[str, Any], sign_in: Any, client: Client) -> None:
    sign_in("editor")
    assert cells(client) == {
        "Websites and shops uk": "current",
        "Websites and shops de": "outdated",
        "Apps uk": "current",
        "Apps de": "missing",
    }
    html = client.get(reverse("studio_translations")).content.decode()
    assert reverse("studio_translate", args=[pages["de"].translation_key, "de"]) in html
    assert reverse("studio_translation", args=[pages["missing"].translation_key, "de"]) in html


@pytest.mark.parametrize(
    ("role", "seen", "may_change"),
    [
        ("editor:de", {"de"}, True),
        ("translator:de", {"de"}, True),
        ("reader:de", {"de"}, False),
        ("editor:uk", {"uk"}, True),
        ("reader", {"de", "uk"}, False),
    ],
)
def test_who_sees_and_changes_which_sites(
    pages: Mapping[str, Any], sign_in: Any, client: Client, role: str, seen: set[str], may_change: bool
) -> None:
    sign_in(role)
    assert {name.split()[-1] for name in cells(client)} == seen
    html = client.get(reverse("studio_translations")).content.decode()
    assert ('name="cell"' in html) == may_change
    send(client, "confirm", cell_of(pages["en"]))
    is_allowed = may_change and "de" in seen
    assert (row_of(pages["en"]).confirmed_at is not None) == is_allowed
    details = client.get(reverse("studio_translation", args=[pages["en"].translation_key, "de"]))
    assert (details.status_code == 200) == ("de" in seen)


def test_people_without_pages_see_nothing(pages: Mapping[str, Any], sign_in: Any, client: Client) -> None:
    sign_in("lead-handler")
    for name in ("studio_translations", "studio_translations_export"):
        assert client.get(reverse(name)).status_code == 302


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"state": "outdated"}, {"Websites and shops uk", "Websites and shops de"}),
        ({"state": "outdated", "site": "uk"}, set()),
        ({"site": "de"}, {"Websites and shops de", "Apps de"}),
        ({"q": "netz"}, {"Websites and shops uk", "Websites and shops de"}),
        ({"type": "homepage"}, set()),
        ({"assigned": "nobody", "site": "de"}, {"Websites and shops de", "Apps de"}),
        ({"assigned": "me"}, set()),
    ],
)
def test_filters(
    pages: Mapping[str, Any], sign_in: Any, client: Client, filters: dict[str, str], found: set[str]
) -> None:
    sign_in("editor")
    assert set(cells(client, **filters)) == found
    reply = client.get(reverse("studio_translations_export"), filters)
    lines = list(csv.reader(reply.content.decode("utf-8-sig").splitlines()))
    state = {"state": "Outdated"}.get(next(iter(filters)), "")
    listed = [line for line in lines[1:] if not state or line[5] == state]
    assert len(listed) == len(lines) - 1
    assert {line[0] for line in listed} == {name.rsplit(" ", 1)[0] for name in found}


def test_assigning_and_excluding(pages: Mapping[str, Any], sign_in: Any, client: Client) -> None:
    user = sign_in("editor:de")
    both = (cell_of(pages["en"]), cell_of(pages["missing"]))
    send(client, "assign", *both, assignee=str(user.pk), due="2026-12-24")
    assert set(cells(client, assigned="me").values()) == {"in-progress"}
    assert row_of(pages["missing"]).due == date(2026, 12, 24)
    send(client, "exclude", cell_of(pages["missing"]))
    assert cells(client)["Apps de"] == "excluded"
    send(client, "include", cell_of(pages["missing"]))
    assert cells(client)["Apps de"] == "missing"
    send(client, "confirm", cell_of(pages["en"]))
    assert cells(client)["Websites and shops de"] == "current"
    logged = set(
        PageLogEntry.objects.filter(action__startswith="portolan.translation").values_list("action", flat=True)
    )
    assert logged == {f"portolan.translation.{name}" for name in ("assign", "exclude", "include", "confirm")}


def test_only_people_who_may_edit_the_site_are_assigned(pages: Mapping[str, Any], sign_in: Any, client: Client) -> None:
    other = sign_in("editor:uk")
    sign_in("editor:de")
    reply = send(client, "assign", cell_of(pages["en"]), assignee=str(other.pk))
    assert "Nothing changed" in reply.content.decode()
    assert row_of(pages["en"]).assignee is None


def test_a_missing_translation_cannot_be_up_to_date(pages: Mapping[str, Any], sign_in: Any, client: Client) -> None:
    sign_in("editor:de")
    reply = send(client, "confirm", cell_of(pages["en"]), cell_of(pages["missing"]))
    assert "Nothing changed" in reply.content.decode()
    assert cells(client) == {"Websites and shops de": "outdated", "Apps de": "missing"}


@pytest.mark.parametrize("cell", ["", "de", "no-key:de", f"{'0' * 32}:nowhere", f"{'0' * 32}:en"])
def test_wrong_data_is_refused(sign_in: Any, client: Client, homes: Mapping[str, Any], cell: str) -> None:
    sign_in("editor")
    assert send(client, "exclude", cell).status_code == 400


@pytest.mark.parametrize(("role", "is_created"), [("editor:de", True), ("translator:de", False), ("editor:uk", False)])
def test_a_missing_translation_is_created_as_a_draft_with_the_folders_above_it(
    pages: Mapping[str, Any], sign_in: Any, client: Client, role: str, is_created: bool
) -> None:
    sign_in(role)
    client.post(reverse("studio_translations_create"), {"cell": cell_of(pages["missing"])})
    made = Page.objects.filter(translation_key=pages["missing"].translation_key, slug="apps", locale=pages["de"].locale)
    assert made.exists() == is_created
    if is_created:
        page = made.get()
        assert (page.live, page.get_parent().live) == (False, False)
        assert cells(client)["Apps de"] == "in-progress"


def test_the_form_shows_what_changed_and_confirms_it(pages: Mapping[str, Any], sign_in: Any, client: Client) -> None:
    sign_in("editor:de")
    url = reverse("wagtailadmin_pages:edit", args=[pages["de"].pk])
    html = client.get(url).content.decode()
    assert 'data-translation="outdated"' in html
    assert '<span class="addition">' in html
    assert 'form="studio-confirm-translation"' in html
    reply = send(client, "confirm", cell_of(pages["en"]), next=url)
    html = reply.content.decode()
    assert reply.request["PATH_INFO"] == url
    assert 'data-translation="current"' in html
    assert 'id="studio-confirm-translation"' not in html


def test_the_form_of_the_original_lists_outdated_translations(
    pages: Mapping[str, Any], sign_in: Any, client: Client
) -> None:
    sign_in("editor")
    html = client.get(reverse("wagtailadmin_pages:edit", args=[pages["en"].pk])).content.decode()
    assert "1 translation is outdated" in html
    assert reverse("studio_translation", args=[pages["en"].translation_key, "de"]) in html


def test_the_dashboard_lists_translations_to_do(pages: Mapping[str, Any], sign_in: Any, client: Client) -> None:
    user = sign_in("editor:de")
    Translation.objects.create(
        translation_key=pages["missing"].translation_key, site="de", assignee=user, due=date(2026, 1, 1)
    )
    html = client.get(reverse("wagtailadmin_home")).content.decode()
    part = html[html.index('data-home="translations"') :].partition("</section>")[0]
    assert re.findall(r"<bdi>(.*?)</bdi>", part) == ["Apps", "Netz"]
    assert "overdue" in part
    sign_in("reader:de")
    assert 'data-home="translations"' not in client.get(reverse("wagtailadmin_home")).content.decode()


def test_the_queries_do_not_depend_on_the_number_of_pages(
    pages: Mapping[str, Any], homes: Mapping[str, Any], sign_in: Any, client: Client, add_page: Callable[..., Any]
) -> None:
    sign_in("editor")

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("studio_translations"))
        return len(queries)

    count()
    few = count()
    for number in range(20):
        _publish(add_page(homes["en"], ServicePage, f"page-{number}", title="Page"), title="Another page")
    assert count() == few


def test_publishers_choose_the_original_for_missing_pages(
    pages: Mapping[str, Any], sign_in: Any, client: Client
) -> None:
    screen, single = reverse("studio_fallbacks"), reverse("studio_translations_original")
    sign_in("editor:de")
    assert "disabled" in client.get(screen).content.decode()
    client.post(screen, {"de:": "original"})
    client.post(single, {"cell": cell_of(pages["missing"]), "original": "original"})
    assert not PageFallback.objects.exists()

    sign_in("publisher:de")
    client.post(screen, {"de:": "original", "de:servicepage": "", "uk:": "original"})
    assert [(row.site, row.page_type, row.is_shown) for row in PageFallback.objects.all()] == [("de", "", True)]
    assert list(shown_originals(client)) == ["de"]
    assert cells(client)["Apps de"] == "missing"

    client.post(single, {"cell": cell_of(pages["missing"]), "original": "none"})
    assert not shown_originals(client)
    assert "Apps" in client.get(screen).content.decode()
    assert client.post(single, {"cell": cell_of(pages["missing"]), "original": "perhaps"}).status_code == 400
    client.post(single, {"cell": cell_of(pages["missing"]), "original": ""})
    client.post(screen, {"de:": ""})
    assert not PageFallback.objects.exists()


def shown_originals(client: Client) -> list[str]:
    html = client.get(reverse("studio_translations")).content.decode()
    return re.findall(r'data-cell="(\w+)" data-state="[\w-]+" data-label="[^"]*" data-fallback', html)
